/* `dpp` and `edpp`: dual polytope projection, for the squared loss (SAIF 1.1.4.1 and chapter 3's theorem 2 c).
 *
 * theta* is the projection of y/lambda onto a convex set that does not depend on lambda. */
#include "screen/sequential.h"

#include "model/residual.h"

#include <math.h>

/* Projections do not move points apart: |theta_2* - theta_1*| <= |y| |1/lambda_2 - 1/lambda_1|. The earlier
 * optimum theta_1* is only known to be in its gap ball, whose radius is added. */
void screen_dpp(const screen_earlier *e, double lambda, screen_region *region, double *room)
{
    (void)room;
    double y = sqrt(residual_squares(e->null_dual, e->n));
    region->centre[AXIS_EARLIER] = e->scale / e->lambda;
    region->radius = y * fabs(1 / lambda - 1 / e->lambda) + e->radius;
}

/* With any feasible theta, D = theta_2* - theta and v = y/lambda_2 - theta: |D|^2 <= v'D, as theta_2* is a
 * projection; and g'D <= e with e = offset - g'theta >= 0 for the half-space. Their sum, the second t times,
 * is the ball around theta + (v - t g)/2 with radius^2 = |v - t g|^2 / 4 + t e, least at t = g'v / |g|^2
 * when e = 0, which is what theorem 2 c says for an exact theta_1*. */
void screen_edpp(const screen_earlier *e, double lambda, screen_region *region, double *room)
{
    double theta = e->scale / e->lambda, gg = 0, gv = 0, gtheta = 0, vv = 0;
    for (size_t i = 0; i < e->n; i++) {
        double g = e->first ? e->first[i] : e->null_dual[i] - e->dual[i];
        double v = e->null_dual[i] / lambda - theta * e->dual[i];
        gg += g * g;
        gv += g * v;
        gtheta += g * theta * e->dual[i];
        room[i] = v;
    }
    double t = gg > 0 ? fmax(gv / gg, 0) : 0;
    for (size_t i = 0; i < e->n; i++) {
        double v = room[i] - t * (e->first ? e->first[i] : e->null_dual[i] - e->dual[i]);
        vv += v * v;
    }
    double offset = e->first ? e->first_factor : e->penalty;
    region->centre[AXIS_EARLIER] = theta / 2 + (e->first ? 0 : t / 2);
    region->centre[AXIS_NULL] = 1 / (2 * lambda) - (e->first ? 0 : t / 2);
    if (e->first) {
        region->centre[AXIS_EXTRA] = -t / 2;
        region->extra_count = 1;
        for (size_t i = 0; i < e->n; i++)
            region->extras[0][i] = e->first[i];
    }
    region->radius = sqrt(vv / 4 + t * fmax(offset - gtheta, 0));
}
