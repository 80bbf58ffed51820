#include "model/certificate/dual_point.h"

#include <math.h>

double dual_point_value(const dual_point *d, double t)
{
    double value = samples_dual(d->of, d->a, t) - t * t * d->squares / 2;
    bool limits = d->q->lower || d->q->upper;
    return limits ? value - penalty_conjugate(d->q, d->c, d->from, d->count, t).value : value;
}

/* Limits that the products exceed cost something that grows with t; the objective is concave in t,
 * and an evaluation needs no product: golden section. */
static double search(const dual_point *d, double high, double *scale)
{
    static const double GOLDEN = 0.6180339887498949;
    double low = 0, best = 0;
    double t1 = high - GOLDEN * (high - low), t2 = low + GOLDEN * (high - low);
    double d1 = dual_point_value(d, t1), d2 = dual_point_value(d, t2);
    *scale = 0;
    for (int step = 0; step < 40; step++) {
        if (fmax(d1, d2) > best) {
            best = fmax(d1, d2);
            *scale = d1 > d2 ? t1 : t2;
        }
        if (d1 > d2) {
            high = t2;
            t2 = t1;
            d2 = d1;
            t1 = high - GOLDEN * (high - low);
            d1 = dual_point_value(d, t1);
        } else {
            low = t1;
            t1 = t2;
            d1 = d2;
            t2 = low + GOLDEN * (high - low);
            d2 = dual_point_value(d, t2);
        }
    }
    return best;
}

double dual_point_best(const dual_point *d, double most, double *scale)
{
    double high = samples_scale(d->of, d->a, most);
    double value = dual_point_value(d, high);
    bool limits = d->q->lower || d->q->upper;
    *scale = high;
    if (!limits || penalty_conjugate(d->q, d->c, d->from, d->count, high).value == 0)
        return value;
    double inside;
    double found = search(d, high, &inside);
    if (found <= value)
        return value;
    *scale = inside;
    return found;
}
