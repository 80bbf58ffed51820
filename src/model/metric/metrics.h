/* The list of metrics, one row each; a row's formula is metric_FUNCTION in metric_value.c. */
#ifndef MODEL_METRIC_METRICS_H
#define MODEL_METRIC_METRICS_H

#include "tamis/metric.h"

/* Like tm_scorer_value, but TM_ENOMEM when memory ran out, as distinct from NaN for an undefined
 * metric. */
tm_status metric_value(const tm_scorer *scorer, const double *y, const double *z, size_t n,
                       double *out, tm_error *err);

/* Whether its value depends on y and z by the sums of their squares and products only; for a metric
 * of the table. */
bool metric_uses_sums(const tm_metric *metric);

/* FUNCTION, id, which responses it needs, whether GREATER or LESS is better, the argument after
 * '@', its default, summary */
#define METRICS(X)                                                                                 \
    X(accuracy, "accuracy", CLASSES, GREATER, NOTHING, NULL,                                       \
      "share of rows whose sign is right; a score of exactly 0 predicts the class -1")             \
    X(error, "error", CLASSES, LESS, NOTHING, NULL, "share of rows whose sign is wrong")           \
    X(precision, "precision", CLASSES, GREATER, NOTHING, NULL,                                     \
      "true share of the predicted +1; 0 when none is predicted")                                  \
    X(recall, "recall", CLASSES, GREATER, NOTHING, NULL,                                           \
      "share of the +1 that are found; 0 when there are none")                                     \
    X(f1, "f1", CLASSES, GREATER, NOTHING, NULL,                                                   \
      "harmonic mean of precision and recall; 0 when nothing is found")                            \
    X(fbeta, "fbeta@b", CLASSES, GREATER, NUMBER, "2",                                             \
      "mean of precision and recall with recall b times as important; 0 as for f1")                \
    X(balanced_accuracy, "balanced_accuracy", CLASSES, GREATER, NOTHING, NULL,                     \
      "mean of the recalls of both classes; with one class that of it alone")                      \
    X(auc, "auc", CLASSES, GREATER, NOTHING, NULL,                                                 \
      "area under the ROC curve, ties count one half; undefined with one class")                   \
    X(average_precision, "ap", CLASSES, GREATER, NOTHING, NULL,                                    \
      "average precision over the thresholds; 0 when there are no +1")                             \
    X(prbep, "prbep", CLASSES, GREATER, NOTHING, NULL,                                             \
      "precision of the first rows, as many as there are +1, where it equals recall; ties"         \
      " by their average, 0 when there are no +1")                                                 \
    X(precision_at, "prec@k", CLASSES, GREATER, ROWS, "10",                                        \
      "precision of the k rows of greatest score, k a number (at most all rows) or a "             \
      "multiple of the +1 like 2p, at least 1; ties by their average")                             \
    X(recall_at, "rec@k", CLASSES, GREATER, ROWS, "2p",                                            \
      "recall of the k rows of greatest score, k as for prec@k; 0 when there are no +1")           \
    X(log_loss, "logloss", CLASSES, LESS, NOTHING, NULL,                                           \
      "mean of -log p of the true class, p = 1/(1 + exp(-yz)); for scores that are log "           \
      "odds")                                                                                      \
    X(mse, "mse", SQUARES, LESS, NOTHING, NULL, "mean squared error")                              \
    X(mae, "mae", NUMBERS, LESS, NOTHING, NULL, "mean absolute error")                             \
    X(r2, "r2", SQUARES, GREATER, NOTHING, NULL,                                                   \
      "share of the variance explained; with a constant response 1 if exact, else 0")

/* The metrics shown first: for numbers, for two classes, and for two classes one of which is
 * rare. */
#define METRIC_OF_NUMBERS "r2"
#define METRIC_OF_CLASSES "accuracy"
#define METRIC_OF_RARE_CLASS "auc"

#define ROW(function, ...)                                                                         \
    double metric_##function(const double *y, const double *z, size_t n,                           \
                             const tm_metric_argument *argument);
METRICS(ROW)
#undef ROW

#endif
