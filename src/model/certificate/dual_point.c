#include "model/certificate/dual_point.h"

#include "base/numeric/golden_section.h"

#include <math.h>

double dual_point_value(const dual_point *d, double t)
{
    double losses = d->left ? dual_residual_value(d->left, t) : samples_dual(d->of, d->a, t);
    double value = losses - t * t * d->squares / 2;
    bool limits = d->q->lower || d->q->upper;
    return limits ? value - penalty_conjugate(d->q, d->c, d->from, d->count, t).value : value;
}

static double value_of(double t, void *payload)
{
    return dual_point_value(payload, t);
}

/* For products that exceed lambda f_j, limits contribute a term that grows with t; the objective is
 * concave in t, and an evaluation needs no products: golden section search. */
static double search(const dual_point *d, double high, double *scale)
{
    dual_point point = *d;
    double best = 0;
    *scale = golden_section_search(
        &(golden_section){.value = value_of, .payload = &point, .high = high, .steps = 40}, &best);
    return best;
}

double dual_point_best(const dual_point *d, double most, double *scale)
{
    double high = samples_scale(d->of, d->a, most);
    bool limits = d->q->lower || d->q->upper;
    if (limits) /* `most` is for products of these signs */
        high = fmax(high, 0);
    double value = dual_point_value(d, high);
    *scale = high;
    if (!limits || penalty_conjugate(d->q, d->c, d->from, d->count, high).value == 0)
        return value;
    /* At the optimum 1 is the best scale, where the objective has a corner, which the search comes
     * only so near: with limits it begins at hundreds, and a gap of 1e-6 of the value was left. */
    double inside, own = high > 1 ? dual_point_value(d, 1) : -INFINITY;
    double found = search(d, high, &inside);
    if (own > found) {
        found = own;
        inside = 1;
    }
    if (found <= value)
        return value;
    *scale = inside;
    return found;
}
