/* Measures of a contingency table: a labeling is u_i = 0 or 2 y_i. */
#include "model/metric/labeler.h"
#include "model/metric/tuning.h"

#include <math.h>

typedef double table_loss(const labeler *l, size_t tp, size_t fp);

/* ---- losses -------------------------------------------------------------------------------- */

double measure_hamming_loss(const labeler *l, size_t tp, size_t fp)
{
    return 2 * ((double)l->positives - (double)tp + (double)fp);
}

double measure_fbeta_loss(const labeler *l, size_t tp, size_t fp)
{
    double hits = (double)tp, p = l->beta2 * (double)l->positives;
    return 100 * (1 - (1 + l->beta2) * hits / (p + hits + (double)fp));
}

double measure_precision_loss(const labeler *l, size_t tp, size_t fp)
{
    (void)fp;
    return 100 * (1 - (double)tp / l->k);
}

double measure_recall_loss(const labeler *l, size_t tp, size_t fp)
{
    (void)fp;
    return 100 * (1 - (double)tp / (double)l->positives);
}

/* ---- worst labelings ----------------------------------------------------------------------- */

labeling measure_hamming_worst(labeler *l, const double *v)
{
    size_t flips = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->y[i] * v[i] < 1) {
            l->values[i] = 2 * l->y[i];
            flips++;
        }
    return labeler_collect(l, 2 * (double)flips);
}

typedef struct table_choice {
    size_t tp, fp;
    double value;
} table_choice;

/* The scores of the positives that a labeling with tp = 0 drops, each counted twice. */
static double all_positives(const labeler *l, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < l->positives; i++)
        sum += 2 * v[labeler_positive(l, i)];
    return sum;
}

/* The change due to one more false positive: 2 v of the next negative, minus the decrease of the
 * loss. It decreases in fp. In tp it increases, and with beta below 1 may decrease from some point
 * on: the best fp therefore increases with tp up to there and then decreases, so that a single walk
 * passes each negative at most twice. */
static double gain_of_false_positive(const labeler *l, const double *v, size_t tp, size_t fp)
{
    double whole = l->beta2 * (double)l->positives + (double)(tp + fp);
    return 2 * v[labeler_negative(l, fp)] +
           100 * (1 + l->beta2) * (double)tp / (whole * (whole + 1));
}

static table_choice choose_fbeta(const labeler *l, const double *v)
{
    table_choice best = {.value = -INFINITY};
    double dropped = all_positives(l, v), taken = 0;
    size_t fp = 0;
    for (size_t tp = 0; tp <= l->positives; tp++) {
        if (tp > 0)
            dropped -= 2 * v[labeler_positive(l, tp - 1)];
        for (; fp < l->negatives && gain_of_false_positive(l, v, tp, fp) > 0; fp++)
            taken += 2 * v[labeler_negative(l, fp)];
        for (; fp > 0 && gain_of_false_positive(l, v, tp, fp - 1) <= 0; fp--)
            taken -= 2 * v[labeler_negative(l, fp - 1)];
        double value = measure_fbeta_loss(l, tp, fp) - dropped + taken;
        if (value > best.value)
            best = (table_choice){tp, fp, value};
    }
    return best;
}

/* Predicts exactly k rows to be +1. */
static inline table_choice choose_head(const labeler *l, const double *v, table_loss *loss)
{
    size_t k = (size_t)l->k, from = k > l->negatives ? k - l->negatives : 0;
    size_t to = k < l->positives ? k : l->positives;
    table_choice best = {.value = -INFINITY};
    double dropped = all_positives(l, v), taken = 0;
    for (size_t i = 0; i < from; i++)
        dropped -= 2 * v[labeler_positive(l, i)];
    for (size_t j = 0; j < k - from; j++)
        taken += 2 * v[labeler_negative(l, j)];
    for (size_t tp = from; tp <= to; tp++) {
        if (tp > from) {
            dropped -= 2 * v[labeler_positive(l, tp - 1)];
            taken -= 2 * v[labeler_negative(l, k - tp)];
        }
        double value = loss(l, tp, k - tp) - dropped + taken;
        if (value > best.value)
            best = (table_choice){tp, k - tp, value};
    }
    return best;
}

/* Drops the positives of least score and takes the negatives of greatest score. */
static labeling label(labeler *l, const double *v, const table_choice *best, table_loss *loss)
{
    for (size_t i = best->tp; i < l->positives; i++)
        l->values[labeler_positive(l, i)] = 2;
    for (size_t j = 0; j < best->fp; j++)
        l->values[labeler_negative(l, j)] = -2;
    labeling found = labeler_collect(l, loss(l, best->tp, best->fp));
    return labeler_or_truth(&found, v);
}

labeling measure_fbeta_worst(labeler *l, const double *v)
{
    labeler_sort(l, v);
    table_choice best = choose_fbeta(l, v);
    return label(l, v, &best, measure_fbeta_loss);
}

labeling measure_precision_worst(labeler *l, const double *v)
{
    labeler_sort(l, v);
    table_choice best = choose_head(l, v, measure_precision_loss);
    return label(l, v, &best, measure_precision_loss);
}

labeling measure_recall_worst(labeler *l, const double *v)
{
    labeler_sort(l, v);
    table_choice best = choose_head(l, v, measure_recall_loss);
    return label(l, v, &best, measure_recall_loss);
}

/* ---- checking a labeling ------------------------------------------------------------------- */

bool measure_table_accepts(const labeler *l, const labeling *yhat, double *room)
{
    (void)room;
    const measure_info *info = l->measure.info;
    size_t fn = 0, fp = 0;
    for (size_t k = 0; k < yhat->count; k++) {
        double y = l->y[yhat->rows[k]];
        if (yhat->u[k] != 2 * y)
            return false;
        *(y > 0 ? &fn : &fp) += 1;
    }
    size_t tp = l->positives - fn;
    bool counts = info->head == HEAD_ANY || (double)(tp + fp) == l->k;
    return counts && fabs(info->loss(l, tp, fp) - yhat->loss) <= LOSS_LOST * yhat->loss;
}
