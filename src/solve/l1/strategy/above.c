#include "solve/l1/strategy/above.h"

#include "base/numeric/lanes.h"
#include "base/numeric/top_k.h"
#include "solve/l1/core/tuning.h"

/* Lists, in order, those of LISTED_TOGETHER features from `from` on whose relative product reaches
 * the threshold, and returns how many. Most do not: the bit patterns, without signs, of many
 * features are tested together. */
PER_MACHINE static size_t list_above(const l1_state *s, size_t from, double threshold,
                                     size_t list[LISTED_TOGETHER])
{
    const double *factors = s->penalty.factors;
    size_t count = 0,
           to = s->problem.p - from < LISTED_TOGETHER ? s->problem.p : from + LISTED_TOGETHER;
    for (; from + MANY <= to; from += MANY) {
        if (!factors && !lanes_reach(s->it.xr + from, threshold))
            continue;
        lane_bits slack[MANY / LANES];
        for (size_t k = 0; k < MANY / LANES; k++) {
            lanes limit = (lanes){0} + threshold;
            if (factors)
                limit *= *(const lanes *)(factors + from + k * LANES);
            lanes_room(&slack[k], (const lanes *)(s->it.xr + from + k * LANES), &limit);
        }
        for (uint32_t left = lanes_negative(slack); left; left &= left - 1) {
            size_t j = list[count] = from + (size_t)__builtin_ctz(left);
            count += l1_correlation(s, j) >= threshold * l1_factor(s, j);
        }
    }
    for (; from < to; from++)
        if (l1_correlation(s, from) >= threshold * l1_factor(s, from))
            list[count++] = from;
    return count;
}

size_t l1_count_above(const l1_state *s, double threshold)
{
    size_t list[LISTED_TOGETHER], count = 0;
    for (size_t from = 0; from < s->problem.p; from += LISTED_TOGETHER) {
        size_t above = list_above(s, from, threshold, list);
        for (size_t k = 0; k < above; k++)
            count += !s->active.has[list[k]];
    }
    return count;
}

bool l1_best_above(const l1_state *s, size_t most, double threshold, size_t *chosen, size_t *count)
{
    size_t list[LISTED_TOGETHER];
    best found;
    if (!best_init(&found, most))
        return false;
    for (size_t from = 0; from < s->problem.p; from += LISTED_TOGETHER) {
        size_t above = list_above(s, from, threshold, list);
        for (size_t k = 0; k < above; k++)
            if (!s->active.has[list[k]] && l1_norm(s, list[k]) > 0)
                best_put(&found, list[k], l1_correlation(s, list[k]) / l1_factor(s, list[k]));
    }
    best_sort(&found);
    *count = found.count;
    for (size_t k = 0; k < found.count; k++)
        chosen[k] = (size_t)found.picks[k].unit;
    best_clear(&found);
    return true;
}

bool l1_activate_above(l1_state *s, double threshold, size_t most)
{
    size_t list[LISTED_TOGETHER], before = s->active.count;
    for (size_t from = 0; from < s->problem.p; from += LISTED_TOGETHER) {
        size_t above = list_above(s, from, threshold, list);
        for (size_t k = 0; k < above; k++)
            l1_activate(s, list[k]);
        if (s->active.count - before > most) {
            while (s->active.count > before)
                s->active.has[s->active.features[--s->active.count]] = false;
            return false;
        }
    }
    return true;
}
