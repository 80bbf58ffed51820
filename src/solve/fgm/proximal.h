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

/* For qsort of numbers, the greatest first. */
static inline int fgm_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

#endif
