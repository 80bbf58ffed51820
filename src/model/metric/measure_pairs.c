/* The area under the ROC curve: a labeling is a set of (positive, negative) pairs that are swapped.
 */
#include "base/numeric/order.h"
#include "model/metric/labeler.h"
#include "model/metric/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double pair_weight(const labeler *l)
{
    return 100 / ((double)l->positives * (double)l->negatives);
}

/* A pair is swapped when v_i - v_j < 1: for each positive these are the first negatives, and their
 * number grows as v_i decreases. A negative whose first positive is at place i is therefore swapped
 * with all positives from there on. */
labeling measure_rocarea_worst(labeler *l, const double *v)
{
    double weight = pair_weight(l), swapped = 0;
    size_t above = 0;
    labeler_sort(l, v);
    for (size_t i = 0; i < l->positives; i++) {
        uint32_t row = labeler_positive(l, i);
        for (; above < l->negatives && v[row] - v[labeler_negative(l, above)] < 1; above++)
            l->values[labeler_negative(l, above)] = -weight * (double)(l->positives - i);
        l->values[row] = weight * (double)above;
        swapped += (double)above;
    }
    return labeler_collect(l, weight * swapped);
}

/* Whether some bipartite graph has these degrees (both ascending): the Gale-Ryser theorem. For
 * every k the k greatest degrees of one side need at most sum_j min(t_j, k) of the other. */
static bool degrees_fit(const double *s, size_t ns, const double *t, size_t nt)
{
    double need = 0, small = 0; /* sum of the t_j below k */
    size_t below = 0;
    for (size_t k = 1; k <= ns; k++) {
        need += s[ns - k];
        for (; below < nt && t[below] < (double)k; below++)
            small += t[below];
        if (need > small + (double)k * (double)(nt - below))
            return false;
    }
    return true;
}

bool labeler_pairs(const labeler *l, const labeling *yhat, double weight, double *positives,
                   double *negatives)
{
    size_t used[2] = {0, 0};
    double *of_class[2] = {negatives, positives};
    memset(positives, 0, l->positives * sizeof *positives);
    memset(negatives, 0, l->negatives * sizeof *negatives);
    for (size_t k = 0; k < yhat->count; k++) {
        double y = l->y[yhat->rows[k]], pairs = y * yhat->u[k] / weight, whole = round(pairs);
        if (!(fabs(pairs - whole) <= PAIRS_LOST * (1 + whole)) || whole < 0)
            return false;
        of_class[y > 0][used[y > 0]++] = whole;
    }
    qsort(positives, l->positives, sizeof *positives, order_reals);
    qsort(negatives, l->negatives, sizeof *negatives, order_reals);
    return true;
}

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k];
    return sum;
}

/* Accepts numbers of pairs that some set of pairs has. */
bool measure_rocarea_accepts(const labeler *l, const labeling *yhat, double *degrees)
{
    double weight = pair_weight(l), *positives = degrees, *negatives = degrees + l->positives;
    if (!labeler_pairs(l, yhat, weight, positives, negatives))
        return false;
    double pairs = sum_of(positives, l->positives);
    return pairs == sum_of(negatives, l->negatives) &&
           fabs(yhat->loss - weight * pairs) <= LOSS_LOST * yhat->loss &&
           degrees_fit(positives, l->positives, negatives, l->negatives);
}
