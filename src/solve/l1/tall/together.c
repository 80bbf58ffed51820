#include "solve/l1/tall/together.h"

#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/tiles/tiles.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/gram/gram_solver.h"
#include "solve/l1/tall/points.h"
#include "solve/l1/tall/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct l1_together {
    tall_pass *pass;
    tall_model models[2];
    double places[2];      /* the logarithms of their lambdas */
    size_t newest, made;   /* the last model made; how many there are */
    double *blend, *means; /* p x p, p: between the models */
    double answered;       /* lambda of the last answer made here; NAN: none */
    double loss, total;    /* its loss, and sum of second derivatives */
    int failed;            /* groups in a row without an answer */
    tall_lambda points[TILE_VECTORS];
    size_t count;
    double began;            /* the logarithm of the lambda that they start from */
    double *linear, *beyond; /* p */
    size_t *set, set_count;  /* the features that may have a weight */
    double *room;            /* of all of these; the first p are the penalty factors */
    l1_together_answers answers;
};

static bool allocate(l1_together *q, const l1_state *s)
{
    size_t p = s->problem.p;
    q->room = mem_array(p * (3 * p + 6 * TILE_VECTORS + 6), sizeof *q->room);
    q->set = mem_array(p, sizeof *q->set);
    if (!q->room || !q->set)
        return false;
    double *at = q->room + p;
    for (size_t j = 0; j < p; j++)
        q->room[j] = l1_factor(s, j);
    for (size_t i = 0; i < 2; i++, at += p * (p + 1))
        q->models[i] = (tall_model){.products = at, .means = at + p * p};
    q->blend = at;
    q->means = at + p * p;
    at += p * (p + 1);
    for (size_t v = 0; v < TILE_VECTORS; v++, at += 6 * p) {
        q->points[v] = (tall_lambda){.w = at,
                                     .before = at + p,
                                     .products = at + 2 * p,
                                     .trial = at + 3 * p,
                                     .moved = at + 4 * p,
                                     .change = at + 5 * p};
        q->answers.w[v] = at;
    }
    q->linear = at;
    q->beyond = at + p;
    for (size_t j = 0; j < p; j++)
        if (l1_norm(s, j) > 0 && isfinite(l1_factor(s, j)))
            q->set[q->set_count++] = j;
    return true;
}

void l1_together_free(l1_together *q)
{
    if (!q)
        return;
    tall_pass_free(q->pass);
    free(q->room);
    free(q->set);
    free(q);
}

static tm_status make(l1_together **out, const l1_state *s, tm_error *err)
{
    l1_together *q = calloc(1, sizeof *q);
    tm_status status =
        q && allocate(q, s) ? tall_pass_new(&q->pass, s, err) : tm_fail_memory(err, "a path");
    if (status != TM_OK) {
        l1_together_free(q);
        return status;
    }
    size_t rows = (size_t)((double)SAMPLED_ROWS * (double)s->problem.p * TILE_ROWS /
                           (double)s->problem.of.all);
    for (size_t i = 0; i < 2; i++)
        q->models[i].rows = rows < 8 ? 8 : rows < TILE_ROWS ? rows / 8 * 8 : TILE_ROWS;
    q->answered = NAN;
    *out = q;
    return TM_OK;
}

bool l1_together_pays(const l1_together *q, const l1_state *s)
{
    size_t n = s->problem.of.all, p = s->problem.p;
    return !s->problem.loss->quadratic && s->options.warm && !s->options.by_coordinates &&
           !s->penalty.free && !s->penalty.lower && !s->penalty.ridge && p <= MOST_FEATURES &&
           n / p >= ROWS_A_FEATURE && (s->problem.of.comm || tiles_fit(s->problem.x)) &&
           s->penalty.lambda < s->null.lambda_max && s->it.solved_lambda >= s->penalty.lambda &&
           (!q || q->failed < MAX_FAILED);
}

const l1_together_answers *l1_together_made(const l1_together *q)
{
    return &q->answers;
}

/* ---- the model between two points ------------------------------------------------------------ */

/* The weight of the newest model at a place on the path. */
static double share_at(const l1_together *q, double place)
{
    double to = q->places[q->newest], from = q->places[1 - q->newest];
    double t = q->made > 1 && from - to > 0 ? (from - place) / (from - to) : 1;
    return t < 0 ? 0 : t < MOST_AHEAD ? t : MOST_AHEAD;
}

static void blend_means(l1_together *q, const l1_state *s, double t)
{
    const tall_model *newest = &q->models[q->newest], *other = &q->models[1 - q->newest];
    for (size_t j = 0; j < s->problem.p; j++)
        q->means[j] = t * newest->means[j] + (t == 1 ? 0 : (1 - t) * other->means[j]);
}

/* The second derivatives of the loss, summed like those of the newest model. */
static void blend_products(l1_together *q, const l1_state *s, double t)
{
    const tall_model *newest = &q->models[q->newest], *other = &q->models[1 - q->newest];
    size_t cells = s->problem.p * s->problem.p;
    double scale = t == 1 || !(other->total > 0) ? 0 : (1 - t) * newest->total / other->total;
    memcpy(q->blend, newest->products, cells * sizeof *q->blend);
    if (scale == 0)
        return;
    for (size_t k = 0; k < cells; k++)
        q->blend[k] = t * newest->products[k] + scale * other->products[k];
}

/* Changes the model so that it has the last step's change of the products, with the least change of
 * rank two that keeps it positive definite (Broyden, Fletcher, Goldfarb and Shanno). */
static void correct(l1_together *q, const l1_state *s, const tall_lambda *d, double share)
{
    size_t p = s->problem.p;
    double *g = q->blend, *had = q->linear;
    memset(had, 0, p * sizeof *had);
    for (size_t j = 0; j < p; j++)
        if (d->moved[j] != 0)
            kernel_axpy(d->moved[j], g + j * p, had, p);
    double square = kernel_dot(d->moved, had, p),
           found = kernel_dot(d->moved, d->change, p) / share;
    if (!(square > 0) || !(found > LEAST_BENDING * square))
        return;
    for (size_t k = 0; k < p; k++) {
        kernel_axpy(d->change[k] / (share * share * found), d->change, g + k * p, p);
        kernel_axpy(-had[k] / square, had, g + k * p, p);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static tall_terms terms_of(const l1_together *q, const l1_state *s)
{
    return (tall_terms){s, &q->models[q->newest], q->set, q->set_count, q->linear, q->count == 1};
}

/* Accepts what the pass has computed at w, or halves the step. */
static void judge(l1_together *q, const l1_state *s, tall_lambda *d, const tall_point *found,
                  double target)
{
    size_t p = s->problem.p;
    const tall_terms terms = terms_of(q, s);
    double objective = found->loss + points_penalty(&terms, d) + points_squares(&terms, d);
    d->waiting = !(objective <= d->objective + RAISED * fabs(d->objective));
    for (size_t j = 0; d->waiting && j < p; j++)
        d->w[j] = (d->w[j] + d->before[j]) / 2;
    if (d->waiting) {
        d->b = (d->b + d->b_before) / 2;
        return;
    }
    blend_means(q, s, share_at(q, log(d->lambda)));
    for (size_t j = 0; j < p; j++) {
        double products = d->trial[j] - q->means[j] * found->left;
        d->moved[j] = d->w[j] - d->before[j];
        d->change[j] = d->products[j] - products;
        d->products[j] = products;
    }
    d->objective = objective;
    d->left = found->left;
    d->total = found->total;
    double gap = points_gap(&terms, d);
    d->rate = isfinite(d->gap) ? gap / d->gap : INFINITY;
    d->gap = gap;
    d->done = d->gap <= TOGETHER_SHARE * target;
}

/* One step of the model from the last accepted w. The first one is long: its model is that of the
 * middle of the way. */
static tm_status step(l1_together *q, const l1_state *s, tall_lambda *d, solve_progress *progress,
                      tm_error *err)
{
    size_t p = s->problem.p;
    const tall_model *newest = &q->models[q->newest], *other = &q->models[1 - q->newest];
    bool first = isinf(d->gap);
    double place = log(d->lambda), t = share_at(q, first ? (place + q->began) / 2 : place);
    double total = !first || q->made < 2 ? d->total : t * newest->total + (1 - t) * other->total;
    double share = newest->total > 0 && total > 0 ? total / newest->total : 1;
    const double *g = q->blend;
    blend_products(q, s, t);
    blend_means(q, s, t);
    if (isfinite(d->rate))
        correct(q, s, d, share);
    memcpy(d->before, d->w, p * sizeof *d->w);
    d->b_before = d->b;
    for (size_t j = 0; j < p; j++) {
        q->beyond[j] = LEAST_CURVATURE * l1_norm(s, j) * l1_norm(s, j);
        q->linear[j] = d->products[j] / share + q->beyond[j] * d->w[j];
        q->beyond[j] += s->penalty.ridge ? d->lambda * s->penalty.ridge[j] / share : 0;
    }
    for (size_t j = 0; j < p; j++)
        if (d->w[j] != 0)
            kernel_axpy(d->w[j], g + j * p, q->linear, p);
    gram_problem problem = {.count = p,
                            .capacity = p,
                            .products = g,
                            .ridge = q->beyond,
                            .linear = q->linear,
                            .factors = q->room,
                            .lower = s->penalty.lower,
                            .upper = s->penalty.upper,
                            .constant = 2 * s->null.objective,
                            .lambda = d->lambda / share,
                            .set = q->set,
                            .set_count = q->set_count,
                            .w = d->w,
                            .progress = progress,
                            .epochs = d->epochs,
                            .max_epochs = s->options.max_iter,
                            .rounds = MODEL_ROUNDS};
    tm_status status = gram_problem_solve(&problem, -INFINITY, err);
    d->epochs = problem.epochs + 1;
    double moved = 0;
    for (size_t j = 0; j < p; j++)
        moved += q->means[j] * (d->w[j] - d->before[j]);
    if (s->problem.intercept && d->total > 0)
        d->b += d->left / d->total - moved;
    return status;
}

/* Steps of all points that are not done. In the first round all start at the same w: each starts
 * from the weights of the one before, which are closer. A point whose gap this step is expected to
 * close, by what the last one did, needs no pass before its certificate. */
static tm_status step_all(l1_together *q, const l1_state *s, double target,
                          solve_progress *progress, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t v = 0; v < q->count && status == TM_OK; v++) {
        tall_lambda *d = &q->points[v];
        if (d->done || d->waiting)
            continue;
        status = step(q, s, d, progress, err);
        d->done = EXPECTED * d->rate * d->gap <= TOGETHER_SHARE * target;
    }
    return status;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Evaluates `count` points. The model of the last of them, if it is wanted, takes the place of the
 * newest or, when `next`, that of the other. Returns false when the run must stop. */
static bool run_pass(l1_together *q, tall_point *found, size_t count, double lambda, bool models,
                     bool next, solve_progress *progress)
{
    size_t to = models && next ? 1 - q->newest : q->newest;
    tall_model *model = &q->models[to];
    model->at = models ? count - 1 : count;
    if (!tall_pass_run(q->pass, found, count, model, progress))
        return false;
    if (!models)
        return true;
    q->newest = to;
    q->places[to] = log(lambda);
    q->made += next && q->made < 2 ? 1 : 0;
    return true;
}

/* Evaluates the points that are not done. Returns false when the run must stop. */
static bool evaluate(l1_together *q, const l1_state *s, bool models, bool next, double target,
                     solve_progress *progress)
{
    tall_point found[TILE_VECTORS];
    tall_lambda *of[TILE_VECTORS];
    size_t count = 0;
    for (size_t v = 0; v < q->count; v++)
        if (!q->points[v].done) {
            tall_lambda *d = of[count] = &q->points[v];
            found[count++] = (tall_point){.w = d->w, .b = d->b, .products = d->trial};
        }
    if (count == 0)
        return !progress->stopped;
    if (!run_pass(q, found, count, of[count - 1]->lambda, models, next, progress) ||
        progress->stopped)
        return false;
    for (size_t k = 0; k < count; k++)
        judge(q, s, of[k], &found[k], target);
    return true;
}

/* All points start from the state's answer. Its products are known from its certificate; if it was
 * not computed here, or there is no model yet, a pass is made. So it is if the certificate may have
 * fitted unpenalised features, or has subtracted a squared penalty from the products. */
static bool start(l1_together *q, l1_state *s, const double *lambdas, solve_progress *progress)
{
    size_t p = s->problem.p;
    bool known =
        q->made > 0 && q->answered == s->it.solved_lambda && !s->penalty.free && !s->penalty.ridge;
    tall_lambda *first = &q->points[0];
    tall_point at = {
        .w = s->it.w, .b = s->it.b, .loss = q->loss, .total = q->total, .products = first->trial};
    double from = isfinite(s->it.solved_lambda) ? s->it.solved_lambda : lambdas[0];
    q->began = log(from);
    if (!known && !run_pass(q, &at, 1, from, true, true, progress))
        return false;
    blend_means(q, s, 1);
    const tall_terms terms = terms_of(q, s);
    for (size_t v = 0; v < q->count; v++) {
        tall_lambda *d = &q->points[v];
        d->lambda = lambdas[v];
        d->b = s->it.b;
        d->left = at.left;
        d->total = at.total;
        d->epochs = 0;
        d->gap = d->rate = INFINITY;
        d->done = d->waiting = false;
        memcpy(d->w, s->it.w, p * sizeof *d->w);
        for (size_t j = 0; j < p; j++)
            d->products[j] = known ? s->it.xr[j] : first->trial[j] - q->means[j] * at.left;
        d->objective = at.loss + points_penalty(&terms, d) + points_squares(&terms, d);
    }
    return !progress->stopped;
}

static double worst_gap(const l1_together *q)
{
    double worst = 0;
    for (size_t v = 0; v < q->count; v++)
        worst = fmax(worst, q->points[v].done ? 0 : q->points[v].gap);
    return worst;
}

/* Takes the points from the first on that are done. */
static void take(l1_together *q, l1_state *s)
{
    l1_together_answers *a = &q->answers;
    while (a->made < q->count && q->points[a->made].done) {
        a->b[a->made] = q->points[a->made].b;
        a->epochs[a->made] = q->points[a->made].epochs;
        a->made++;
    }
    q->failed = a->made > 0 ? 0 : q->failed + 1;
    q->answered = NAN;
    if (a->made == 0)
        return;
    const tall_lambda *last = &q->points[a->made - 1];
    memcpy(s->it.w, last->w, s->problem.p * sizeof *s->it.w);
    s->it.b = last->b;
    s->it.stale = true;
    q->answered = last->lambda;
    q->total = last->total;
    const tall_terms terms = terms_of(q, s);
    q->loss = last->objective - points_penalty(&terms, last) - points_squares(&terms, last);
}

tm_status l1_together_solve(l1_together **out, l1_state *s, const double *lambdas, size_t count,
                            double target, solve_progress *progress, tm_error *err)
{
    tm_status status = *out ? TM_OK : make(out, s, err);
    if (status != TM_OK)
        return status;
    l1_together *q = *out;
    q->answers.made = 0;
    q->count = count < TILE_VECTORS ? count : TILE_VECTORS;
    if (count < LEAST_POINTS || !start(q, s, lambdas, progress))
        return TM_OK;
    double worst = INFINITY;
    bool models = true;
    for (int pass = 0; pass < MAX_PASSES && worst > 0; pass++) {
        status = step_all(q, s, target, progress, err);
        if (status != TM_OK || progress->stopped ||
            !evaluate(q, s, models, pass == 0, target, progress))
            return status;
        double left = worst_gap(q);
        models = left > SLOW * worst;
        worst = left;
    }
    take(q, s);
    return TM_OK;
}

/* ---- one lambda ------------------------------------------------------------------------------ */

/* What a run that must stop has reached: the last point that was accepted. */
static void keep_accepted(const l1_together *q, l1_state *s)
{
    const tall_lambda *d = &q->points[0];
    if (isinf(d->gap))
        return;
    memcpy(s->it.w, d->before, s->problem.p * sizeof *s->it.w);
    s->it.b = d->b_before;
    s->it.stale = true;
}

tm_status l1_together_one(l1_together **out, l1_state *s, double target, solve_progress *progress,
                          tm_error *err)
{
    tm_status status = *out ? TM_OK : make(out, s, err);
    if (status != TM_OK)
        return status;
    l1_together *q = *out;
    size_t sampled = q->models[0].rows;
    q->answers.made = 0;
    q->count = 1;
    q->models[0].rows = q->models[1].rows = TILE_ROWS;
    bool going = start(q, s, &s->penalty.lambda, progress);
    for (int pass = 0; pass < MOST_ALONE && going && !q->points[0].done; pass++) {
        status = step_all(q, s, target, progress, err);
        going =
            status == TM_OK && !progress->stopped && evaluate(q, s, true, false, target, progress);
    }
    q->models[0].rows = q->models[1].rows = sampled;
    if (going)
        take(q, s);
    else if (status == TM_OK)
        keep_accepted(q, s);
    return status;
}
