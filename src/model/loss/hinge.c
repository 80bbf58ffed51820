#include "model/loss/hinge.h"

#include "base/numeric/kept_sum.h"
#include "base/numeric/order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double hinge_loss(const hinge_rows *of, const double *z)
{
    kept_sum sum = {0};
    for (size_t i = 0; i < of->n; i++)
        kept_add(&sum, of->u[i] * fmax(0, of->c[i] - of->y[i] * z[i]));
    return kept_total(&sum);
}

/* The derivative in b increases by u_i at b = y_i c_i - z_i, for both classes, starting at minus
 * the weight of class +1. Writes these breakpoints and increments to `room`, sorted; returns their
 * number. */
static size_t sort_places(const hinge_rows *of, const size_t *which, size_t rows, const double *z,
                          double *room, double *slope, double *total)
{
    size_t count = 0;
    for (size_t k = 0; k < rows; k++) {
        size_t i = which ? which[k] : k;
        if (of->u[i] == 0)
            continue;
        room[2 * count] = of->y[i] * of->c[i] - z[i];
        room[2 * count++ + 1] = of->u[i];
        *slope -= of->y[i] > 0 ? of->u[i] : 0;
        *total += of->u[i];
    }
    qsort(room, count, 2 * sizeof *room, order_reals);
    return count;
}

hinge_interval hinge_intercepts(const hinge_rows *of, const size_t *which, size_t count,
                                double others, const double *z, double *room)
{
    double slope = others, total = fabs(others);
    size_t places = sort_places(of, which, which ? count : of->n, z, room, &slope, &total);
    double rounding = DBL_EPSILON * (double)(of->n + 1) * total;
    hinge_interval at = {-INFINITY, INFINITY, 0};
    size_t k = 0;
    while (k < places && slope < -rounding) {
        at.low = room[2 * k];
        slope += room[2 * k++ + 1];
    }
    while (k < places && slope <= rounding) {
        at.high = room[2 * k];
        slope += room[2 * k++ + 1];
    }
    if (slope <= rounding)
        at.high = INFINITY;
    else if (isinf(at.high))
        at.high = at.low; /* the derivative changes sign at a single breakpoint */
    at.best = isfinite(at.low) && isfinite(at.high) ? at.low + (at.high - at.low) / 2
              : isfinite(at.low)                    ? at.low
              : isfinite(at.high)                   ? at.high
                                                    : 0;
    return at;
}
