/* `dpp`: dual polytope projection, for the squared loss (SAIF 1.1.4.1).
 *
 * theta* is the projection of y/lambda onto a convex set that does not depend on lambda. */
#include "screen/sequential.h"

#include <math.h>

/* Projections are nonexpansive: |theta_2* - theta_1*| <= |y| |1/lambda_2 - 1/lambda_1|. The earlier
 * optimum theta_1* is only known to be in its gap ball, whose radius is added. */
void screen_dpp(const screen_earlier *e, double lambda, screen_region *region, double *scratch)
{
    (void)scratch;
    double y = sqrt(samples_inner(e->of, e->null_dual, e->null_dual));
    region->centre[AXIS_EARLIER] = e->scale / e->lambda;
    region->radius = y * fabs(1 / lambda - 1 / e->lambda) + e->radius;
}
