/* Metrics of predictions, a table.
 *
 * Metrics of two classes take y = +-1 and scores z. Those of a prediction (accuracy, precision,
 * recall, ...) count a row as +1 when z > 0. Those of an order (auc, ap, prbep, prec@k, rec@k)
 * take the rows by descending z; rows of equal score count as if every order of them were
 * equally likely (ap: as if they were retrieved together). Each summary tells the value for a
 * class without rows. */
#ifndef TAMIS_METRIC_H
#define TAMIS_METRIC_H

#include "tamis/model.h"

/* The argument after '@', as in "prec@10", "rec@2p", "fbeta@0.5". */
typedef struct tm_metric_argument {
    double number;
    bool of_positives; /* "2p": a multiple of the number of rows of class +1 */
} tm_metric_argument;

typedef enum tm_metric_takes {
    TM_METRIC_NOTHING,
    TM_METRIC_ROWS,   /* a whole number of rows, or a multiple of those of class +1 */
    TM_METRIC_NUMBER, /* any positive number */
} tm_metric_takes;

typedef struct tm_metric {
    const char *id;      /* "accuracy"; with an argument "prec@k" */
    const char *summary; /* one line, including the treatment of ties and empty classes */
    bool binary;         /* needs y = +-1; otherwise any numbers */
    bool greater_is_better;
    tm_metric_takes takes; /* the kind of its argument */
    const char *usual;     /* the default argument; NULL: it has none */
    /* y and z have n >= 1 values; NaN where the metric is undefined */
    double (*value)(const double *y, const double *z, size_t n, const tm_metric_argument *argument);
} tm_metric;

const tm_metric *tm_metrics(size_t *count);

/* A metric with its argument, as requested. */
typedef struct tm_scorer {
    const tm_metric *metric;
    tm_metric_argument argument;
    char name[32]; /* "rec@2p" */
} tm_scorer;

/* Parses "auc", "prec@10", "rec@2p". TM_EUSAGE and an error that names the closest known metric, or
 * describes the argument. */
tm_status tm_scorer_find(tm_scorer *out, const char *text, tm_error *err);
/* The metric with its default argument. */
tm_scorer tm_scorer_usual(const tm_metric *metric);
/* accuracy for two classes, r2 otherwise. */
const tm_metric *tm_metric_default(bool binary);
tm_scorer tm_scorer_default(bool binary);
/* The metric to show first: r2 for numbers, accuracy for two classes, but auc if one of them has
 * less than a tenth of the rows, since predicting the other one is then nearly always right. */
tm_scorer tm_scorer_for(const tm_dataset *data);
/* The score on `test` of the best constant prediction from `train`: the majority class (as its
 * log-odds), or the mean of the response. NaN if the metric needs another kind of response. */
double tm_scorer_constant(const tm_scorer *scorer, const tm_dataset *train, const tm_dataset *test);
double tm_scorer_value(const tm_scorer *scorer, const double *y, const double *z, size_t n);

/* Numbers of rows by class and prediction. */
typedef struct tm_confusion {
    size_t tp, fp, fn, tn;
} tm_confusion;

tm_confusion tm_confusion_of(const double *y, const double *z, size_t n);

/* The metric of the model's predictions on `data`. TM_EDATA when it does not apply, or when the
 * labels of `data` are not those the model was trained on. */
tm_status tm_model_score(const tm_model *model, const tm_dataset *data, const tm_scorer *scorer,
                         double *out, tm_error *err);
tm_status tm_model_confusion(const tm_model *model, const tm_dataset *data, tm_confusion *out,
                             tm_error *err);
/* The inputs of scores: the response of `data` in the model's coding and its predictions, n values
 * each. TM_EDATA as for tm_model_score. */
tm_status tm_model_judge(const tm_model *model, const tm_dataset *data, double *y, double *z,
                         tm_error *err);

#endif
