#include "screen/gap.h"

#include "screen/tuning.h"

#include <math.h>

static double centre_product(const screen_features *f, size_t j, const ball *b)
{
    return screen_correlation(f, j, ball_centre_product(b, f->xr[j], f->xy[j]));
}

static double spread(const screen_features *f, size_t j, const ball *b)
{
    double size = fabs(b->along_r * f->xr[j]) + fabs(b->along_y * f->xy[j]);
    return f->norms[j] * b->radius + PRODUCT_LOST * size;
}

double screen_upper(const screen_features *f, size_t j, const ball *b)
{
    return (centre_product(f, j, b) + spread(f, j, b)) / screen_factor(f, j);
}

double screen_lower(const screen_features *f, size_t j, const ball *b)
{
    return fabs(centre_product(f, j, b) - spread(f, j, b)) / screen_factor(f, j);
}

bool screen_inactive(const screen_features *f, size_t j, const ball *b)
{
    return screen_upper(f, j, b) < 1;
}
