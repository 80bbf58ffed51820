#include "solve/structure/rows.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "solve/structure/dense.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rows_solver {
    const tm_dataset *data;
    graph_terms terms;
    graph_certifier *certifier; /* not owned */
    size_t n, p, m;             /* m: terms including the penalties of single features */
    double *columns;            /* n x p; NULL with `wide` */
    wide_system *wide, *unit;   /* for many features; unit: of the identity, for lambda_max */
    bool intercept;             /* one that the weights without a penalty do not make redundant */
    size_t *starts;
    uint32_t *cols;
    double *values, *weights, *bound; /* weights, bound: m */
    double *w, b, *u;
    double *room; /* n + p: predictions, and other weights */
    rows_null null;
};

void rows_solver_free(rows_solver *r)
{
    if (!r)
        return;
    wide_free(r->wide);
    wide_free(r->unit);
    free(r->columns);
    free(r->starts);
    free(r->cols);
    free(r->values);
    free(r->weights);
    free(r->bound);
    free(r->w);
    free(r->u);
    free(r->room);
    free(r);
}

/* Whether features go into a band: many do, to save memory and time, and those that are measured
 * one by one (X = I), to lose fewer digits. */
static bool takes_band(const rows_solver *r)
{
    return r->p > MAX_WIDTH || tm_matrix_nnz(tm_dataset_x(r->data)) <= r->n;
}

static bool allocate(rows_solver *r)
{
    bool band = takes_band(r);
    size_t entries = r->p, count;
    const double *values;
    for (size_t t = 0; t < tm_graph_terms(r->terms.graph); t++) {
        tm_graph_term(r->terms.graph, t, &values, &count);
        entries += count;
    }
    r->columns = band ? NULL : mem_array(r->p, r->n * sizeof *r->columns);
    r->starts = mem_zeros(r->m + 1, sizeof *r->starts);
    r->cols = mem_array(entries, sizeof *r->cols);
    r->values = mem_array(entries, sizeof *r->values);
    r->weights = mem_array(r->m, sizeof *r->weights);
    r->bound = mem_array(r->m, sizeof *r->bound);
    r->w = mem_zeros(r->p, sizeof *r->w);
    r->u = mem_zeros(r->m, sizeof *r->u);
    r->room = mem_array(r->n + r->p, sizeof *r->room);
    return (r->columns || band) && r->starts && r->cols && r->values && r->weights && r->bound &&
           r->w && r->u && r->room;
}

static void fill(rows_solver *r)
{
    size_t used = 0, t = 0;
    for (; t < tm_graph_terms(r->terms.graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(r->terms.graph, t, &values, &count);
        memcpy(r->cols + used, f, count * sizeof *f);
        memcpy(r->values + used, values, count * sizeof *values);
        used += count;
        r->weights[t] = 1;
        r->starts[t + 1] = used;
    }
    for (size_t j = 0; t < r->m; j++, t++) {
        r->cols[used] = (uint32_t)j;
        r->values[used++] = 1;
        r->weights[t] = r->terms.own[j];
        r->starts[t + 1] = used;
    }
    for (size_t j = 0; r->columns && j < r->p; j++)
        tm_matrix_column(tm_dataset_x(r->data), j, r->columns + j * r->n);
}

/* Whether equal weights have no penalty and give equal predictions, as an intercept does. */
static tm_status find_redundant(const rows_solver *r, bool *redundant, tm_error *err)
{
    double *z = mem_zeros(r->n, sizeof *z);
    if (!z)
        return tm_fail_memory(err, "the solver");
    *redundant = !r->terms.own;
    for (size_t t = 0; *redundant && t < r->m; t++) {
        double sum = 0;
        for (size_t i = r->starts[t]; i < r->starts[t + 1]; i++)
            sum += r->values[i];
        *redundant = sum == 0;
    }
    for (size_t j = 0; *redundant && j < r->p; j++)
        tm_matrix_axpy(tm_dataset_x(r->data), j, 1, z);
    for (size_t i = 1; *redundant && i < r->n; i++)
        *redundant = z[i] == z[0];
    *redundant = *redundant && z[0] != 0;
    free(z);
    return TM_OK;
}

/* Features as a band, if there are many, and the intercept. */
static tm_status make_system(rows_solver *r, tm_error *err)
{
    const wide_rows terms = {r->m, r->starts, r->cols, r->values};
    bool redundant = false;
    tm_status status = TM_OK;
    if (!r->columns)
        status = wide_new(&r->wide, tm_dataset_x(r->data), r->n, r->p, &terms, err);
    if (status == TM_OK && r->intercept)
        status = find_redundant(r, &redundant, err);
    r->intercept = r->intercept && !redundant;
    return status;
}

tm_status rows_solver_new(rows_solver **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    *out = NULL;
    rows_solver *r = calloc(1, sizeof *r);
    if (!r)
        return tm_fail_memory(err, "the solver");
    r->data = data;
    r->terms = *terms;
    r->certifier = certifier;
    r->n = tm_dataset_rows(data);
    r->p = p;
    r->m = tm_graph_terms(terms->graph) + (terms->own ? p : 0);
    if (!allocate(r)) {
        rows_solver_free(r);
        return tm_fail_memory(err, "the solver");
    }
    fill(r);
    r->intercept = terms->intercept;
    tm_status status = make_system(r, err);
    if (status == TM_OK)
        *out = r;
    else
        rows_solver_free(r);
    return status;
}

/* ---- solving --------------------------------------------------------------------------------- */

static dense_terms terms_at(rows_solver *r, double lambda)
{
    for (size_t t = 0; t < r->m; t++)
        r->bound[t] = lambda * r->weights[t];
    return (dense_terms){r->m, r->starts, r->cols, r->values, r->bound};
}

void rows_solver_set_null(rows_solver *r, const rows_null *null)
{
    r->null = *null;
}

static tm_status solve_at(rows_solver *r, double lambda, double target, solve_progress *progress,
                          tm_error *err)
{
    dense_problem q = {graph_certifier_samples(r->certifier),
                       r->columns,
                       r->wide,
                       r->p,
                       r->intercept,
                       terms_at(r, lambda),
                       NULL,
                       INNER_SHARE * target};
    memset(r->w, 0, r->p * sizeof *r->w);
    return dense_solve(&q, r->w, &r->b, r->u, progress, err);
}

/* ---- exact answers from interior points ------------------------------------------------------ */

static double objective(rows_solver *r, double lambda, const double *w, double b,
                        solve_progress *progress)
{
    const samples *of = graph_certifier_samples(r->certifier);
    samples_predict(of, r->data, w, b, r->room);
    progress->columns += r->p;
    return samples_loss(of, r->room) + lambda * graph_penalty(&r->terms, w);
}

/* Copies the weights to `out`, those at most `share` of the greatest, and of the room that their
 * multipliers leave, as 0. Returns how many became 0. */
static size_t leave_out(const rows_solver *r, double share, double *out)
{
    const double *u = r->u + tm_graph_terms(r->terms.graph), *bound = r->bound + (u - r->u);
    double greatest = 0;
    size_t count = 0;
    for (size_t j = 0; j < r->p; j++)
        greatest = fmax(greatest, fabs(r->w[j]));
    for (size_t j = 0; j < r->p; j++) {
        double room = 1 - fabs(u[j]) / bound[j];
        bool zero = r->w[j] != 0 && fabs(r->w[j]) <= share * room * greatest;
        out[j] = zero ? 0 : r->w[j];
        count += zero;
    }
    return count;
}

/* An interior point has no weights that are exactly 0: those that are nearly become so where the
 * objective is not above `most` then. */
static void find_zeros(rows_solver *r, double lambda, double most, solve_progress *progress)
{
    double share = MERGE_RATIO, *w = r->room + r->n;
    for (int k = 0; k < MAX_SHARES && leave_out(r, share, w) > 0; k++, share *= MERGE_RATIO) {
        if (objective(r, lambda, w, r->b, progress) > most)
            continue;
        memcpy(r->w, w, r->p * sizeof *w);
        return;
    }
}

static bool take_null(rows_solver *r, double lambda, double most, solve_progress *progress)
{
    if (lambda < r->null.lambda_max ||
        !(objective(r, lambda, r->null.w, r->null.b, progress) <= most))
        return false;
    memcpy(r->w, r->null.w, r->p * sizeof *r->w);
    r->b = r->null.b;
    return true;
}

tm_status rows_solver_solve(rows_solver *r, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err)
{
    double far = r->null.lambda_max > 0 ? FAR_ABOVE * r->null.lambda_max : INFINITY;
    *end = (structure_end){.converged = true, .rounds = 1};
    tm_status status = solve_at(r, fmin(lambda, far), target, progress, err);
    if (status != TM_OK || progress->stopped)
        return status;
    double most = objective(r, lambda, r->w, r->b, progress) + INNER_SHARE * target;
    if (!take_null(r, lambda, most, progress) && r->terms.own)
        find_zeros(r, lambda, most, progress);
    return TM_OK;
}

const double *rows_solver_weights(const rows_solver *r)
{
    return r->w;
}

double rows_solver_intercept(const rows_solver *r)
{
    return r->b;
}

const double *rows_solver_dual(const rows_solver *r)
{
    return r->u;
}

/* ---- lambda_max ------------------------------------------------------------------------------ */

/* The ratio q'w / |D w|_1 for the w that minimises 1/2 |q - w|^2 + lambda |D w|_1: it is above
 * lambda as long as that of any w is. */
static tm_status best_ratio(rows_solver *r, const double *q, double lambda, const double *unit,
                            double *ratio, solve_progress *progress, tm_error *err)
{
    samples of = {.loss = &loss_squared, .n = r->p, .y = q, .total = (double)r->p};
    double squares = 0, product = 0, b;
    for (size_t j = 0; j < r->p; j++)
        squares += q[j] * q[j];
    dense_problem problem = {
        &of, unit, r->unit, r->p, false, terms_at(r, lambda), NULL, SAME_RATIO * squares};
    memset(r->w, 0, r->p * sizeof *r->w);
    tm_status status = dense_solve(&problem, r->w, &b, r->u, progress, err);
    double penalty = graph_penalty(&r->terms, r->w);
    for (size_t j = 0; j < r->p; j++)
        product += q[j] * r->w[j];
    *ratio = penalty > 0 ? product / penalty : 0;
    return status;
}

tm_status rows_solver_lambda_max(rows_solver *r, const double *q, double *lambda_max,
                                 solve_progress *progress, tm_error *err)
{
    size_t flat = graph_kernel_count(graph_certifier_kernel(r->certifier));
    bool trend = tm_graph_order(r->terms.graph) > 0;
    double left = 0, ratio = 0, greatest = 0, unique = 0;
    *lambda_max = 0;
    for (size_t j = 0; j < r->p; j++)
        greatest = fmax(greatest, fabs(q[j]));
    memset(r->u, 0, r->m * sizeof *r->u);
    if (!r->terms.own && (trend || r->m + flat == r->p)) /* independent terms: one v balances q */
        unique = graph_dual_complete(graph_certifier_dual(r->certifier), q, r->u, NULL, &left);
    if (!r->terms.own && (trend || (unique > 0 && left <= BALANCED * greatest))) {
        *lambda_max = unique;
        return TM_OK;
    }
    const wide_rows terms = {r->m, r->starts, r->cols, r->values};
    double *unit = r->wide ? NULL : mem_zeros(r->p, r->p * sizeof *unit);
    tm_status status = TM_OK;
    if (r->wide)
        status = wide_new(&r->unit, NULL, r->p, r->p, &terms, err);
    else if (!unit)
        status = tm_fail_memory(err, "lambda_max");
    for (size_t j = 0; unit && j < r->p; j++)
        unit[j * (r->p + 1)] = 1;
    double lambda = FIRST_RATIO * greatest;
    for (int round = 0; status == TM_OK && greatest > 0 && round < MAX_ROUNDS; round++) {
        status = best_ratio(r, q, lambda, unit, &ratio, progress, err);
        if (!(ratio > lambda * (1 + SAME_RATIO)))
            break;
        lambda = *lambda_max = ratio;
    }
    free(unit);
    return status;
}
