/* Balls that contain the optimal dual point of the lasso (squared loss).
 *
 * Every centre used here lies in the plane spanned by the residual r and the (centred) response y,
 * so a ball is kept as two numbers and a radius:
 *
 *     theta in { along_r * r + along_y * y + e : |e| <= radius }
 *
 * and x_j'centre = along_r * x_j'r + along_y * x_j'y needs no further products once both are known.
 */
#ifndef SCREEN_BALL_H
#define SCREEN_BALL_H

typedef struct ball {
    double along_r, along_y;
    double radius;
} ball;

/* The inner products of r and y, from which the balls are computed. */
typedef struct ball_plane {
    double rr, ry, yy; /* r'r, r'y, y'y; r and y centred when there is an intercept */
} ball_plane;

/* x_j'centre from x_j'r and x_j'y. */
static inline double ball_centre_product(const ball *b, double xr, double xy)
{
    return b->along_r * xr + b->along_y * xy;
}

/* SAIF eq. 2.13: around the feasible theta = (scale/lambda) r, with the gap of that point. */
ball ball_from_gap(double scale, double gap, double lambda);

/* SAIF theorem 2 at lambda_0 = lambda_max, where the dual optimum y/lambda_max is known exactly.
 * For the squared loss lambda theta* is the projection of y onto the feasible set, so that no
 * feasible point is nearer to y: centre y/lambda, radius |y - scale r| / lambda. Needs
 * (scale/lambda) r feasible; derivation in docs/screening.md. */
ball ball_from_lambda_max(const ball_plane *plane, double scale, double lambda);

/* The same for any smooth loss: the null model's dual variables a_0 are the dual optimum at
 * lambda_max, and D(a_0) - D(a) bounds the distance of the optimum from them for every feasible a.
 * Centre a_0/lambda; `excess` is L (D(a_0) - D(a)), L the smoothness of the loss. */
ball ball_from_null_dual(double excess, double lambda);

/* SAIF eq. 2.14, corrected: the smallest ball around the intersection of two balls. When the
 * plane through the intersecting sphere does not pass between the centres, one ball's cap covers
 * the intersection no better than the smaller ball itself, which is then the answer. */
ball ball_intersect(const ball_plane *plane, const ball *a, const ball *b);

#endif
