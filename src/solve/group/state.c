#include "solve/group/state.h"

#include "base/memory.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "solve/group/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static bool find_scales(group_state *s)
{
    const tm_group_penalty *q = s->penalty;
    double *squares = mem_array(s->p, sizeof *squares);
    if (!squares || !standard_columns(s->data, s->intercept, s->means, squares)) {
        free(squares);
        return false;
    }
    for (size_t m = 0; m < q->members; m++) {
        size_t j = q->features[m];
        double factor = s->factors ? s->factors[j] : 1;
        s->scale[m] = squares[j] > 0 ? 1 / factor : 0;
        s->squares[m] = squares[j] * s->scale[m] * s->scale[m];
    }
    for (size_t b = 0; b < q->blocks; b++) {
        double sum = 0;
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++)
            sum += s->squares[m];
        s->reach[b] = sqrt(sum);
    }
    free(squares);
    return true;
}

static void find_null_model(group_state *s)
{
    if (s->plain && !s->of.offset) { /* a constant response gives exact zeros */
        residual_null(s->data, s->intercept, s->null_dual, &s->null_intercept);
        s->null_objective = residual_squares(s->null_dual, s->n) / 2;
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = s->of.offset ? s->of.offset[i] : 0;
    if (s->intercept)
        s->null_intercept = samples_best_shift(&s->of, s->z, 0);
    for (size_t i = 0; i < s->n; i++)
        s->z[i] += s->null_intercept;
    samples_dual_variables(&s->of, s->z, s->null_dual);
    if (s->intercept && s->loss->quadratic)
        samples_centre(&s->of, s->null_dual);
    s->null_objective = samples_loss(&s->of, s->z);
}

static bool allocate(group_state *s)
{
    size_t members = s->penalty->members, blocks = s->penalty->blocks;
    s->most = group_most(s->penalty);
    s->scale = mem_array(members, sizeof *s->scale);
    s->squares = mem_array(members, sizeof *s->squares);
    s->reach = mem_array(blocks, sizeof *s->reach);
    s->means = mem_array(s->p, sizeof *s->means);
    s->null_dual = mem_array(s->n, sizeof *s->null_dual);
    s->null_products = mem_array(s->p, sizeof *s->null_products);
    s->u = mem_zeros(members, sizeof *s->u);
    s->z = mem_array(s->n, sizeof *s->z);
    s->a = mem_array(s->n, sizeof *s->a);
    s->products = mem_array(s->p, sizeof *s->products);
    s->w = mem_zeros(s->p, sizeof *s->w);
    s->v = mem_zeros(members, sizeof *s->v);
    s->working = mem_array(blocks, sizeof *s->working);
    s->in_working = mem_zeros(blocks, sizeof *s->in_working);
    s->room = mem_array(4 * s->most, sizeof *s->room);
    return s->means && s->scale && s->squares && s->reach && s->null_dual && s->null_products &&
           s->u && s->z && s->a && s->products && s->w && s->v && s->working && s->in_working &&
           s->room && group_model_new(&s->model, s);
}

static tm_status find_null(group_state *s, solve_progress *progress, tm_error *err)
{
    if (!find_scales(s))
        return tm_fail_memory(err, "the solver");
    find_null_model(s);
    if (!products_all(s->data, s->intercept, s->null_dual, s->null_products, progress))
        return tm_fail(err, TM_ECANCELLED, "cancelled while looking for lambda_max");
    group_state_reset(s);
    s->lambda_max = group_known_norm(s);
    s->solved_lambda = s->lambda_max;
    return TM_OK;
}

tm_status group_state_new(group_state **out, const tm_dataset *data, const loss *l, bool intercept,
                          tm_group_penalty *penalty, double *factors, solve_progress *progress,
                          tm_error *err)
{
    *out = NULL;
    group_state *s = calloc(1, sizeof *s);
    if (!s) {
        tm_group_penalty_free(penalty);
        free(factors);
        return tm_fail_memory(err, "the solver");
    }
    s->data = tm_dataset_ref(data);
    s->x = tm_dataset_x(data);
    s->n = tm_dataset_rows(data);
    s->p = tm_dataset_cols(data);
    s->intercept = intercept;
    s->loss = l;
    s->of = samples_of(data, l);
    s->plain = l->quadratic && !s->of.weights;
    s->penalty = penalty;
    s->features = penalty->features;
    s->factors = factors;
    tm_status status = response_check(data, l, err);
    if (status == TM_OK && !allocate(s))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        status = find_null(s, progress, err);
    if (status != TM_OK) {
        group_state_free(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

void group_state_free(group_state *s)
{
    if (!s)
        return;
    group_model_free(s->model, s);
    tm_dataset_unref(s->data);
    tm_group_penalty_free(s->penalty);
    free(s->means);
    free(s->factors);
    free(s->scale);
    free(s->squares);
    free(s->reach);
    free(s->null_dual);
    free(s->null_products);
    free(s->u);
    free(s->z);
    free(s->a);
    free(s->products);
    free(s->w);
    free(s->v);
    free(s->working);
    free(s->in_working);
    free(s->room);
    free(s);
}

/* ---- the iterate ------------------------------------------------------------------------------
 */

void group_state_reset(group_state *s)
{
    memset(s->u, 0, s->penalty->members * sizeof *s->u);
    memcpy(s->a, s->null_dual, s->n * sizeof *s->a);
    memcpy(s->products, s->null_products, s->p * sizeof *s->products);
    s->b = s->null_intercept;
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = s->b + (s->of.offset ? s->of.offset[i] : 0);
}

void group_state_weights(group_state *s)
{
    for (size_t m = 0; m < s->penalty->members; m++)
        s->v[m] = s->u[m] * s->scale[m];
    tm_group_penalty_weights(s->penalty, s->v, s->w);
}

bool group_state_is_finite(const group_state *s)
{
    double sum = fabs(s->b);
    for (size_t m = 0; m < s->penalty->members; m++)
        sum += fabs(s->u[m]) * (1 + s->squares[m]);
    return isfinite(sum);
}

void group_state_refresh(group_state *s)
{
    group_state_weights(s);
    samples_predict(&s->of, s->data, s->w, 0, s->z);
    s->b = s->intercept ? samples_best_shift(&s->of, s->z, s->b) : 0;
    for (size_t i = 0; i < s->n; i++)
        s->z[i] += s->b;
    samples_dual_variables(&s->of, s->z, s->a);
    if (s->intercept && s->loss->quadratic)
        samples_centre(&s->of, s->a);
}

/* ---- the blocks worked on ---------------------------------------------------------------------
 */

void group_work_on(group_state *s, size_t block)
{
    if (s->in_working[block] || s->reach[block] == 0)
        return;
    s->in_working[block] = true;
    s->working[s->working_count++] = block;
}

static void work_on_none(group_state *s)
{
    s->working_count = 0;
    memset(s->in_working, 0, s->penalty->blocks * sizeof *s->in_working);
}

void group_work_on_all(group_state *s)
{
    work_on_none(s);
    for (size_t b = 0; b < s->penalty->blocks; b++)
        group_work_on(s, b);
}

void group_work_on_support(group_state *s)
{
    work_on_none(s);
    for (size_t b = 0; b < s->penalty->blocks; b++)
        if (group_value(s->penalty, b, s->u + s->penalty->starts[b]) > 0)
            group_work_on(s, b);
}

size_t group_working_members(const group_state *s)
{
    size_t members = 0;
    for (size_t k = 0; k < s->working_count; k++)
        members += group_size(s, s->working[k]);
    return members;
}

/* ---- products and gaps ------------------------------------------------------------------------
 */

void group_block_products(const group_state *s, size_t block, double *c, solve_progress *progress)
{
    size_t start = s->penalty->starts[block], count = group_size(s, block);
    for (size_t k = 0; k < count; k++) {
        size_t m = start + k;
        c[k] = s->scale[m] > 0 ? s->scale[m] * tm_matrix_dot(s->x, s->features[m], s->a) : 0;
    }
    progress->columns += count;
}

void group_known_products(const group_state *s, size_t block, double *c)
{
    size_t start = s->penalty->starts[block], count = group_size(s, block);
    for (size_t k = 0; k < count; k++)
        c[k] = s->scale[start + k] * s->products[s->features[start + k]];
}

bool group_working_norm(group_state *s, double *norm, solve_progress *progress)
{
    double left = s->intercept ? residual_sum(s->a, s->n) : 0;
    *norm = 0;
    for (size_t k = 0; k < s->working_count; k++) {
        size_t b = s->working[k], start = s->penalty->starts[b], count = group_size(s, b);
        group_block_products(s, b, s->room, progress);
        for (size_t i = 0; s->intercept && i < count; i++)
            s->room[i] -= s->scale[start + i] * s->means[s->features[start + i]] * left;
        *norm = group_dual_norm(s->penalty, b, s->room, *norm, s->room + s->most);
        if (progress_work(progress, (uint64_t)count * s->n))
            return false;
    }
    return true;
}

double group_known_norm(const group_state *s)
{
    double norm = 0;
    for (size_t b = 0; b < s->penalty->blocks; b++) {
        group_known_products(s, b, s->room);
        norm = group_dual_norm(s->penalty, b, s->room, norm, s->room + s->most);
    }
    return norm;
}

group_gap group_gap_of(const group_state *s, double dual_norm)
{
    group_gap g;
    double penalty = 0;
    for (size_t b = 0; b < s->penalty->blocks; b++)
        penalty += group_value(s->penalty, b, s->u + s->penalty->starts[b]);
    g.primal = samples_loss(&s->of, s->z) + s->lambda * penalty;
    double most = dual_norm > 0 ? s->lambda / dual_norm : INFINITY;
    g.scale = samples_scale(&s->of, s->a, most);
    g.dual = samples_dual(&s->of, s->a, g.scale);
    g.gap = g.primal - g.dual;
    return g;
}

double group_radius(const group_state *s, const group_gap *g)
{
    /* Sums over n terms lose up to about n roundings. */
    double lost = (1e-14 + 1e-16 * (double)s->n) * (g->primal + 2 * s->null_objective);
    return sqrt(2 * s->loss->smoothness * (fmax(g->gap, 0) + lost));
}
