/* `safe`: one static test from lambda_max (El Ghaoui et al.'s SAFE, SAIF's reference [10], for any
 * smooth loss). a_0 maximises the dual without the features' constraints, with value P(0), and
 * (lambda/lambda_max) a_0 meets them; strong concavity gives a ball around a_0. */
#include "screen/sequential.h"
#include "screen/tuning.h"

#include <math.h>

void screen_safe(const screen_earlier *e, double lambda, screen_region *region, double *scratch)
{
    (void)scratch;
    double scale = fmin(lambda / e->lambda_max, 1);
    double excess, lost = (VALUE_LOST + VALUE_LOST_A_ROW * (double)e->of->n) * e->null_objective;
    if (e->of->loss->dual_quadratic) { /* D(a_0) - D(s a_0), without its cancellation */
        double square = samples_inner(e->of, e->null_dual, e->null_dual);
        excess = (1 - scale) * (1 - scale) * square / 2;
    } else {
        double dual = samples_dual(e->of, e->null_dual, scale);
        excess = fmax(e->null_objective - dual, 0);
    }
    excess += lost;
    region->centre[AXIS_NULL] = 1 / lambda;
    region->radius = sqrt(2 * e->of->loss->smoothness * excess) / lambda;
}
