#include "solve/common/line_search.h"
#include "solve/common/tuning.h"

#include <math.h>

/* Whether there have been too many steps without progress. */
static bool is_exhausted(unproven_steps *steps, double predicted)
{
    if (steps->count == 0 || fabs(predicted) < FLAT_PROGRESS * steps->least)
        *steps = (unproven_steps){.least = fabs(predicted)};
    return steps->count++ >= MAX_UNPROVEN;
}

/* Where rounding hides the decrease, accepts a step that does not raise the objective. */
static double search_flat(const line_search *q, double *reached)
{
    double t = 1;
    if (is_exhausted(q->unproven, q->predicted))
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
        q->unproven->count = 0;
    if (q->predicted > 0) /* the direction was truncated at zero */
        return 0;
    for (int k = 0; k < HALVINGS; k++, t /= 2) {
        *reached = q->objective(t, q->payload);
        bool lower = q->unproven || *reached < q->here;
        if (lower && *reached <= q->here + SUFFICIENT * t * q->predicted)
            return t;
    }
    return 0;
}
