/* Multivariate measures and the labeling that violates them most (001 sections 4 and 5.4).
 *
 *     R(w) = 1/n max(0, max over labelings of  Delta - sum_i u_i v_i),      v_i = x_i'w
 *
 * A labeling yhat is a vector u: u_i = y_i - yhat_i, which is 0 or 2 y_i, for the measures of a
 * contingency table. For average precision it is an order of the rows, and u = 200/(P N) times the
 * sum of e_i - e_j over the pairs (i, j) of a positive and a negative row in which the negative
 * comes first. For the ROC area a labeling is a set of (positive, negative) pairs that are swapped,
 * and u = 100/(P N) times the sum of e_i - e_j over them. Derivations: docs/multi.md. */
#ifndef MODEL_METRIC_MULTIVARIATE_LOSS_H
#define MODEL_METRIC_MULTIVARIATE_LOSS_H

#include "tamis/metric.h"

/* A row of the table of measures: hamming 2 (fp + fn), f1 100 (1 - F1), fbeta@b the same with
 * recall b times as important, prec@k 100 (1 - precision) over labelings with k rows predicted +1,
 * rec@k 100 (1 - recall) over the same, prbep 100 (1 - precision) with as many predicted +1 as
 * there are positives, rocarea 100 (swapped pairs) / (P N), ap 100 (1 - average precision). */
typedef struct measure_info measure_info;

typedef struct measure {
    const measure_info *info;
    tm_metric_argument k; /* for prec@k, rec@k and fbeta@b */
} measure;

/* The id of the i-th measure, for example "prec@k"; NULL past the end. */
const char *measure_id(size_t i);

/* Parses "hamming", "f1", "fbeta@0.5", "prec@10", "prec@2p", "rec@10", "rec@2p", "prbep", "rocarea"
 * or "ap". TM_EUSAGE lists what is allowed. */
tm_status measure_find(measure *out, const char *text, tm_error *err);
/* A labeling, given by the rows that it labels differently from y. */
typedef struct labeling {
    double loss; /* Delta */
    size_t count;
    const uint32_t *rows; /* ascending */
    const double *u;      /* for those rows; 0 elsewhere */
} labeling;

/* Rows by class, and the buffers of the search. */
typedef struct labeler labeler;

/* y: n values +-1 of both classes, which must outlive the labeler. TM_EDATA if there is only one
 * class. `name` is the name of the data in messages. */
tm_status labeler_new(labeler **out, const measure *m, const double *y, size_t n, const char *name,
                      tm_error *err);
void labeler_free(labeler *l);

/* The most violated labeling at scores v (n values), which must not be NaN; its arrays belong to
 * the labeler and are valid until the next call. O(n log n). The labeling y itself (no rows, no
 * loss) is among the candidates. */
labeling labeler_worst(labeler *l, const double *v);

/* n R at w = 0: the greatest loss of any labeling. */
double labeler_greatest_loss(labeler *l);

/* Delta - sum_i u_i v_i. */
double labeling_value(const labeling *yhat, const double *v);

/* Whether this is a labeling of the measure with its true loss: checked before a certificate uses
 * it. Uses nothing that the search computes. */
bool labeler_accepts(labeler *l, const labeling *yhat);

#endif
