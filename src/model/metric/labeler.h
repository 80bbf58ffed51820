/* The data structure for a measure's search for the worst labeling. */
#ifndef MODEL_METRIC_LABELER_H
#define MODEL_METRIC_LABELER_H

#include "model/metric/labeling_sort.h"
#include "model/metric/multivariate_loss.h"

/* The number of rows that a labeling predicts to be +1. */
typedef enum measure_head {
    HEAD_ANY,
    HEAD_ASKED,     /* the argument k */
    HEAD_POSITIVES, /* the number of positives */
} measure_head;

struct measure_info {
    const char *id;     /* "prec@k" */
    const char *metric; /* the metric it corresponds to, without its argument */
    measure_head head;
    /* Delta of a labeling with `tp` true and `fp` false positives; NULL if it is not a function of
     * these. */
    double (*loss)(const labeler *l, size_t tp, size_t fp);
    labeling (*worst)(labeler *l, const double *v);
    /* Whether yhat, whose rows ascend, is a labeling with its true loss. `room`: scratch for n. */
    bool (*accepts)(const labeler *l, const labeling *yhat, double *room);
};

struct labeler {
    measure measure;
    const double *y;
    size_t n, positives, negatives;
    double k;                   /* number of rows predicted +1, if the measure fixes it */
    double beta2;               /* for fbeta the square of beta, otherwise 1 */
    sort_entry *entries, *room; /* n: positives, then negatives, each by descending score */
    uint32_t *rows;             /* n: the labeling found */
    double *u;                  /* n */
    double *values;             /* n: u of every row during construction */
    double *check;              /* n: for labeler_accepts, which must not refuse for want of it */
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

/* Computes the number of pairs that each row of both classes is in, ascending; each pair adds
 * `weight` to u. False when these are not whole numbers. */
bool labeler_pairs(const labeler *l, const labeling *yhat, double weight, double *positives,
                   double *negatives);

/* Writes the positives to the first places of l->entries and the negatives after them, each by
 * descending score. */
void labeler_sort(labeler *l, const double *v);

static inline uint32_t labeler_positive(const labeler *l, size_t place)
{
    return l->entries[place].row;
}

static inline uint32_t labeler_negative(const labeler *l, size_t place)
{
    return l->entries[l->positives + place].row;
}

/* The labeling found, or y itself, whose value is 0, if that is greater. */
labeling labeler_or_truth(const labeling *found, const double *v);

/* The labeling of the nonzero rows of l->values, which are cleared. */
labeling labeler_collect(labeler *l, double loss);

#endif
