#include "solve/common/line_search.h"

#include <math.h>

/* Steps are halved this many times at most: 1e-12 of a step is no step. */
enum { HALVINGS = 40 };
/* Steps in a row that rounding may hide: far more than the dual variables have digits to gain. */
enum { MAX_UNPROVEN = 1000 };
/* Share of the predicted decrease that a step has to bring: Armijo's condition. */
static const double SUFFICIENT = 0.01;
/* What the objective rounds to, as a share of it. */
static const double ROUNDING = 1e-14;

/* Where rounding hides the decrease a step is accepted that does not raise the objective. */
static double search_flat(const line_search *q, double *reached)
{
    double t = 1;
    if ((*q->unproven)++ >= MAX_UNPROVEN)
        return 0;
    for (int k = 0; k < HALVINGS; k++, t /= 2)
        if ((*reached = q->objective(t, q->payload)) <= q->here + ROUNDING * q->here)
            return t;
    return 0;
}

double line_search_halve(const line_search *q, double *reached)
{
    double t = 1;
    *reached = q->here;
    if (q->unproven && fabs(q->predicted) <= ROUNDING * q->here)
        return search_flat(q, reached);
    if (q->unproven)
        *q->unproven = 0;
    if (q->predicted > 0) /* a direction that was cut off at zero */
        return 0;
    for (int k = 0; k < HALVINGS; k++, t /= 2) {
        *reached = q->objective(t, q->payload);
        bool lower = q->unproven || *reached < q->here;
        if (lower && *reached <= q->here + SUFFICIENT * t * q->predicted)
            return t;
    }
    return 0;
}
