#include "solve/l1/tall/points.h"

#include <math.h>

double points_penalty(const tall_terms *q, const tall_lambda *d)
{
    double sum = 0;
    for (size_t k = 0; k < q->count; k++)
        sum += l1_factor(q->s, q->set[k]) * fabs(d->w[q->set[k]]);
    return d->lambda * sum;
}

double points_squares(const tall_terms *q, const tall_lambda *d)
{
    double sum = 0;
    for (size_t k = 0; k < q->count && q->s->penalty.ridge; k++)
        sum += q->s->penalty.ridge[q->set[k]] * d->w[q->set[k]] * d->w[q->set[k]];
    return d->lambda * sum / 2;
}

/* What the unpenalised features would still take off the objective, each by itself. */
static double left_of_free(const tall_terms *q, const tall_lambda *d)
{
    const tall_model *model = q->model;
    double scale = model->total > 0 ? d->total / model->total : 1, sum = 0;
    size_t count = unpenalised_count(q->s->penalty.free);
    for (size_t k = 0; k < count; k++) {
        size_t j = unpenalised_features(q->s->penalty.free)[k];
        double square = scale * model->products[j * q->s->problem.p + j];
        double limit = d->products[j] > 0 ? penalty_upper(&q->s->penalty.terms, j)
                                          : penalty_lower(&q->s->penalty.terms, j);
        sum += square > 0 && d->w[j] != limit ? d->products[j] * d->products[j] / (2 * square) : 0;
    }
    return (double)count * sum;
}

/* What is beyond the first order, roughly: one weight alone meets its constraint after scaling at
 * any w. */
static double second_order(const tall_terms *q, const tall_lambda *d, double lacks, double penalty)
{
    double shift = q->s->problem.intercept && d->total > 0 ? d->left * d->left / (2 * d->total) : 0;
    return lacks * lacks * (d->objective - penalty) + shift + left_of_free(q, d);
}

/* The gap of the dual variables scaled to be feasible, to the first order in what the scale and the
 * sum of the dual variables lack: P - D(a) = penalty - w'X'a + what limits allow beyond the
 * constraints, and D falls by (1 - scale) w'X'a. Products are those with the rows of the squared
 * penalty. */
double points_gap(const tall_terms *q, const tall_lambda *d)
{
    feature_penalty terms = q->s->penalty.terms;
    double wg = 0, *c = q->scratch;
    terms.lambda = d->lambda;
    for (size_t k = 0; k < q->count; k++) {
        size_t j = q->set[k];
        bool free = penalty_is_free(&terms, j);
        c[j] = free ? 0 : d->products[j] - penalty_square(&terms, j) * d->w[j];
        wg += d->w[j] * c[j];
    }
    double scale = fmin(penalty_most_scale(&terms, c, q->set, q->count), 1);
    double penalty = points_penalty(q, d);
    double first_order =
        fabs(penalty - scale * wg + penalty_conjugate(&terms, c, q->set, q->count, scale).value);
    return q->alone ? first_order + second_order(q, d, 1 - scale, penalty) : first_order;
}
