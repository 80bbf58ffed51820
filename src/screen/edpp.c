/* `edpp`: enhanced dual polytope projection, for the squared loss (SAIF chapter 3's theorem 2 c).
 */
#include "screen/sequential.h"

#include <math.h>
#include <string.h>

/* With any feasible theta, D = theta_2* - theta and v = y/lambda_2 - theta: |D|^2 <= v'D, as
 * theta_2* is a projection; and g'D <= e with e = offset - g'theta >= 0 for the half-space. Their
 * sum, the second t times, is the ball around theta + (v - t g)/2 with radius^2 = |v - t g|^2 / 4 +
 * t e, least at t = g'v / |g|^2 when e = 0, which is what theorem 2 c says for an exact theta_1*.
 */
void screen_edpp(const screen_earlier *e, double lambda, screen_region *region, double *scratch)
{
    double theta = e->scale / e->lambda;
    double v[AXES] = {[AXIS_EARLIER] = -theta, [AXIS_NULL] = 1 / lambda};
    double g[AXES] = {[AXIS_EARLIER] = -1, [AXIS_NULL] = 1};
    double *vectors[2] = {scratch, region->extras[1]};
    if (e->first) {
        memcpy(region->extras[0], e->first, e->of->n * sizeof *e->first);
        region->extra_count = 1;
        g[AXIS_EARLIER] = g[AXIS_NULL] = 0;
        g[AXIS_EXTRA] = 1;
    }
    screen_combine(e, region, v, vectors[0]);
    screen_combine(e, region, g, vectors[1]);
    double gg = samples_inner(e->of, vectors[1], vectors[1]);
    double gv = samples_inner(e->of, vectors[1], vectors[0]);
    double gtheta = theta * samples_inner(e->of, vectors[1], e->dual);
    double t = gg > 0 ? fmax(gv / gg, 0) : 0;
    for (int axis = 0; axis < AXES; axis++)
        v[axis] -= t * g[axis];
    screen_combine(e, region, v, vectors[0]);
    for (int axis = 0; axis < AXES; axis++)
        region->centre[axis] = v[axis] / 2;
    region->centre[AXIS_EARLIER] += theta;
    double slack = fmax((e->first ? e->first_factor : e->penalty) - gtheta, 0);
    region->radius = sqrt(samples_inner(e->of, vectors[0], vectors[0]) / 4 + t * slack);
}
