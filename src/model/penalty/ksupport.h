/* The norm |.|_(B) of FGM and MSLR, which is the k-support norm with k = B:
 *
 *     |w|_(B)^2 = min { sum_j w_j^2 / d_j : 0 <= d <= 1, sum_j d_j <= B }
 *
 * and its dual norm, the square root of the sum of the B greatest squares. Derivations:
 * docs/fgm.md. */
#ifndef MODEL_PENALTY_KSUPPORT_H
#define MODEL_PENALTY_KSUPPORT_H

#include <stdbool.h>
#include <stddef.h>

/* |w|_(B)^2 of `count` values; `sizes` holds |w_j| and is sorted in place. */
double ksupport_squared(double *sizes, size_t count, double B);

/* A value with its index, for sorting. */
typedef struct ksupport_item {
    double size;
    size_t at;
} ksupport_item;

/* The proximal step: the w that minimises 1/2 |w - u|^2 + s/2 |w|_(B)^2 is w_j = factors[j] u_j.
 * `sizes` holds |u_j|; `items` is scratch for `count`. */
void ksupport_prox(const double *sizes, size_t count, double B, double s, ksupport_item *items,
                   double *factors);

#endif
