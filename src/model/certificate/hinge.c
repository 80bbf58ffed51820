#include "model/certificate/hinge.h"

#include "base/cancel_grace.h"
#include "base/memory.h"
#include "base/numeric/kept_sum.h"
#include "base/threads/parallel.h"
#include "data/matrix/kernels.h"
#include "model/certificate/tuning.h"
#include "model/kernel/kernel_sums.h"
#include "model/penalty/dual_residual.h"

#include <math.h>
#include <string.h>

void hinge_feasible(const hinge_problem *problem, const double *dual, double *out)
{
    const hinge_rows *of = &problem->of;
    double sums[2] = {0, 0};
    for (size_t i = 0; i < of->n; i++) {
        out[i] = fmin(fmax(dual[i], 0), of->u[i]);
        sums[of->y[i] > 0] += out[i];
    }
    if (problem->intercept != HINGE_FREE || sums[0] == sums[1])
        return;
    int heavy = sums[1] > sums[0];
    double share = sums[heavy] > 0 ? sums[!heavy] / sums[heavy] : 0;
    for (size_t i = 0; i < of->n; i++)
        out[i] *= (of->y[i] > 0) == heavy ? share : 1;
}

/* ---- the linear kernel --------------------------------------------------------------------- */

typedef struct column_pass {
    const tm_matrix *x;
    const double *v;
    double *products;
    const tm_cancel *cancel;
    double began;
} column_pass;

static void take_columns(size_t from, size_t to, void *payload)
{
    const column_pass *pass = payload;
    if (!cancel_grace_is_over(pass->cancel, pass->began))
        tm_matrix_dot_range(pass->x, from, to - from, pass->v, pass->products + from);
}

/* |X'v|^2 */
static tm_status squared_products(double *out, const tm_matrix *x, const double *v,
                                  const hinge_pass *how, tm_error *err)
{
    size_t p = tm_matrix_cols(x);
    double *products = mem_array(p, sizeof *products);
    if (!products)
        return tm_fail_memory(err, "the certificate");
    column_pass pass = {x, v, products, how->cancel, clock_now()};
    parallel_chunks(p, LOOK_COLUMNS, how->team, take_columns, &pass);
    bool stopped = cancel_grace_is_over(how->cancel, pass.began);
    *out = stopped ? 0 : kernel_dot(products, products, p);
    free(products);
    return stopped ? tm_fail(err, TM_ECANCELLED, "cancelled while certifying") : TM_OK;
}

/* Computes the predictions without offsets, |w|^2 and |sum_i theta_i y_i x_i|^2. */
static tm_status linear_parts(const tm_dataset *data, const hinge_claim *claim, const double *v,
                              const hinge_pass *how, double *z, double squares[2], tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t p = tm_matrix_cols(x);
    memset(z, 0, tm_matrix_rows(x) * sizeof *z);
    for (size_t j = 0; j < p; j++)
        if (claim->w[j] != 0)
            tm_matrix_axpy(x, j, claim->w[j], z);
    squares[0] = kernel_dot(claim->w, claim->w, p);
    return squared_products(&squares[1], x, v, how, err);
}

/* ---- other kernels ------------------------------------------------------------------------- */

/* Computes the predictions without offsets, and the squared norm, which both points share. */
static tm_status kernel_parts(const tm_dataset *data, const hinge_problem *problem, const double *v,
                              const hinge_pass *how, double *z, double squares[2], tm_error *err)
{
    kernel_rows rows;
    tm_status status = kernel_rows_make(&rows, tm_dataset_x(data), &problem->kernel, err);
    if (status != TM_OK)
        return status;
    status = kernel_sums(&rows, v, &rows, how->team, how->cancel, z, err);
    kernel_rows_clear(&rows);
    squares[0] = squares[1] = kernel_dot(v, z, problem->of.n);
    return status;
}

/* ---- the certificate ----------------------------------------------------------------------- */

/* Adds the contribution of b to the objective, and that of sum_i theta_i y_i to the dual. */
static void add_intercept(const hinge_problem *problem, double b, double sum, double squares[2])
{
    if (problem->intercept != HINGE_REGULARISED)
        return;
    squares[0] += b * b;
    squares[1] += sum * sum;
}

tm_status certificate_hinge(tm_certificate *out, const tm_dataset *data,
                            const hinge_problem *problem, const hinge_claim *claim,
                            hinge_pass *pass, tm_error *err)
{
    const hinge_rows *of = &problem->of;
    size_t n = of->n, held = 0;
    double *z = mem_array(2 * n, sizeof *z), squares[2] = {0, 0}, sum = 0;
    kept_sum linear = {0};
    if (!z)
        return tm_fail_memory(err, "the certificate");
    double *v = z + n;
    hinge_feasible(problem, claim->dual, v);
    for (size_t i = 0; i < n; i++) {
        kept_add(&linear, of->c[i] * v[i]);
        held += v[i] > 0;
        v[i] *= of->y[i];
        sum += v[i];
    }
    tm_status status = claim->w ? linear_parts(data, claim, v, pass, z, squares, err)
                                : kernel_parts(data, problem, v, pass, z, squares, err);
    pass->columns += tm_dataset_cols(data) * (claim->w ? 2 : held);
    double b = claim->w || problem->intercept != HINGE_REGULARISED ? claim->b : sum;
    add_intercept(problem, b, sum, squares);
    for (size_t i = 0; i < n; i++)
        z[i] += b; /* offsets are in c */
    if (status == TM_OK) {
        out->primal = squares[0] / 2 + hinge_loss(of, z);
        out->dual = kept_total(&linear) - squares[1] / 2;
        if (problem->intercept == HINGE_FREE)
            out->dual = dual_residual_less(out->dual, (2 * fabs(b) + 1) * fabs(sum));
        out->gap = out->primal - out->dual;
    }
    free(z);
    return status;
}
