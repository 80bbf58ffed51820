/* Bundle method for the l1-regularised multivariate risk (001 section 8, after Teo et al. 2010):
 *
 *     min |w|_1 + C R(w)
 *
 * Labelings found so far are planes below R; the small problem over them is a linear program on the
 * active features. A feature is added when its dual constraint |sum_k alpha_k a_kj| <= 1 is
 * violated. docs/multi.md derives the bounds. */
#include "data/matrix/pass_team.h"
#include "solve/multi/multi.h"
#include "solve/multi/tuning.h"
#include "solve/registry.h"

#include "base/memory.h"
#include "base/numeric/top_k.h"
#include "base/threads/parallel.h"
#include "solve/multi/bmrm_lp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bmrm {
    multi m;
    const tm_matrix *x;
    size_t *features, count; /* the active features in the order of their addition; capacity p */
    bool *known, *chosen;    /* p; for the first count features */
    double *s, *c;           /* n: sum_k alpha_k u_k / n; p: X's */
    double *w, *trimmed;     /* for the first count features: weights of the small problem; the
                              * thinned ones */
    double upper, lower;
    double lp_gap; /* of the last small problem */
} bmrm;

/* ---- the bundle's columns are the active features ------------------------------------------- */

static void feature_dots(const void *owner, size_t from, size_t count, const double *v, double *out)
{
    const bmrm *b = owner;
    for (size_t k = 0; k < count; k++)
        out[k] = tm_matrix_dot(b->x, b->features[from + k], v);
}

static void feature_axpy(const void *owner, size_t k, double a, double *z)
{
    const bmrm *b = owner;
    tm_matrix_axpy(b->x, b->features[k], a, z);
}

/* ---- features ------------------------------------------------------------------------------ */

static void price_range(size_t from, size_t to, void *payload)
{
    const bmrm *b = payload;
    tm_matrix_dot_range(b->x, from, to - from, b->s, b->c + from);
}

/* The multipliers of the labelings prove a lower bound over all features. */
static tm_status price(bmrm *b, solve_progress *progress, tm_error *err)
{
    uint64_t work = tm_matrix_nnz(b->x);
    double loss = bundle_combine(&b->m.bundle, b->s), steepest = 0;
    thread_team *team = pass_team(b->x, b->m.p, work, progress->team);
    parallel_groups(b->m.p, team, price_range, b);
    progress->columns += b->m.p;
    progress_work(progress, work);
    for (size_t j = 0; j < b->m.p; j++)
        steepest = fmax(steepest, fabs(b->c[j]));
    double lower =
        multi_lower_bound_l1(loss, steepest, bundle_multiplier_sum(&b->m.bundle), b->m.problem.C);
    if (lower <= b->lower)
        return TM_OK;
    b->lower = lower;
    return bundle_take_witness(&b->m.bundle, &b->m.witness, err);
}

/* Adds the features with the greatest violation; *came is set to their number. */
static tm_status enter(bmrm *b, size_t *came, solve_progress *progress, tm_error *err)
{
    size_t room = b->count / ROOM_SHARE > LEAST_ROOM ? b->count / ROOM_SHARE : LEAST_ROOM;
    best worst;
    if (!best_init(&worst, room))
        return tm_fail_memory(err, "the features");
    for (size_t j = 0; j < b->m.p; j++)
        if (!b->known[j] && fabs(b->c[j]) > PRODUCT_ABOVE)
            best_offer(&worst, j, fabs(b->c[j]));
    best_sort(&worst);
    *came = worst.count;
    for (size_t k = 0; k < *came; k++) {
        size_t j = (size_t)worst.picks[k].unit;
        b->known[j] = true;
        b->features[b->count++] = j;
        progress_emit_feature(progress, j, worst.picks[k].score, b->upper, b->lower, b->count,
                              b->m.p);
    }
    best_clear(&worst);
    return bundle_set_columns(&b->m.bundle, b->count, progress, err);
}

/* ---- one round ----------------------------------------------------------------------------- */

static tm_status solve_small(bmrm *b, double target, solve_progress *progress, tm_error *err)
{
    bundle *planes = &b->m.bundle;
    size_t K = planes->plane_count, J = b->count;
    const double **a = mem_array(K, sizeof *a);
    double *room = mem_array(2 * K, sizeof *room), *losses = room, *alpha = room + K;
    bmrm_lp_result result = {0};
    tm_status status = a && room ? TM_OK : tm_fail_memory(err, "the inner problem");
    for (size_t k = 0; status == TM_OK && k < K; k++) {
        a[k] = planes->planes[k].a;
        losses[k] = planes->planes[k].yhat->value.loss / (double)b->m.n;
    }
    if (status == TM_OK) {
        bmrm_lp small = {K, J, a, losses, b->m.problem.C};
        status = bmrm_lp_solve(&small, target, alpha, b->w, b->chosen, &result, err);
    }
    for (size_t k = 0; status == TM_OK && k < K; k++)
        planes->planes[k].alpha = alpha[k];
    b->lp_gap = result.upper - result.lower;
    progress_work(progress, 20 * K * K * (J + K / 3 + 1)); /* about twenty interior point steps */
    free(a);
    free(room);
    return status;
}

/* Computes the objective at weights of the active features, whose worst labeling becomes a
 * plane. */
static tm_status visit(bmrm *b, const double *w, double *objective, solve_progress *progress,
                       tm_error *err)
{
    double norm = 0, risk;
    for (size_t k = 0; k < b->count; k++)
        norm += fabs(w[k]);
    bundle_predict(&b->m.bundle, w, progress);
    tm_status status = bundle_add_worst(&b->m.bundle, &risk, progress, err);
    *objective = norm + b->m.problem.C * risk;
    return status;
}

static void take_answer(bmrm *b, const double *w, double objective)
{
    if (objective >= b->upper)
        return;
    b->upper = objective;
    memset(b->m.weights, 0, b->m.p * sizeof *b->m.weights);
    for (size_t k = 0; k < b->count; k++)
        b->m.weights[b->features[k]] = w[k];
}

/* The upper bound is taken at sparser weights: without those that the small problem drives to
 * zero. */
static tm_status improve(bmrm *b, solve_progress *progress, tm_error *err)
{
    double objective;
    for (size_t k = 0; k < b->count; k++)
        b->trimmed[k] = b->chosen[k] ? b->w[k] : 0;
    tm_status status = visit(b, b->trimmed, &objective, progress, err);
    if (status == TM_OK)
        take_answer(b, b->trimmed, objective);
    return status;
}

static void report(const bmrm *b, solve_progress *progress)
{
    progress->inner_gap = b->lp_gap;
    progress_emit(progress, TM_EVENT_CHECK, b->upper, b->lower, b->upper - b->lower, b->count,
                  b->m.p);
    progress->inner_gap = NAN;
}

/* Solves the small problem, computes both bounds, adds a plane. When no feature is added the small
 * problem must be solved more accurately; *stuck is set when it cannot be, and then weights that it
 * does drive to zero may be what is missing. */
static tm_status run_round(bmrm *b, double target, double *share, bool *stuck,
                           solve_progress *progress, tm_error *err)
{
    bundle *planes = &b->m.bundle;
    size_t came = 0;
    double objective, asked = *share * (b->upper - b->lower);
    tm_status status = solve_small(b, asked, progress, err);
    if (status == TM_OK)
        status = price(b, progress, err);
    size_t before = planes->plane_count;
    if (status == TM_OK)
        status = improve(b, progress, err);
    progress->updates++;
    if (status != TM_OK)
        return status;
    report(b, progress);
    if (b->upper - b->lower <= target || progress->stopped)
        return TM_OK;
    status = visit(b, b->w, &objective, progress, err);
    if (status == TM_OK)
        status = enter(b, &came, progress, err);
    bool same = planes->plane_count == before && came == 0;
    *stuck = same && (b->lp_gap > asked || *share < LP_SHARE_LEAST);
    *share = same ? LP_SHARE_FALL * *share : LP_SHARE;
    if (status == TM_OK && *stuck)
        take_answer(b, b->w, objective);
    bundle_drop_idle(planes, LP_ABOVE_ZERO, MAX_IDLE_PLANES);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------- */

static size_t greatest_loss(const bundle *planes)
{
    size_t found = 0;
    for (size_t k = 1; k < planes->plane_count; k++)
        if (planes->planes[k].yhat->value.loss > planes->planes[found].yhat->value.loss)
            found = k;
    return found;
}

/* Bounds without weights, and the initial features: those with the greatest products when all
 * weight is on the worst labeling. */
static tm_status start(bmrm *b, solve_progress *progress, tm_error *err)
{
    bundle *planes = &b->m.bundle;
    double risk;
    size_t came;
    memset(planes->v, 0, b->m.n * sizeof *planes->v);
    memset(b->m.weights, 0, b->m.p * sizeof *b->m.weights);
    tm_status status = bundle_add_worst(planes, &risk, progress, err);
    b->upper = b->m.problem.C * risk;
    b->lower = 0;
    if (status != TM_OK || b->count > 0)
        return status;
    planes->planes[greatest_loss(planes)].alpha = b->m.problem.C;
    status = price(b, progress, err);
    return status == TM_OK ? enter(b, &came, progress, err) : status;
}

static tm_status bmrm_solve(void *work, solve_progress *progress, double target,
                            solve_answer *answer, tm_error *err)
{
    bmrm *b = work;
    double share = LP_SHARE;
    bool stuck = false;
    tm_status status = multi_start(&b->m, progress, err);
    if (status == TM_OK && !isfinite(b->upper))
        status = start(b, progress, err);
    while (status == TM_OK && b->m.bundle.planes_most > 0 && b->count > 0 && !stuck &&
           !progress->stopped && b->upper - b->lower > target) {
        b->m.bundle.planes_most--;
        status = run_round(b, target, &share, &stuck, progress, err);
    }
    if (status != TM_OK)
        return status;
    bool met = b->upper - b->lower <= target;
    *answer = (solve_answer){.converged = met,
                             .stalled = !met,
                             .stop = multi_stop(&b->m),
                             .weights = b->m.weights,
                             .problem = {.lambda = NAN},
                             .C = b->m.problem.C,
                             .active = b->count};
    return TM_OK;
}

/* ---- construction -------------------------------------------------------------------------- */

static void bmrm_finish(void *work)
{
    bmrm *b = work;
    multi_free(&b->m);
    free(b->features);
    free(b->known);
    free(b->chosen);
    free(b->s);
    free(b->w);
    free(b);
}

static tm_status make(bmrm *b, const tm_dataset *data, const tm_params *params, tm_error *err)
{
    bundle_columns columns = {b, feature_dots, feature_axpy};
    tm_status status = multi_init(&b->m, data, params, &columns, err);
    size_t n = b->m.n, p = b->m.p;
    if (status != TM_OK)
        return status;
    b->m.problem.l1 = true;
    b->x = tm_dataset_x(data);
    b->features = mem_array(p, sizeof *b->features);
    b->known = mem_zeros(p, sizeof *b->known);
    b->chosen = mem_zeros(p, sizeof *b->chosen);
    b->s = mem_array(n + p, sizeof *b->s);
    b->w = mem_array(2 * p, sizeof *b->w);
    if (!b->features || !b->known || !b->chosen || !b->s || !b->w)
        return tm_fail_memory(err, "the solver");
    b->c = b->s + n;
    b->trimmed = b->w + p;
    return TM_OK;
}

static tm_status bmrm_init(void **work, const tm_dataset *data, const tm_params *params,
                           solve_progress *progress, tm_error *err)
{
    bmrm *b = calloc(1, sizeof *b);
    if (!b)
        return tm_fail_memory(err, "the solver");
    progress->lambda = NAN;
    tm_status status = make(b, data, params, err);
    return method_made(work, b, bmrm_finish, status);
}

static tm_status bmrm_update(void *work, const tm_params *params, tm_error *err)
{
    bmrm *b = work;
    (void)err;
    multi_update(&b->m, params);
    return TM_OK;
}

static void bmrm_begin(void *work)
{
    bmrm *b = work;
    multi_begin(&b->m);
    b->upper = INFINITY;
    if (b->m.warm)
        return;
    bundle_clear_columns(&b->m.bundle);
    memset(b->known, 0, b->m.p * sizeof *b->known);
    b->count = 0;
}

const method_ops bmrm_ops = {
    .init = bmrm_init,
    .update = bmrm_update,
    .warm = multi_warm,
    .begin = bmrm_begin,
    .solve = bmrm_solve,
    .certify = multi_certify,
    .null_objective = multi_null_objective,
    .finish = bmrm_finish,
};
