#include "solve/group/state.h"

#include "base/memory.h"
#include "model/loss/residual.h"
#include "solve/common/products.h"
#include "solve/common/response.h"
#include "solve/common/standardise.h"
#include "solve/group/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- construction -------------------------------------------------------------------------- */

static bool find_scales(group_state *s)
{
    bool good = false;
    const tm_group_penalty *q = s->problem.penalty;
    double *squares = mem_array(s->problem.p, sizeof *squares);
    if (!squares ||
        !standard_columns(s->problem.data, s->problem.intercept, s->problem.means, squares))
        goto done;
    for (size_t m = 0; m < q->members; m++) {
        size_t j = q->features[m];
        double factor = s->problem.factors ? s->problem.factors[j] : 1;
        s->problem.scale[m] = squares[j] > 0 ? 1 / factor : 0;
        s->problem.squares[m] = squares[j] * s->problem.scale[m] * s->problem.scale[m];
    }
    for (size_t b = 0; b < q->blocks; b++) {
        double sum = 0;
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++)
            sum += s->problem.squares[m];
        s->problem.reach[b] = sqrt(sum);
    }
    good = true;
done:
    free(squares);
    return good;
}

static void find_null_model(group_state *s)
{
    if (s->problem.unweighted_square &&
        !s->problem.of.offset) { /* a constant response gives exact zeros */
        residual_null(s->problem.data, s->problem.intercept, s->null.dual, &s->null.intercept);
        s->null.objective = residual_squares(s->null.dual, s->problem.n) / 2;
        return;
    }
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] = s->problem.of.offset ? s->problem.of.offset[i] : 0;
    if (s->problem.intercept)
        s->null.intercept = samples_best_shift(&s->problem.of, s->z, 0);
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] += s->null.intercept;
    samples_dual_variables(&s->problem.of, s->z, s->null.dual);
    if (s->problem.intercept && s->problem.loss->quadratic)
        samples_centre(&s->problem.of, s->null.dual);
    s->null.objective = samples_loss(&s->problem.of, s->z);
}

static bool allocate(group_state *s)
{
    size_t members = s->problem.penalty->members, blocks = s->problem.penalty->blocks;
    s->problem.most = group_most(s->problem.penalty);
    s->problem.scale = mem_array(members, sizeof *s->problem.scale);
    s->problem.squares = mem_array(members, sizeof *s->problem.squares);
    s->problem.reach = mem_array(blocks, sizeof *s->problem.reach);
    s->problem.means = mem_array(s->problem.p, sizeof *s->problem.means);
    s->null.dual = mem_array(s->problem.n, sizeof *s->null.dual);
    s->null.products = mem_array(s->problem.p, sizeof *s->null.products);
    s->u = mem_zeros(members, sizeof *s->u);
    s->z = mem_array(s->problem.n, sizeof *s->z);
    s->a = mem_array(s->problem.n, sizeof *s->a);
    s->products = mem_array(s->problem.p, sizeof *s->products);
    s->w = mem_zeros(s->problem.p, sizeof *s->w);
    s->v = mem_zeros(members, sizeof *s->v);
    s->set.blocks = mem_array(blocks, sizeof *s->set.blocks);
    s->set.has = mem_zeros(blocks, sizeof *s->set.has);
    s->room = mem_array(4 * s->problem.most, sizeof *s->room);
    return s->problem.means && s->problem.scale && s->problem.squares && s->problem.reach &&
           s->null.dual && s->null.products && s->u && s->z && s->a && s->products && s->w &&
           s->v && s->set.blocks && s->set.has && s->room;
}

static tm_status find_null(group_state *s, solve_progress *progress, tm_error *err)
{
    if (!find_scales(s))
        return tm_fail_memory(err, "the solver");
    find_null_model(s);
    if (!products_all(s->problem.data, s->problem.intercept, s->null.dual, s->null.products,
                      progress))
        return tm_fail(err, TM_ECANCELLED, "cancelled while computing lambda_max");
    group_state_reset(s);
    s->null.lambda_max = group_known_norm(s);
    s->solved_lambda = s->null.lambda_max;
    return TM_OK;
}

tm_status group_state_new(group_state **out, const tm_dataset *data, const group_terms *terms,
                          solve_progress *progress, tm_error *err)
{
    *out = NULL;
    group_state *s = calloc(1, sizeof *s);
    if (!s) {
        tm_group_penalty_free(terms->penalty);
        free(terms->factors);
        return tm_fail_memory(err, "the solver");
    }
    s->problem.data = tm_dataset_ref(data);
    s->problem.x = tm_dataset_x(data);
    s->problem.n = tm_dataset_rows(data);
    s->problem.p = tm_dataset_cols(data);
    s->problem.intercept = terms->intercept;
    s->problem.loss = terms->loss;
    s->problem.of = samples_of(data, terms->loss);
    s->problem.unweighted_square = terms->loss->quadratic && !s->problem.of.weights;
    s->problem.penalty = terms->penalty;
    s->problem.features = terms->penalty->features;
    s->problem.factors = terms->factors;
    tm_status status = response_check(data, terms->loss, err);
    if (status == TM_OK && !allocate(s))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        status = find_null(s, progress, err);
    if (status == TM_OK)
        *out = s;
    else
        group_state_free(s);
    return status;
}

void group_state_free(group_state *s)
{
    if (!s)
        return;
    tm_dataset_unref(s->problem.data);
    tm_group_penalty_free(s->problem.penalty);
    free(s->problem.means);
    free(s->problem.factors);
    free(s->problem.scale);
    free(s->problem.squares);
    free(s->problem.reach);
    free(s->null.dual);
    free(s->null.products);
    free(s->u);
    free(s->z);
    free(s->a);
    free(s->products);
    free(s->w);
    free(s->v);
    free(s->set.blocks);
    free(s->set.has);
    free(s->room);
    free(s);
}

/* ---- the iterate ------------------------------------------------------------------------------
 */

void group_state_reset(group_state *s)
{
    memset(s->u, 0, s->problem.penalty->members * sizeof *s->u);
    memcpy(s->a, s->null.dual, s->problem.n * sizeof *s->a);
    memcpy(s->products, s->null.products, s->problem.p * sizeof *s->products);
    s->b = s->null.intercept;
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] = s->b + (s->problem.of.offset ? s->problem.of.offset[i] : 0);
}

void group_state_weights(group_state *s)
{
    for (size_t m = 0; m < s->problem.penalty->members; m++)
        s->v[m] = s->u[m] * s->problem.scale[m];
    tm_group_penalty_weights(s->problem.penalty, s->v, s->w);
}

bool group_state_is_finite(const group_state *s)
{
    double sum = fabs(s->b);
    for (size_t m = 0; m < s->problem.penalty->members; m++)
        sum += fabs(s->u[m]) * (1 + s->problem.squares[m]);
    return isfinite(sum);
}

void group_state_refresh(group_state *s)
{
    group_state_weights(s);
    samples_predict(&s->problem.of, s->problem.data, s->w, 0, s->z);
    s->b = s->problem.intercept ? samples_best_shift(&s->problem.of, s->z, s->b) : 0;
    for (size_t i = 0; i < s->problem.n; i++)
        s->z[i] += s->b;
    samples_dual_variables(&s->problem.of, s->z, s->a);
    if (s->problem.intercept && s->problem.loss->quadratic)
        samples_centre(&s->problem.of, s->a);
}

/* ---- the working set ----------------------------------------------------------------------- */

void group_work_on(group_state *s, size_t block)
{
    if (s->set.has[block] || s->problem.reach[block] == 0)
        return;
    s->set.has[block] = true;
    s->set.blocks[s->set.count++] = block;
}

static void work_on_none(group_state *s)
{
    s->set.count = 0;
    memset(s->set.has, 0, s->problem.penalty->blocks * sizeof *s->set.has);
}

void group_work_on_all(group_state *s)
{
    work_on_none(s);
    for (size_t b = 0; b < s->problem.penalty->blocks; b++)
        group_work_on(s, b);
}

void group_work_on_support(group_state *s)
{
    work_on_none(s);
    for (size_t b = 0; b < s->problem.penalty->blocks; b++)
        if (group_value(s->problem.penalty, b, s->u + s->problem.penalty->starts[b]) > 0)
            group_work_on(s, b);
}

size_t group_working_members(const group_state *s)
{
    size_t members = 0;
    for (size_t k = 0; k < s->set.count; k++)
        members += group_size(s, s->set.blocks[k]);
    return members;
}

/* ---- products and gaps ------------------------------------------------------------------------
 */

void group_block_products(const group_state *s, size_t block, double *c, solve_progress *progress)
{
    size_t start = s->problem.penalty->starts[block], count = group_size(s, block);
    for (size_t k = 0; k < count; k++) {
        size_t m = start + k;
        c[k] = s->problem.scale[m] > 0
                   ? s->problem.scale[m] * tm_matrix_dot(s->problem.x, s->problem.features[m], s->a)
                   : 0;
    }
    progress->columns += count;
}

void group_known_products(const group_state *s, size_t block, double *c)
{
    size_t start = s->problem.penalty->starts[block], count = group_size(s, block);
    for (size_t k = 0; k < count; k++)
        c[k] = s->problem.scale[start + k] * s->products[s->problem.features[start + k]];
}

bool group_working_norm(group_state *s, double *norm, solve_progress *progress)
{
    double left = s->problem.intercept ? residual_sum(s->a, s->problem.n) : 0;
    *norm = 0;
    for (size_t k = 0; k < s->set.count; k++) {
        size_t b = s->set.blocks[k], start = s->problem.penalty->starts[b],
               count = group_size(s, b);
        group_block_products(s, b, s->room, progress);
        for (size_t i = 0; s->problem.intercept && i < count; i++)
            s->room[i] -= s->problem.scale[start + i] *
                          s->problem.means[s->problem.features[start + i]] * left;
        *norm = group_dual_norm(s->problem.penalty, b, s->room, *norm, s->room + s->problem.most);
        if (progress_work(progress, (uint64_t)count * s->problem.n))
            return false;
    }
    return true;
}

double group_known_norm(const group_state *s)
{
    double norm = 0;
    for (size_t b = 0; b < s->problem.penalty->blocks; b++) {
        group_known_products(s, b, s->room);
        norm = group_dual_norm(s->problem.penalty, b, s->room, norm, s->room + s->problem.most);
    }
    return norm;
}

group_gap group_gap_of(const group_state *s, double dual_norm)
{
    group_gap g;
    double penalty = 0;
    for (size_t b = 0; b < s->problem.penalty->blocks; b++)
        penalty += group_value(s->problem.penalty, b, s->u + s->problem.penalty->starts[b]);
    g.primal = samples_loss(&s->problem.of, s->z) + s->lambda * penalty;
    double most = dual_norm > 0 ? s->lambda / dual_norm : INFINITY;
    g.scale = samples_scale(&s->problem.of, s->a, most);
    g.dual = samples_dual(&s->problem.of, s->a, g.scale);
    g.gap = g.primal - g.dual;
    return g;
}

double group_radius(const group_state *s, const group_gap *g)
{
    double lost =
        (GAP_LOST + GAP_LOST_A_ROW * (double)s->problem.n) * (g->primal + 2 * s->null.objective);
    return sqrt(2 * s->problem.loss->smoothness * (fmax(g->gap, 0) + lost));
}
