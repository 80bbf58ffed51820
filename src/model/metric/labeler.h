/* What a measure's search for the worst labeling works on. */
#ifndef MODEL_METRIC_LABELER_H
#define MODEL_METRIC_LABELER_H

#include "model/metric/labeling_sort.h"
#include "model/metric/multivariate_loss.h"

/* How many rows a labeling predicts to be +1. */
typedef enum measure_head {
    HEAD_ANY,
    HEAD_ASKED,     /* the argument k */
    HEAD_POSITIVES, /* as many as there are */
} measure_head;

struct measure_info {
    const char *id;     /* "prec@k" */
    const char *metric; /* the metric it is about, without its argument */
    measure_head head;
    /* Delta of a labeling with `tp` true and `fp` false positives; NULL where it is not a function
     * of these. */
    double (*loss)(const labeler *l, size_t tp, size_t fp);
    labeling (*worst)(labeler *l, const double *v);
    /* Whether yhat, whose rows ascend, is a labeling with its true loss. `room`: n. */
    bool (*accepts)(const labeler *l, const labeling *yhat, double *room);
};

struct labeler {
    measure measure;
    const double *y;
    size_t n, positives, negatives;
    double k;                   /* rows predicted +1, where the measure fixes them */
    double beta2;               /* of fbeta beta squared, otherwise 1 */
    sort_entry *entries, *room; /* n: positives, then negatives, each by descending score */
    uint32_t *rows;             /* n: the labeling found */
    double *u;                  /* n */
    double *values;             /* n: u of every row while it is put together */
};

/* The measures of a contingency table: loss, worst labeling, check. */
double measure_hamming_loss(const labeler *l, size_t tp, size_t fp);
double measure_fbeta_loss(const labeler *l, size_t tp, size_t fp);
double measure_precision_loss(const labeler *l, size_t tp, size_t fp);
double measure_recall_loss(const labeler *l, size_t tp, size_t fp);
labeling measure_hamming_worst(labeler *l, const double *v);
labeling measure_fbeta_worst(labeler *l, const double *v);
labeling measure_precision_worst(labeler *l, const double *v);
labeling measure_recall_worst(labeler *l, const double *v);
bool measure_table_accepts(const labeler *l, const labeling *yhat, double *room);

/* The measures of pairs: the area under the ROC curve and average precision. */
labeling measure_rocarea_worst(labeler *l, const double *v);
bool measure_rocarea_accepts(const labeler *l, const labeling *yhat, double *room);
labeling measure_ap_worst(labeler *l, const double *v);
bool measure_ap_accepts(const labeler *l, const labeling *yhat, double *room);

/* How many pairs each row of both classes is in, each of which adds `weight` to u, ascending; false
 * where these are not whole numbers. */
bool labeler_pairs(const labeler *l, const labeling *yhat, double weight, double *positives,
                   double *negatives);

/* Positives into the first places of l->entries, negatives behind them, each by descending score.
 */
void labeler_sort(labeler *l, const double *v);

static inline uint32_t labeler_positive(const labeler *l, size_t place)
{
    return l->entries[place].row;
}

static inline uint32_t labeler_negative(const labeler *l, size_t place)
{
    return l->entries[l->positives + place].row;
}

/* The labeling found, or y itself, whose value is 0, where that is more. */
labeling labeler_or_truth(const labeling *found, const double *v);

/* The labeling of the rows of l->values that are not zero, which are cleared. */
labeling labeler_collect(labeler *l, double loss);

#endif
