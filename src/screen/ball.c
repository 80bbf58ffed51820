#include "screen/ball.h"

#include "screen/tuning.h"

#include <math.h>

ball ball_from_gap(double scale, double gap, double lambda)
{
    /* A gap below zero is rounding error: the point is optimal to within rounding. */
    return (ball){scale / lambda, 0, sqrt(2 * fmax(gap, 0)) / lambda};
}

ball ball_from_lambda_max(const ball_plane *plane, double scale, double lambda)
{
    double squared = plane->yy - 2 * scale * plane->ry + scale * scale * plane->rr;
    /* Near the sub-problem's lambda_max the terms cancel, so the radius is increased by the
     * possible rounding error. */
    double lost = RADIUS_LOST * (plane->yy + scale * scale * plane->rr);
    return (ball){0, 1 / lambda, sqrt(fmax(squared, 0) + lost) / lambda};
}

ball ball_from_null_dual(double excess, double lambda)
{
    return (ball){0, 1 / lambda, sqrt(2 * fmax(excess, 0)) / lambda};
}

static double centre_distance(const ball_plane *plane, const ball *a, const ball *b)
{
    double r = a->along_r - b->along_r, y = a->along_y - b->along_y;
    return sqrt(fmax(r * r * plane->rr + 2 * r * y * plane->ry + y * y * plane->yy, 0));
}

ball ball_intersect(const ball_plane *plane, const ball *a, const ball *b)
{
    double d = centre_distance(plane, a, b);
    const ball *smaller = a->radius <= b->radius ? a : b;
    if (d == 0)
        return *smaller;
    /* The distance from a's centre at which the plane of the common sphere cuts the line of
     * centres. */
    double at = (d * d + a->radius * a->radius - b->radius * b->radius) / (2 * d);
    if (at <= 0 || at >= d)
        return *smaller;
    double squared = a->radius * a->radius - at * at;
    if (squared < 0)
        return *smaller;
    double share = at / d;
    return (ball){a->along_r + share * (b->along_r - a->along_r),
                  a->along_y + share * (b->along_y - a->along_y), sqrt(squared)};
}
