/* `dpp` and `edpp`: dual polytope projection, for the squared loss (SAIF 1.1.4.1 and chapter 3's
 * theorem 2 c).
 *
 * theta* is the projection of y/lambda onto a convex set that does not depend on lambda. */
#include "screen/sequential.h"

#include <math.h>
#include <string.h>

/* Projections do not move points apart: |theta_2* - theta_1*| <= |y| |1/lambda_2 - 1/lambda_1|. The
 * earlier optimum theta_1* is only known to be in its gap ball, whose radius is added. */
void screen_dpp(const screen_earlier *e, double lambda, screen_region *region, double *room)
{
    (void)room;
    double y = sqrt(samples_inner(e->of, e->null_dual, e->null_dual));
    region->centre[AXIS_EARLIER] = e->scale / e->lambda;
    region->radius = y * fabs(1 / lambda - 1 / e->lambda) + e->radius;
}

/* With any feasible theta, D = theta_2* - theta and v = y/lambda_2 - theta: |D|^2 <= v'D, as
 * theta_2* is a projection; and g'D <= e with e = offset - g'theta >= 0 for the half-space. Their
 * sum, the second t times, is the ball around theta + (v - t g)/2 with radius^2 = |v - t g|^2 / 4 +
 * t e, least at t = g'v / |g|^2 when e = 0, which is what theorem 2 c says for an exact theta_1*.
 */
void screen_edpp(const screen_earlier *e, double lambda, screen_region *region, double *room)
{
    double theta = e->scale / e->lambda;
    double v[AXES] = {[AXIS_EARLIER] = -theta, [AXIS_NULL] = 1 / lambda};
    double g[AXES] = {[AXIS_EARLIER] = -1, [AXIS_NULL] = 1};
    double *rooms[2] = {room, region->extras[1]};
    if (e->first) {
        memcpy(region->extras[0], e->first, e->of->n * sizeof *e->first);
        region->extra_count = 1;
        g[AXIS_EARLIER] = g[AXIS_NULL] = 0;
        g[AXIS_EXTRA] = 1;
    }
    screen_combine(e, region, v, rooms[0]);
    screen_combine(e, region, g, rooms[1]);
    double gg = samples_inner(e->of, rooms[1], rooms[1]);
    double gv = samples_inner(e->of, rooms[1], rooms[0]);
    double gtheta = theta * samples_inner(e->of, rooms[1], e->dual);
    double t = gg > 0 ? fmax(gv / gg, 0) : 0;
    for (int axis = 0; axis < AXES; axis++)
        v[axis] -= t * g[axis];
    screen_combine(e, region, v, rooms[0]);
    for (int axis = 0; axis < AXES; axis++)
        region->centre[axis] = v[axis] / 2;
    region->centre[AXIS_EARLIER] += theta;
    double slack = fmax((e->first ? e->first_factor : e->penalty) - gtheta, 0);
    region->radius = sqrt(samples_inner(e->of, rooms[0], rooms[0]) / 4 + t * slack);
}
