/* Average precision: a labeling is an order of the rows, given by the number of negatives before
 * each positive (Yue, Finley, Radlinski and Joachims, SIGIR 2007). */
#include "model/metric/labeler.h"
#include "model/metric/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The contribution of each pair in wrong order to u of its rows: Psi has 1 / (P N) for both
 * orders. */
static double pair_weight(const labeler *l)
{
    return 200 / ((double)l->positives * (double)l->negatives);
}

/* ---- the worst order ----------------------------------------------------------------------- */

/* In the worst labeling both classes are sorted by descending score, so that some number of the
 * first negatives is before the i-th positive. Placing the j-th negative before it changes the
 * value by
 *
 *     100/P (i/(i + j - 1) - i/(i + j)) - weight (v_i - v_j).
 *
 * This decreases in j for every i. Therefore the number of positives before a negative, chosen
 * independently for each negative, does not decrease in j, and these choices are consistent with an
 * order. */
static double gain_of_pair(const labeler *l, const double *v, size_t i, size_t j)
{
    double place = (double)(i + j + 1), hits = (double)(i + 1);
    return 100 / (double)l->positives * hits / (place * (place + 1)) -
           pair_weight(l) * (v[labeler_positive(l, i)] - v[labeler_negative(l, j)]);
}

/* The best number of positives before negative j, within least .. most, the greatest if several are
 * equally good; the other negatives have no influence on it. */
static size_t best_place(const labeler *l, const double *v, size_t j, size_t least, size_t most)
{
    size_t best = most;
    double sum = 0, greatest = 0;
    for (size_t i = most; i > least; i--) {
        sum += gain_of_pair(l, v, i - 1, j);
        if (sum > greatest) {
            greatest = sum;
            best = i - 1;
        }
    }
    return best;
}

/* Computes places[j] for the negatives from .. to - 1, all within least .. most: the middle one
 * first, which bounds the others. Each level of the recursion reads all positives at most twice. */
static void place_negatives(const labeler *l, const double *v, size_t from, size_t to, size_t least,
                            size_t most)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2, place = best_place(l, v, middle, least, most);
        l->room[middle].row = (uint32_t)place;
        place_negatives(l, v, from, middle, least, place);
        from = middle + 1;
        least = place;
    }
}

/* 100 (1 - average precision), where before[i] negatives are before positive i. */
static double loss_of(const double *before, size_t positives)
{
    double sum = 0;
    for (size_t i = 0; i < positives; i++)
        sum += (double)(i + 1) / ((double)(i + 1) + before[i]);
    return 100 * (1 - sum / (double)positives);
}

labeling measure_ap_worst(labeler *l, const double *v)
{
    double weight = pair_weight(l), sum = 0;
    size_t P = l->positives, before = 0;
    labeler_sort(l, v);
    place_negatives(l, v, 0, l->negatives, 0, P);
    for (size_t j = 0; j < l->negatives; j++)
        l->values[labeler_negative(l, j)] = -weight * (double)(P - l->room[j].row);
    for (size_t i = 0; i < P; i++) {
        while (before < l->negatives && l->room[before].row <= i)
            before++;
        l->values[labeler_positive(l, i)] = weight * (double)before;
        sum += (double)(i + 1) / (double)(i + 1 + before);
    }
    labeling found = labeler_collect(l, 100 * (1 - sum / (double)P));
    return labeler_or_truth(&found, v);
}

/* ---- checking a labeling ------------------------------------------------------------------- */

/* The numbers of pairs must be whole, and those of both classes must belong to one order: the
 * number of negatives in wrong order with at least k positives is the k-th greatest number of the
 * positives. */
bool measure_ap_accepts(const labeler *l, const labeling *yhat, double *degrees)
{
    double *positives = degrees, *negatives = degrees + l->positives;
    if (!labeler_pairs(l, yhat, pair_weight(l), positives, negatives))
        return false;
    size_t P = l->positives, N = l->negatives, before = P;
    for (size_t j = 0; j < N; j++) { /* greatest number of positives first */
        while (before > 0 && positives[P - before] < (double)(j + 1))
            before--;
        if (negatives[N - 1 - j] != (double)before)
            return false;
    }
    return positives[P - 1] <= (double)N &&
           fabs(yhat->loss - loss_of(positives, P)) <= LOSS_LOST * (1 + yhat->loss);
}
