/* The penalty of the l1 methods at one lambda, feature by feature:
 *
 *     h_j(w) = lambda (f_j |w| + g_j w^2 / 2),   lower_j <= w <= upper_j,
 *
 * and its constraints on dual points. The squared part is treated as rows sqrt(lambda g_j) e_j
 * added to X with response 0 (docs/screening.md), so that products are always c_j = x_j'a - lambda
 * g_j w_j and the remaining conjugate is that of lambda f_j |w| within the limits: 0 while -lambda
 * f_j <= c <= lambda f_j; outside, the excess times the limit on that side, which is a constraint
 * if there is no limit. */
#ifndef MODEL_PENALTY_PENALTY_H
#define MODEL_PENALTY_PENALTY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct feature_penalty {
    double lambda;
    const double *factors;       /* p: f_j in 0 .. INFINITY; NULL: all 1 */
    const double *ridge;         /* p: g_j >= 0; NULL: all 0 */
    const double *lower, *upper; /* p: lower_j <= 0 <= upper_j, may be infinite; NULL: no limits */
} feature_penalty;

static inline double penalty_factor(const feature_penalty *q, size_t j)
{
    return q->factors ? q->factors[j] : 1;
}

static inline double penalty_threshold(const feature_penalty *q, size_t j)
{
    double factor = penalty_factor(q, j);
    return isinf(factor) ? INFINITY : q->lambda * factor;
}

/* lambda g_j */
static inline double penalty_square(const feature_penalty *q, size_t j)
{
    return q->ridge ? q->lambda * q->ridge[j] : 0;
}

static inline double penalty_lower(const feature_penalty *q, size_t j)
{
    return q->lower ? q->lower[j] : -INFINITY;
}

static inline double penalty_upper(const feature_penalty *q, size_t j)
{
    return q->upper ? q->upper[j] : INFINITY;
}

/* Whether w_j is 0 for any data: an infinite factor, or limits that allow only 0. */
static inline bool penalty_excludes(const feature_penalty *q, size_t j)
{
    return isinf(penalty_factor(q, j)) || (penalty_lower(q, j) == 0 && penalty_upper(q, j) == 0);
}

/* Whether w_j is subject only to limits: it is fitted like an intercept. */
static inline bool penalty_is_free(const feature_penalty *q, size_t j)
{
    return penalty_threshold(q, j) == 0 && penalty_square(q, j) == 0 && !penalty_excludes(q, j);
}

/* The number of these among the p features. */
size_t penalty_count_free(const feature_penalty *q, size_t p);

/* h_j(w) for a w within the limits. */
static inline double penalty_value(const feature_penalty *q, size_t j, double w)
{
    return w == 0 ? 0 : penalty_threshold(q, j) * fabs(w) + penalty_square(q, j) * w * w / 2;
}

/* The greatest |c| over the signs that w_j may have. */
static inline double penalty_reach(const feature_penalty *q, size_t j, double c)
{
    return fmax(penalty_upper(q, j) > 0 ? c : 0, penalty_lower(q, j) < 0 ? -c : 0);
}

/* The greatest scale t for which t c_j violates no constraint of the features from[0 .. count-1]
 * (NULL: of all); INFINITY when there is no bound. Unpenalised features count as satisfied: the
 * dual point is made orthogonal to them. */
double penalty_most_scale(const feature_penalty *q, const double *c, const size_t *from,
                          size_t count);

/* The sum of the conjugate at t c, and its derivative in t. */
typedef struct penalty_cost {
    double value, slope;
} penalty_cost;
penalty_cost penalty_conjugate(const feature_penalty *q, const double *c, const size_t *from,
                               size_t count, double t);

#endif
