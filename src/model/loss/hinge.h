/* The hinge loss summed over rows: sum_i u_i max(0, c_i - y_i z_i), c_i being 1 less what an offset
 * gives. It has a kink, so it is no row of the table of smooth losses. */
#ifndef MODEL_LOSS_HINGE_H
#define MODEL_LOSS_HINGE_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hinge_rows {
    size_t n;
    const double *y, *u, *c; /* n: classes -1 and +1, weights, margins wanted */
} hinge_rows;

double hinge_loss(const hinge_rows *of, const double *z);

/* All b at which the loss of z + b is least are in low .. high; rounding of the sums of weights
 * only widens it. Ends are infinite where one class has no weight. */
typedef struct hinge_interval {
    double low, high;
    double best; /* one of them */
} hinge_interval;

/* Of the `count` rows of `which` (NULL: all n) and of others whose losses are linear in b, with the
 * slope `others` together. `room` has 2 `count` values. */
hinge_interval hinge_intercepts(const hinge_rows *of, const size_t *which, size_t count,
                                double others, const double *z, double *room);

#endif
