/* Shared by the accelerated proximal gradient solvers of the master problem. */
#ifndef SOLVE_FGM_PROXIMAL_H
#define SOLVE_FGM_PROXIMAL_H

#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdbool.h>

/* Whether the quadratic model bounds the loss after the step, up to rounding. True for a model that
 * is not finite, since no other step would help. */
static inline bool fgm_bounded(double value, double bound)
{
    return value <= bound + ROUNDING * fabs(bound) || !isfinite(bound);
}

/* Whether a step of this squared length, to a point of that one, is more than rounding. */
static inline bool fgm_moved(double moved, double square)
{
    return moved > ROUNDING * ROUNDING * square;
}

/* The next value of the momentum sequence. */
static inline double fgm_momentum(double momentum)
{
    return (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
}

/* Consecutive steps that change the objective by no more than rounding, and the least gap at the
 * last step that did more. The gap is more sensitive: a step that still lowers it is not
 * counted. */
typedef struct flat_steps {
    int count;
    double least;
} flat_steps;

#define FLAT_STEPS_INIT                                                                            \
    {                                                                                              \
        0, INFINITY                                                                                \
    }

static inline void flat_steps_count(flat_steps *f, bool fell, double gap)
{
    f->count = fell || gap < WORTHWHILE * f->least ? 0 : f->count + 1;
    f->least = f->count == 0 ? fmin(f->least, gap) : f->least;
}

/* Compares numbers for qsort, in descending order. */
static inline int fgm_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

#endif
