#include "screen/gap.h"

#include <math.h>

/* Products carry rounding errors of this relative size at most (n up to some 10^5); the bounds are
 * widened by it, so that a feature exactly at its constraint is never discarded. */
static const double ROUNDING = 1e-12;

static double centre_product(const screen_features *f, size_t j, const ball *b)
{
    return screen_correlation(f, j, ball_centre_product(b, f->xr[j], f->xy[j]));
}

static double spread(const screen_features *f, size_t j, const ball *b)
{
    double size = fabs(b->along_r * f->xr[j]) + fabs(b->along_y * f->xy[j]);
    return f->norms[j] * b->radius + ROUNDING * size;
}

double screen_upper(const screen_features *f, size_t j, const ball *b)
{
    return (centre_product(f, j, b) + spread(f, j, b)) / f->factors[j];
}

double screen_lower(const screen_features *f, size_t j, const ball *b)
{
    return fabs(centre_product(f, j, b) - spread(f, j, b)) / f->factors[j];
}

bool screen_inactive(const screen_features *f, size_t j, const ball *b)
{
    return screen_upper(f, j, b) < 1;
}
