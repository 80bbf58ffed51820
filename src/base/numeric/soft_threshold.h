/* The minimiser of 1/2 (u - value)^2 + threshold |u|, the basic step of coordinate methods. */
#ifndef BASE_NUMERIC_SOFT_THRESHOLD_H
#define BASE_NUMERIC_SOFT_THRESHOLD_H

#include <math.h>

/* threshold >= 0. Exactly 0 if |value| is at most the threshold; NaN stays NaN. */
static inline double soft_threshold(double value, double threshold)
{
    return fabs(value) <= threshold ? 0 : value - copysign(threshold, value);
}

#endif
