/* `vi`: the variational inequality's ball and half-space (VI section 3), for every smooth loss.
 *
 * With theta feasible, a = lambda_2 theta, D the dual objective and L the loss's smoothness, strong
 * concavity at both points gives |a* - a|^2 <= L grad D(a)'(a* - a): a ball around a + (L/2) grad
 * D(a). For the squared loss and the squared hinge grad D(a) = y - a, and this is VI's eq. 12, the
 * ball of t = 0. The half-space is theta'Xw <= sum_j f_j |w_j|, which every feasible theta meets
 * whatever the weights: with exact weights VI's eq. 11. Neither requires the earlier answer to be
 * optimal. */
#include "screen/sequential.h"

#include <math.h>
#include <string.h>

/* Where the dual is quadratic its gradient is y - a, which for the squared hinge leaves out the
 * samples beyond the margin; y'theta >= 0 there, so the half-space with y - a in Xw's place holds
 * all the same. */
static void quadratic(const screen_earlier *e, double lambda, screen_region *region,
                      double *scratch)
{
    region->centre[AXIS_EARLIER] = e->scale / (2 * e->lambda);
    region->centre[AXIS_NULL] = 1 / (2 * lambda);
    region->normal[AXIS_EARLIER] = -1;
    region->normal[AXIS_NULL] = 1;
    double difference[AXES] = {
        [AXIS_EARLIER] = -e->scale / (2 * e->lambda), [AXIS_NULL] = 1 / (2 * lambda)};
    screen_combine(e, region, difference, scratch);
    region->radius = sqrt(samples_inner(e->of, scratch, scratch));
}

/* The gradient of row i's part of the dual, weighted by the row's weight as dual variables are. */
static double gradient_at(const samples *of, size_t i, double a)
{
    double weight = samples_weight(of, i), offset = of->offset ? of->offset[i] : 0;
    return weight > 0 ? weight * (of->loss->dual_slope(of->y[i], a / weight) - offset) : 0;
}

static void general(const screen_earlier *e, double lambda, screen_region *region, double *scratch)
{
    double half = e->of->loss->smoothness / 2, scale = e->scale * lambda / e->lambda;
    double *gradient = region->extras[0];
    (void)scratch;
    for (size_t i = 0; i < e->of->n; i++)
        gradient[i] = gradient_at(e->of, i, scale * e->dual[i]);
    if (e->intercept)
        samples_centre(e->of, gradient);
    region->extra_count = 1;
    region->centre[AXIS_EARLIER] = e->scale / e->lambda;
    region->centre[AXIS_EXTRA] = half / lambda;
    region->radius = half * sqrt(samples_inner(e->of, gradient, gradient)) / lambda;
    if (!e->first) {
        memcpy(region->extras[1], e->fit, e->of->n * sizeof *e->fit);
        region->extra_count = 2;
        region->normal[AXIS_EXTRA_2] = 1;
    }
}

void screen_vi(const screen_earlier *e, double lambda, screen_region *region, double *scratch)
{
    (e->null_gradient ? quadratic : general)(e, lambda, region, scratch);
    region->halved = true;
    region->offset = e->penalty;
    if (!e->first)
        return;
    /* The null model's half-space gives no information; that of the feature about to enter does. */
    int axis = AXIS_EXTRA + region->extra_count;
    memcpy(region->extras[region->extra_count++], e->first, e->of->n * sizeof *e->first);
    region->normal[AXIS_EARLIER] = region->normal[AXIS_NULL] = 0;
    region->normal[axis] = 1;
    region->offset = e->first_factor;
}
