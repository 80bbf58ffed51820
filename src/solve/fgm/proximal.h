/* What the accelerated proximal gradient masters share. */
#ifndef SOLVE_FGM_PROXIMAL_H
#define SOLVE_FGM_PROXIMAL_H

#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdbool.h>

/* Whether the quadratic model at a step's end bounds the value of the loss there, but for rounding.
 * A model that is not finite bounds nothing, and no other step would. */
static inline bool fgm_bounded(double value, double bound)
{
    return value <= bound + ROUNDING * fabs(bound) || !isfinite(bound);
}

/* The momentum after this one. */
static inline double fgm_momentum(double momentum)
{
    return (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
}

/* Steps in a row that change the objective by no more than rounding, and the least gap at the last
 * other one. The gap is more sensitive: where it still falls a step is none of them. */
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

/* For qsort of numbers, the greatest first. */
static inline int fgm_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

#endif
