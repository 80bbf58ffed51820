/* The test of a ball against features: eq. 1.20 of SAIF. */
#ifndef SCREEN_GAP_H
#define SCREEN_GAP_H

#include "screen/ball.h"

#include <stdbool.h>
#include <stddef.h>

/* The facts about each of `count` features; all arrays have `count` entries. */
typedef struct screen_features {
    const double *xr;      /* x_j'r */
    const double *xy;      /* x_j'y */
    const double *norms;   /* |x_j|, centred when there is an intercept */
    const double *factors; /* penalty factor f_j: the dual constraint is |x_j'theta| <= f_j; NULL:
                            * all 1 */
    size_t count;
    const signed char *signs; /* 1 or -1 if the weight is restricted to this sign, so that the
                               * constraint is signs x_j'theta <= f_j; else 0; NULL: all 0 */
} screen_features;

static inline double screen_factor(const screen_features *f, size_t j)
{
    return f->factors ? f->factors[j] : 1;
}

/* The quantity that the constraint of feature j bounds, for a product c: |c|, or c times the sign
 * if the weight is restricted to one sign. */
static inline double screen_correlation(const screen_features *f, size_t j, double c)
{
    int sign = f->signs ? f->signs[j] : 0;
    return sign == 0 ? (c < 0 ? -c : c) : sign * c;
}

/* The greatest |x_j'theta| / f_j over theta in the ball (with a weight restricted to one sign, that
 * of sign x_j'theta / f_j). */
double screen_upper(const screen_features *f, size_t j, const ball *b);
/* ||x_j'centre| - |x_j| radius| / f_j, by which SAIF's theorem 1 (d) ranks features for ADD. It
 * is the least value in the ball only if |x_j'centre| >= |x_j| radius; it is used only for
 * ordering. */
double screen_lower(const screen_features *f, size_t j, const ball *b);

/* Whether the ball proves feature j inactive: no theta in it attains |x_j'theta| = f_j. */
bool screen_inactive(const screen_features *f, size_t j, const ball *b);

#endif
