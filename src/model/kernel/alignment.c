#include "model/kernel/alignment.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- products ------------------------------------------------------------------------------ */

/* out = sum_k v_k x_k over the columns with a nonzero v_k, `rows` values. */
static void add_columns(const tm_matrix *x, const double *v, double *out)
{
    memset(out, 0, tm_matrix_rows(x) * sizeof *out);
    for (size_t k = 0; k < tm_matrix_cols(x); k++)
        if (v[k] != 0)
            tm_matrix_axpy(x, k, v[k], out);
}

void alignment_margins(const alignment *of, const double *a, double *z)
{
    if (of->by_samples)
        tm_matrix_dot_range(of->z, 0, of->n, a, z);
    else
        add_columns(of->z, a, z);
}

void alignment_products(const alignment *of, const double *alpha, double *q)
{
    if (of->by_samples)
        add_columns(of->z, alpha, q);
    else
        tm_matrix_dot_range(of->z, 0, of->p, alpha, q);
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* One term of D. */
typedef struct graph_row {
    const uint32_t *features;
    const double *values;
    size_t count;
} graph_row;

static double row_product(const tm_graph *graph, size_t k, const double *w, graph_row *row)
{
    double sum = 0;
    row->features = tm_graph_term(graph, k, &row->values, &row->count);
    for (size_t i = 0; i < row->count; i++)
        sum += row->values[i] * w[row->features[i]];
    return sum;
}

double alignment_add_slopes(const alignment_problem *problem, const double *w, double *slopes)
{
    double squares = 0;
    graph_row row;
    for (size_t k = 0; problem->lambda2 > 0 && k < tm_graph_terms(problem->graph); k++) {
        double sum = row_product(problem->graph, k, w, &row);
        squares += sum * sum;
        for (size_t i = 0; sum != 0 && i < row.count; i++)
            slopes[row.features[i]] += 2 * problem->lambda2 * sum * row.values[i];
    }
    return squares;
}

/* ---- primal and dual ----------------------------------------------------------------------- */

double alignment_primal(const alignment_problem *problem, const double *a, const double *z)
{
    const alignment *of = problem->of;
    double loss = 0, sum = 0, squares = 0;
    graph_row row;
    for (size_t m = 0; m < of->n; m++)
        loss += fmax((double)of->n - z[m], 0);
    for (size_t i = 0; i < of->p; i++)
        sum += a[i];
    for (size_t k = 0; problem->lambda2 > 0 && k < tm_graph_terms(problem->graph); k++) {
        double term = row_product(problem->graph, k, a, &row);
        squares += term * term;
    }
    return loss + problem->lambda * sum + problem->lambda2 * squares;
}

double alignment_bound(const alignment_problem *problem, const double *alpha, const double *q,
                       double squares)
{
    const alignment *of = problem->of;
    double most = 0, sum = 0, steepest = 0;
    for (size_t m = 0; m < of->n; m++) {
        most = fmax(most, alpha[m]);
        sum += alpha[m];
    }
    for (size_t i = 0; i < of->p; i++)
        steepest = fmax(steepest, q[i]);
    if (!(most > 0) || !isfinite(steepest) || !isfinite(squares))
        return 0;
    double scale = 1 / most, gain = (double)of->n * sum;
    if (steepest * scale > problem->lambda)
        scale = problem->lambda / steepest;
    if (2 * squares * scale > gain)
        scale = gain / (2 * squares);
    return scale * gain - scale * scale * squares;
}

tm_status certificate_alignment(tm_certificate *out, const alignment_problem *problem,
                                const alignment_claim *claim, tm_error *err)
{
    const alignment *of = problem->of;
    size_t n = of->n, p = of->p;
    double *z = mem_zeros(2 * (n + p), sizeof *z);
    if (!z)
        return tm_fail_memory(err, "the certificate");
    double *alpha = z + n, *a = alpha + n, *q = a + p;
    for (size_t i = 0; i < p; i++)
        a[i] = fmax(claim->a[i], 0);
    for (size_t m = 0; m < n; m++)
        alpha[m] = claim->alpha[m] > 0 ? claim->alpha[m] : 0;
    alignment_margins(of, a, z);
    out->primal = alignment_primal(problem, a, z);
    memset(a, 0, p * sizeof *a); /* from here on it holds D'v */
    double squares = problem->lambda2 * alignment_add_slopes(problem, claim->flow, a);
    alignment_products(of, alpha, q);
    for (size_t i = 0; i < p; i++)
        q[i] -= a[i];
    out->dual = alignment_bound(problem, alpha, q, squares);
    out->gap = out->primal - out->dual;
    free(z);
    return TM_OK;
}
