/* A ball cut by a half-space, and the greatest product that a feature can have with a point of it:
 * the closed form of VI's theorems 3.5, 3.7 and 3.9 for any centre, radius and half-space.
 *
 *     {theta : |theta - c| <= radius, g'theta <= offset},   |g| = 1
 *
 * With an intercept everything lies in the hyperplane of vectors that sum to zero: the products,
 * the norms and g are then those of centred vectors (docs/screening.md). */
#ifndef SCREEN_DOME_H
#define SCREEN_DOME_H

typedef struct dome {
    double radius;
    double cut;    /* (offset - g'c) / radius: at least 1 if the half-space cuts nothing off */
    double margin; /* maximum rounding error of a product, as a share of |x| */
} dome;

/* The greatest x'theta over the dome, from x'c, x'g and |x|, with a margin for rounding errors. */
double dome_greatest(const dome *d, double xc, double xg, double norm);

/* The same for |x'theta|. */
double dome_greatest_absolute(const dome *d, double xc, double xg, double norm);

#endif
