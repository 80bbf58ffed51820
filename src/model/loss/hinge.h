/* The hinge loss summed over rows: sum_i u_i max(0, c_i - y_i z_i), where c_i is 1 minus the
 * contribution of an offset. It is not differentiable, so that it has no row in the table of smooth
 * losses. */
#ifndef MODEL_LOSS_HINGE_H
#define MODEL_LOSS_HINGE_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hinge_rows {
    size_t n;
    const double *y, *u, *c; /* n: classes -1 and +1, weights, required margins */
} hinge_rows;

double hinge_loss(const hinge_rows *of, const double *z);

/* All b that minimise the loss of z + b lie in low .. high; rounding of the sums of weights only
 * widens the interval. Ends are infinite when one class has no weight. */
typedef struct hinge_interval {
    double low, high;
    double best; /* a minimiser */
} hinge_interval;

/* Over the `count` rows of `which` (NULL: all n) and others whose losses are linear in b, with the
 * total derivative `others`. `room` is scratch for 2 `count` values. */
hinge_interval hinge_intercepts(const hinge_rows *of, const size_t *which, size_t count,
                                double others, const double *z, double *room);

#endif
