#include "model/certificate/mixed.h"

#include "base/memory.h"
#include "base/numeric/kept_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Clamps y a to 0 .. 1; NaN becomes 0. */
static void make_feasible(const double *y, const double *dual, size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        a[i] = y[i] * fmin(fmax(y[i] * dual[i], 0), 1);
}

static double primal_value(const mixed_problem *problem, const tm_dataset *data, const double *w,
                           double *z)
{
    const tm_matrix *x = tm_dataset_x(data);
    const double *y = tm_dataset_y(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    kept_sum sum = {0};
    memset(z, 0, n * sizeof *z);
    for (size_t j = 0; j < p; j++)
        if (w[j] != 0)
            tm_matrix_axpy(x, j, w[j], z);
    for (size_t i = 0; i < n; i++)
        kept_add(&sum, problem->loss.value(y[i], z[i]));
    return kept_total(&sum) + problem->lambda * mixed_norm_value(problem->penalty, w);
}

tm_status certificate_mixed(tm_certificate *out, const mixed_problem *problem, const double *w,
                            const double *dual, const data_pass *pass, tm_error *err)
{
    const double *y = tm_dataset_y(pass->data);
    size_t n = tm_dataset_rows(pass->data), p = tm_dataset_cols(pass->data);
    double *a = mem_array(n, sizeof *a), *products = mem_array(p, sizeof *products);
    kept_sum sum = {0};
    tm_status status = a && products ? TM_OK : tm_fail_memory(err, "the certificate");
    if (status == TM_OK) {
        out->primal = primal_value(problem, pass->data, w, a);
        make_feasible(y, dual, n, a);
        scan all = {.penalty = {.lambda = problem->lambda}, .u = a, .all = products};
        status = scan_all(&all, 1, pass, err);
    }
    if (status == TM_OK) {
        for (size_t i = 0; i < n; i++)
            kept_add(&sum, problem->loss.dual(y[i], a[i]));
        double value =
            kept_total(&sum) - mixed_norm_conjugate(problem->penalty, products, problem->lambda);
        out->dual = fmax(value, 0); /* dual variables of 0 are feasible, too */
        out->gap = out->primal - out->dual;
    }
    free(a);
    free(products);
    return status;
}
