#include "model/penalty/penalty.h"

#include "base/numeric/lanes.h"

/* Features with a threshold of 0 are rare: many features are tested for one at once. */
PER_MACHINE size_t penalty_count_free(const feature_penalty *q, size_t p)
{
    lane_bits none = {0}; /* negative where a threshold is 0 */
    size_t count = 0, j = 0;
    if (!q->factors && q->lambda != 0)
        return 0;
    for (; q->factors && j + LANES <= p; j += LANES)
        none |= ((lane_bits)(q->lambda * *(const lanes *)(q->factors + j)) & MAGNITUDE) - 1;
    size_t from = lanes_any(&none) < 0 ? 0 : j;
    for (j = from; j < p; j++)
        count += penalty_is_free(q, j);
    return count;
}

double penalty_most_scale(const feature_penalty *q, const double *c, const size_t *from,
                          size_t count)
{
    double most = INFINITY;
    for (size_t k = 0; k < count; k++) {
        size_t j = from ? from[k] : k;
        double limit = c[j] > 0 ? penalty_upper(q, j) : penalty_lower(q, j);
        if (c[j] == 0 || !isinf(limit) || penalty_is_free(q, j))
            continue;
        most = fmin(most, penalty_threshold(q, j) / fabs(c[j]));
    }
    return most;
}

penalty_cost penalty_conjugate(const feature_penalty *q, const double *c, const size_t *from,
                               size_t count, double t)
{
    penalty_cost cost = {0, 0};
    for (size_t k = 0; k < count; k++) {
        size_t j = from ? from[k] : k;
        double limit = c[j] > 0 ? penalty_upper(q, j) : -penalty_lower(q, j);
        double excess = t * fabs(c[j]) - penalty_threshold(q, j);
        if (excess <= 0 || !isfinite(limit))
            continue;
        cost.value += limit * excess;
        cost.slope += limit * fabs(c[j]);
    }
    return cost;
}
