/* Newton steps with the Hessian: the model is minimised on the active set with its Gram matrix. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "solve/gram/hessian.h"
#include "solve/l1/core/newton.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/gram/gram_solver.h"

#include <stdlib.h>

/* Tries steps longer than 1 while they lower the objective below `least`: far from the optimum the
 * curvature of the logistic loss decreases along the direction, and a feature that nearly separates
 * its rows would need many steps. */
static double lengthen(const l1_state *s, double least)
{
    double best = 1;
    for (double t = LONGER; t < LONGEST; t *= LONGER) {
        double value = l1_model_objective(s, t);
        if (!(value < least))
            break;
        least = value;
        best = t;
    }
    return best;
}

typedef struct exact {
    double *linear, *factors, *w; /* count */
    double *beyond;               /* count: the diagonal minus that of the Hessian */
    double *lower, *upper;        /* count; NULL without limits */
    size_t *set;
} exact;

static bool exact_new(exact *e, size_t count, bool limits)
{
    e->lower = limits ? mem_array(count, sizeof *e->lower) : NULL;
    e->upper = limits ? mem_array(count, sizeof *e->upper) : NULL;
    e->linear = mem_array(count, sizeof *e->linear);
    e->factors = mem_array(count, sizeof *e->factors);
    e->w = mem_array(count, sizeof *e->w);
    e->beyond = mem_array(count, sizeof *e->beyond);
    e->set = mem_array(count, sizeof *e->set);
    if (limits && (!e->lower || !e->upper))
        return false;
    return e->linear && e->factors && e->w && e->beyond && e->set;
}

static void exact_free(exact *e)
{
    free(e->linear);
    free(e->factors);
    free(e->lower);
    free(e->upper);
    free(e->w);
    free(e->beyond);
    free(e->set);
}

/* Computes the model's Hessian on the active set. The squares come from its diagonal when centring
 * loses no digits there. Returns false when the run must stop. */
static bool find_hessian(l1_state *s, hessian_products *out, exact *e, solve_progress *progress)
{
    l1_model *m = s->model;
    bool squares = !s->problem.intercept || hessian_is_centred(m->hessian);
    if (s->problem.intercept && !l1_model_measure(s, !squares, progress))
        return false;
    *out =
        hessian_at(s->model->hessian, m->h, s->problem.intercept ? m->means : NULL, progress->team);
    for (size_t a = 0; a < s->active.count; a++) {
        size_t j = s->active.features[a];
        double held = out->values[a * out->capacity + a];
        if (!s->problem.intercept) {
            m->means[j] = 0;
            m->before[j] = s->it.w[j];
        }
        if (squares)
            m->squares[j] = l1_model_square(s, j, held);
        e->beyond[a] = m->squares[j] - held;
    }
    progress_work(progress, (uint64_t)hessian_work(s->model->hessian));
    return true;
}

/* Sets up the model as a problem on the active set: the linear term makes its gradient at the
 * present w that of the model. The products with the dual variables are known. */
static void fill_exact(const l1_state *s, const hessian_products *h, exact *e)
{
    size_t count = s->active.count;
    double left = s->problem.intercept ? loss_total(s->model->u, s->problem.n) : 0;
    for (size_t a = 0; a < count; a++) {
        size_t j = s->active.features[a];
        e->linear[a] = s->it.xr[j] - s->model->means[j] * left + e->beyond[a] * s->it.w[j];
        e->factors[a] = l1_factor(s, j);
        e->w[a] = s->it.w[j];
        if (e->lower) {
            e->lower[a] = s->penalty.lower[j];
            e->upper[a] = s->penalty.upper[j];
        }
        e->set[a] = a;
    }
    for (size_t b = 0; b < count; b++)
        if (e->w[b] != 0)
            kernel_axpy(e->w[b], h->values + b * h->capacity, e->linear, count);
}

static tm_status solve_model(l1_state *s, const hessian_products *h, exact *e, long rounds,
                             solve_progress *progress, tm_error *err)
{
    gram_problem problem = {.count = s->active.count,
                            .capacity = h->capacity,
                            .products = h->values,
                            .ridge = e->beyond,
                            .linear = e->linear,
                            .factors = e->factors,
                            .lower = e->lower,
                            .upper = e->upper,
                            .constant = 2 * s->null.objective,
                            .lambda = s->penalty.lambda,
                            .set = e->set,
                            .set_count = s->active.count,
                            .w = e->w,
                            .progress = progress,
                            .epochs = s->it.epochs,
                            .max_epochs = s->options.max_iter,
                            .rounds = rounds};
    tm_status status = gram_problem_solve(&problem, -INFINITY, err);
    s->it.epochs = problem.epochs + 1; /* a set that is solved already uses none, but a step counts
                                        * as one */
    for (size_t a = 0; status == TM_OK && a < s->active.count; a++)
        s->it.w[s->active.features[a]] = e->w[a];
    return status;
}

tm_status l1_model_hessian(l1_state *s, tm_error *err)
{
    hessian **h = &s->model->hessian;
    tm_status status = *h ? TM_OK : hessian_new(h, s->problem.n, err);
    return status == TM_OK ? hessian_begin(*h, s->problem.x, s->active.features, s->active.count,
                                           s->problem.intercept, err)
                           : status;
}

tm_status l1_newton_exact(l1_state *s, double objective, long rounds, double *change,
                          solve_progress *progress, tm_error *err)
{
    exact e = {0};
    *change = INFINITY;
    tm_status status = l1_model_hessian(s, err);
    if (status == TM_OK && !exact_new(&e, s->active.count, s->penalty.lower != NULL))
        status = tm_fail_memory(err, "a Newton step");
    hessian_products h;
    if (status == TM_OK)
        l1_model_weigh(s, s->model->hessian);
    if (status == TM_OK && find_hessian(s, &h, &e, progress)) {
        fill_exact(s, &h, &e);
        status = solve_model(s, &h, &e, rounds, progress, err);
        double penalty_change = l1_model_direction(s), reached;
        double t = l1_model_search(s, penalty_change, objective, &reached);
        *change = l1_model_step(s, t == 1 && !s->penalty.lower ? lengthen(s, reached) : t);
    }
    exact_free(&e);
    return status;
}
