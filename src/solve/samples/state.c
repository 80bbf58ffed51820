#include "solve/samples/state.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "data/matrix/kernels.h"
#include "solve/common/response.h"
#include "solve/samples/cache.h"

#include <math.h>
#include <string.h>

/* ---- the problem --------------------------------------------------------------------------- */

/* The weights of the rows by class: weight_positive for +1, and with `balance` such that both
 * classes have the same total weight. */
static void find_class_weights(const svm_problem *q, const tm_params *params, double by_class[2])
{
    by_class[0] = 1;
    by_class[1] = tm_params_real(params, "weight_positive");
    if (!tm_params_bool(params, "balance"))
        return;
    double sums[2] = {0, 0};
    const double *s = tm_dataset_weights(q->data), *y = tm_dataset_y(q->data);
    for (size_t i = 0; i < q->n; i++)
        sums[y[i] > 0] += s ? s[i] : 1;
    for (int k = 0; k < 2; k++)
        by_class[k] *= (sums[0] + sums[1]) / (2 * sums[k]);
}

static void fill_rows(svm_problem *q, const tm_params *params)
{
    const double *s = tm_dataset_weights(q->data), *o = tm_dataset_offset(q->data);
    const double *y = tm_dataset_y(q->data);
    double by_class[2];
    find_class_weights(q, params, by_class);
    for (size_t i = 0; i < q->n; i++) {
        q->weight[i] = (s ? s[i] : 1) * by_class[y[i] > 0];
        q->c[i] = 1 - (o ? y[i] * o[i] : 0);
        q->self[i] = kernel_self(&q->rows.of, q->rows.squares[i]) +
                     (q->of.intercept == HINGE_REGULARISED ? 1 : 0);
        q->length[i] = sqrt(q->self[i]);
    }
}

static tm_status check_classes(const tm_dataset *data, tm_error *err)
{
    static const loss needs_classes = {.id = "hinge", .binary = true};
    return response_check(data, &needs_classes, err);
}

/* With this value scaled distances are about 1. */
static double default_gamma(const tm_dataset *data)
{
    const double *deviations = tm_dataset_deviations(data);
    double sum = 0, n = (double)tm_dataset_rows(data);
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        sum += deviations[j];
    return sum > 0 && isfinite(n / sum) ? n / sum : 1;
}

static kernel kernel_of(const tm_dataset *data, const tm_params *params)
{
    return (kernel){.kind = (kernel_kind)tm_params_choice(params, "kernel"),
                    .gamma = tm_params_has(params, "gamma") ? tm_params_real(params, "gamma")
                                                            : default_gamma(data),
                    .coef0 = tm_params_real(params, "coef0"),
                    .degree = (int)tm_params_int(params, "degree")};
}

tm_status svm_problem_make(svm_problem *q, const tm_dataset *data, const tm_params *params,
                           tm_error *err)
{
    *q = (svm_problem){.n = tm_dataset_rows(data), .p = tm_dataset_cols(data)};
    q->of.intercept = (hinge_intercept)tm_params_choice(params, "intercept");
    q->data = tm_dataset_ref(data);
    q->of.kernel = kernel_of(data, params);
    tm_status status = check_classes(data, err);
    if (status == TM_OK)
        status = kernel_rows_make(&q->rows, tm_dataset_x(data), &q->of.kernel, err);
    if (status != TM_OK)
        return status;
    q->weight = mem_array(q->n, sizeof *q->weight);
    q->c = mem_array(q->n, sizeof *q->c);
    q->u = mem_array(q->n, sizeof *q->u);
    q->self = mem_array(q->n, sizeof *q->self);
    q->length = mem_array(q->n, sizeof *q->length);
    if (!q->weight || !q->c || !q->u || !q->self || !q->length)
        return tm_fail_memory(err, "the solver");
    fill_rows(q, params);
    q->of.of = (hinge_rows){q->n, tm_dataset_y(data), q->u, q->c};
    return TM_OK;
}

void svm_problem_clear(svm_problem *q)
{
    tm_dataset_unref(q->data);
    kernel_rows_clear(&q->rows);
    free(q->weight);
    free(q->c);
    free(q->u);
    free(q->self);
    free(q->length);
}

void svm_problem_set(svm_problem *q, double C)
{
    q->C = C;
    for (size_t i = 0; i < q->n; i++)
        q->u[i] = C * q->weight[i];
}

double svm_problem_null(const svm_problem *q, double *room)
{
    double *zero = room, b = 0;
    memset(zero, 0, q->n * sizeof *zero);
    if (q->of.intercept == HINGE_FREE)
        b = hinge_intercepts(&q->of.of, NULL, q->n, 0, zero, room + q->n).best;
    for (size_t i = 0; i < q->n; i++)
        zero[i] = b;
    return hinge_loss(&q->of.of, zero);
}

/* ---- the sets ------------------------------------------------------------------------------ */

tm_status svm_state_make(svm_state *s, svm_problem *q, double cache_bytes, tm_error *err)
{
    size_t n = q->n;
    bool linear = q->of.kernel.kind == KERNEL_LINEAR && q->of.intercept != HINGE_FREE;
    *s = (svm_state){.problem = q, .space = linear ? &linear_space : &kernel_space};
    s->theta = mem_zeros(n, sizeof *s->theta);
    s->place = mem_zeros(n, sizeof *s->place);
    s->set = mem_array(n, sizeof *s->set);
    s->w = mem_zeros(q->p, sizeof *s->w);
    s->f = mem_zeros(n, sizeof *s->f);
    s->room = mem_array(3 * n, sizeof *s->room);
    s->value = mem_array(n, sizeof *s->value);
    s->order = mem_array(n, sizeof *s->order);
    if (linear)
        s->pace.rest = mem_zeros(2 * n, sizeof *s->pace.rest);
    else
        s->cache = kernel_cache_new(&q->rows, cache_bytes);
    if (!s->theta || !s->place || !s->set || !s->w || !s->f || !s->room || !s->value || !s->order ||
        (linear ? !s->pace.rest : !s->cache))
        return tm_fail_memory(err, "the solver");
    s->pace.length = linear ? s->pace.rest + n : NULL;
    svm_state_fill(s);
    return TM_OK;
}

void svm_state_clear(svm_state *s)
{
    free(s->theta);
    free(s->place);
    free(s->set);
    free(s->w);
    free(s->f);
    free(s->room);
    free(s->value);
    free(s->order);
    free(s->pace.rest);
    kernel_cache_free(s->cache);
}

static void make_live(svm_state *s)
{
    s->live = s->count;
    if (s->cache)
        kernel_cache_grow(s->cache);
}

void svm_state_fill(svm_state *s)
{
    s->count = 0;
    for (size_t i = 0; i < s->problem->n; i++) {
        s->place[i] = s->problem->u[i] > 0 ? SAMPLE_WORKED : SAMPLE_OUT;
        if (s->place[i] == SAMPLE_WORKED)
            s->set[s->count++] = i;
    }
    s->shrink = (svm_limits){-INFINITY, INFINITY};
    if (s->pace.rest)
        memset(s->pace.rest, 0, 2 * s->problem->n * sizeof *s->pace.rest);
    make_live(s);
}

void svm_state_move(svm_state *s, size_t at, sample_place place)
{
    s->place[s->set[at]] = (unsigned char)place;
    if (at < s->live) {
        s->set[at] = s->set[--s->live];
        at = s->live;
    }
    s->set[at] = s->set[--s->count];
}

void svm_state_add(svm_state *s, size_t i)
{
    s->place[i] = SAMPLE_WORKED;
    s->set[s->count++] = i;
}

bool svm_state_unshrink(svm_state *s, solve_progress *progress)
{
    size_t from = s->live;
    make_live(s);
    return from == s->count || !svm_keeps_products(s) ||
           s->space->products(s, s->set + from, s->count - from, progress);
}

bool svm_state_refresh(svm_state *s, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    if (svm_keeps_products(s)) {
        size_t count = 0;
        for (size_t i = 0; i < q->n; i++)
            if (s->place[i] != SAMPLE_OUT)
                s->order[count++] = i;
        if (!s->space->products(s, s->order, count, progress))
            return false;
        s->dual = 0;
        for (size_t i = 0; i < q->n; i++)
            if (s->theta[i] != 0)
                s->dual += s->theta[i] * (q->c[i] - svm_y(s, i) * s->f[i] / 2);
        return true;
    }
    memset(s->w, 0, q->p * sizeof *s->w);
    s->w0 = 0;
    for (size_t i = 0; i < q->n; i++) {
        if (s->theta[i] == 0)
            continue;
        double a = svm_y(s, i) * s->theta[i];
        kernel_rows_axpy(&q->rows, i, a, s->w);
        s->w0 += q->of.intercept == HINGE_REGULARISED ? a : 0;
        if (progress_work(progress, q->p))
            return false;
    }
    return true;
}

/* ---- the gap ------------------------------------------------------------------------------- */

hinge_interval svm_state_intercepts(svm_state *s, const double *f)
{
    const svm_problem *q = s->problem;
    double others = 0;
    if (q->of.intercept != HINGE_FREE)
        return (hinge_interval){0, 0, 0};
    for (size_t i = 0; i < q->n; i++)
        others -= s->place[i] == SAMPLE_BOUND ? svm_y(s, i) * q->u[i] : 0;
    return hinge_intercepts(&q->of.of, s->set, s->count, others, f, s->room);
}

/* The dual objective in the linear space, where |w| is known. */
static double dual_of_weights(const svm_state *s)
{
    const svm_problem *q = s->problem;
    double squares = s->w0 * s->w0 + kernel_dot(s->w, s->w, q->p), sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += q->c[i] * s->theta[i];
    return sum - squares / 2;
}

/* Products of the set, which are known where w is 0. */
static bool find_products(svm_state *s, solve_progress *progress)
{
    if (svm_keeps_products(s))
        return true;
    if (s->w0 != 0 || next_nonzero(s->w, 0, s->problem->p) < s->problem->p)
        return s->space->products(s, s->set, s->count, progress);
    for (size_t k = 0; k < s->count; k++)
        s->f[s->set[k]] = 0;
    return true;
}

/* A sample's contribution is (u_i - theta_i) e_i or -theta_i e_i by the sign of e_i = c_i - y_i
 * (f_i + b); it is never negative. Samples at their bound contribute nothing: their loss is
 * linear. */
bool svm_state_find_gap(svm_state *s, svm_gap *at, solve_progress *progress)
{
    const svm_problem *q = s->problem;
    if (!find_products(s, progress))
        return false;
    at->b = svm_state_intercepts(s, s->f);
    at->gap = 0;
    for (size_t k = 0; k < s->count; k++) {
        size_t i = s->set[k];
        double e = svm_slope(s, i) - svm_y(s, i) * at->b.best;
        at->gap += e > 0 ? (q->u[i] - s->theta[i]) * e : -s->theta[i] * e;
    }
    at->dual = svm_keeps_products(s) ? s->dual : dual_of_weights(s);
    return true;
}
