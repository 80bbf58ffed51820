#include "model/penalty/ksupport.h"

#include "base/numeric/order.h"

#include <math.h>
#include <stdlib.h>

/* The optimal d is min(1, kappa |w_j|): the r greatest are capped, the others share B - r
 * proportionally. r is the first for which the greatest of the others is not capped. */
double ksupport_squared(double *sizes, size_t count, double B)
{
    double tail = 0, head = 0;
    qsort(sizes, count, sizeof *sizes, order_reals_descending);
    for (size_t j = count; j-- > 0;)
        tail += sizes[j];
    for (size_t r = 0; r < count; r++) {
        double left = B - (double)r;
        if (left <= 0)
            break; /* only rounding leads here */
        if (sizes[r] * left <= tail && tail > 0 && (double)(count - r) > left)
            return head + tail * tail / left;
        head += sizes[r] * sizes[r];
        tail -= sizes[r];
    }
    return head;
}

static int falling_items(const void *a, const void *b)
{
    const ksupport_item *x = a, *y = b;
    int order = (x->size < y->size) - (x->size > y->size);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Solves sum_j clamp(kappa u_j - s, 0, 1) = B for kappa, given that `capped` values are at 1 and
 * those before `begun` are positive: a linear equation. */
static double kappa_at(double B, double s, size_t capped, size_t begun, double sum)
{
    return (B - (double)capped + s * (double)(begun - capped)) / sum;
}

/* For fixed d the best w_j is u_j d_j / (d_j + s), and what remains to be minimised over d is sum_j
 * s u_j^2 / (d_j + s) / 2, whose optimum is d_j = clamp(kappa |u_j| - s, 0, 1) with sum_j d_j = B.
 * The sum increases with kappa and is linear between the points where a d_j leaves 0, s / u_j, or
 * reaches 1, (1 + s) / u_j; both kinds are met in descending order of u_j, so that one sweep finds
 * kappa. */
void ksupport_prox(const double *sizes, size_t count, double B, double s, ksupport_item *items,
                   double *factors)
{
    size_t nonzero = 0, capped = 0, begun = 0;
    double kappa = INFINITY, sum = 0;
    for (size_t j = 0; j < count; j++)
        if (sizes[j] > 0)
            items[nonzero++] = (ksupport_item){sizes[j], j};
    if ((double)nonzero > B) {
        qsort(items, nonzero, sizeof *items, falling_items);
        for (;;) {
            double begin = begun < nonzero ? s / items[begun].size : INFINITY;
            double cap = capped < begun ? (1 + s) / items[capped].size : INFINITY;
            double here = sum > 0 ? kappa_at(B, s, capped, begun, sum) : INFINITY;
            if (sum > 0 && here <= fmin(begin, cap)) {
                kappa = here;
                break;
            }
            if (begin <= cap)
                sum += items[begun++].size;
            else
                sum -= items[capped++].size;
            if (capped == begun)
                sum = 0; /* removes the rounding errors of the values added and subtracted */
        }
    }
    for (size_t j = 0; j < count; j++) {
        double d = sizes[j] > 0 ? fmin(fmax(kappa * sizes[j] - s, 0), 1) : 0;
        factors[j] = d > 0 ? d / (d + s) : 0;
    }
}
