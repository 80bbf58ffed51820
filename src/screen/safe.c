/* `safe`: one static test from lambda_max (El Ghaoui et al.'s SAFE, SAIF's reference [10], for any smooth
 * loss). a_0 maximises the dual without the features' constraints, with value P(0), and (lambda/lambda_max)
 * a_0 meets them; strong concavity gives a ball around a_0. */
#include "screen/sequential.h"

#include "model/residual.h"

#include <math.h>

void screen_safe(const screen_earlier *e, double lambda, screen_region *region, double *room)
{
    (void)room;
    double scale = fmin(lambda / e->lambda_max, 1);
    double excess, lost = (1e-14 + 1e-16 * (double)e->n) * e->null_objective;
    if (e->loss->dual_quadratic) { /* D(a_0) - D(s a_0), without its cancellation */
        excess = (1 - scale) * (1 - scale) * residual_squares(e->null_dual, e->n) / 2;
    } else {
        double dual = loss_dual_sum(e->loss, e->response, e->null_dual, scale, e->n);
        excess = fmax(e->null_objective - dual, 0);
    }
    excess += lost;
    region->centre[AXIS_NULL] = 1 / lambda;
    region->radius = sqrt(2 * e->loss->smoothness * excess) / lambda;
}
