#include "model/certificate.h"

#include "base/memory.h"
#include "model/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Column products are taken in blocks, so that memory stays small however many features. */
enum { BLOCK = 256 };

static double factor_of(const tm_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

/* max over all features of |x_j'u| / f_j, for u with (nearly) zero sum when there is an intercept.
 * What is left of the sum is taken out of each product through the column's mean, and constant
 * columns, which an intercept makes orthogonal to every such u, are left out. `all` (p values, or
 * NULL) receives the products. */
static double greatest_correlation(const tm_dataset *data, const tm_problem *problem,
                                   const double *u, double *all)
{
    const tm_matrix *x = tm_dataset_x(data);
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    size_t p = tm_matrix_cols(x);
    double left = problem->intercept ? residual_sum(u, tm_matrix_rows(x)) : 0;
    double greatest = 0, products[BLOCK];
    for (size_t from = 0; from < p; from += BLOCK) {
        size_t count = p - from < BLOCK ? p - from : BLOCK;
        tm_matrix_dot_range(x, from, count, u, products);
        for (size_t k = 0; k < count; k++) {
            size_t j = from + k;
            bool matters = !problem->intercept || deviations[j] > 0;
            double product = matters ? products[k] - means[j] * left : 0;
            greatest = fmax(greatest, fabs(product) / factor_of(problem, j));
            if (all)
                all[j] = product;
        }
    }
    return greatest;
}

static tm_status check_problem(const tm_problem *problem, tm_error *err)
{
    if (strcmp(problem->loss, "squared") != 0)
        return tm_fail(err, TM_EUSAGE, "no certificate for the loss '%s'; known: squared",
                       problem->loss);
    return TM_OK;
}

/* The dual of the lasso is  max y'u - |u|^2/2  over |x_j'u| <= lambda f_j (and sum u = 0 with an
 * intercept). The residual scaled by s is feasible for |s| <= lambda / max_j |x_j'r|/f_j, and the
 * best s in that interval is y'r / r'r moved into it. */
static double best_scaled_dual(const double *y, const double *r, size_t n, double most)
{
    double yr = 0, rr = residual_squares(r, n);
    for (size_t i = 0; i < n; i++)
        yr += y[i] * r[i];
    if (rr == 0)
        return 0;
    double s = fmin(fmax(yr / rr, -most), most);
    return s * yr - s * s * rr / 2;
}

tm_status certificate_with_products(tm_certificate *out, const tm_dataset *data,
                                    const tm_problem *problem, const double *w, double b,
                                    double *products, tm_error *err)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    tm_status status = check_problem(problem, err);
    if (status != TM_OK)
        return status;
    double *r = mem_array(n, sizeof *r);
    if (!r)
        return tm_fail_memory(err, "the certificate");
    residual_of(data, w, b, r);
    double penalty = 0;
    for (size_t j = 0; j < p; j++)
        penalty += factor_of(problem, j) * fabs(w[j]);
    out->primal = residual_squares(r, n) / 2 + problem->lambda * penalty;
    if (problem->intercept)
        residual_centre(r, n);
    double greatest = greatest_correlation(data, problem, r, products);
    double most = greatest > 0 ? problem->lambda / greatest : INFINITY;
    out->dual = best_scaled_dual(tm_dataset_y(data), r, n, most);
    out->gap = out->primal - out->dual;
    free(r);
    return TM_OK;
}

tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err)
{
    return certificate_with_products(out, data, problem, w, b, NULL, err);
}

tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double b;
    tm_status status = check_problem(problem, err);
    if (status != TM_OK)
        return status;
    double *r = mem_array(n, sizeof *r);
    if (!r)
        return tm_fail_memory(err, "lambda_max");
    residual_null(data, problem->intercept, r, &b);
    *null_objective = residual_squares(r, n) / 2;
    *lambda_max = greatest_correlation(data, problem, r, NULL);
    free(r);
    return TM_OK;
}
