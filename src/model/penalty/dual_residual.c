#include "model/penalty/dual_residual.h"

#include "base/numeric/kept_sum.h"
#include "model/penalty/tuning.h"

#include <math.h>

/* With an intercept alone f is the weighted mean of z - offset. */
dual_residual dual_residual_of_shift(const samples *of, bool intercept, const double *z,
                                     const double *a)
{
    dual_residual r = {.of = of, .a = a};
    kept_sum mean = {0}, linear = {0};
    for (size_t i = 0; intercept && i < of->n; i++)
        kept_add(&mean, samples_weight(of, i) * (z[i] - (of->offset ? of->offset[i] : 0)));
    double f = samples_over_all(of, kept_total(&mean)) / of->total;
    if (of->loss->quadratic) {
        for (size_t i = 0; i < of->n; i++)
            kept_add(&linear, (of->y[i] - (of->offset ? of->offset[i] : 0) - f) * a[i]);
        r.linear = samples_over_all(of, kept_total(&linear));
        r.square = samples_inner(of, a, a);
    } else if (intercept) {
        double sum = samples_sum(of, a);
        r.excess = f * sum + (fabs(f) + 1) * fabs(sum);
    }
    return r;
}

double dual_residual_less(double value, double excess)
{
    return excess > SAME_VALUE * fabs(value) ? value - excess : value;
}

double dual_residual_value(const dual_residual *r, double t)
{
    double value = samples_dual(r->of, r->a, t);
    if (!r->of->loss->quadratic)
        return dual_residual_less(value, t * r->excess);
    double centred = t * r->linear - t * t * r->square / 2;
    return fabs(value - centred) > SAME_VALUE * fabs(value) ? centred : value;
}

void dual_residual_clamp(const samples *of, double *a)
{
    for (size_t i = 0; of->loss->binary && i < of->n; i++) {
        double size = of->y[i] * a[i], limit = of->loss->dual_most;
        double most = isinf(limit) ? limit : samples_weight(of, i) * limit;
        if (!(size >= 0 && size <= most))
            a[i] = size > most ? of->y[i] * most : 0;
    }
}
