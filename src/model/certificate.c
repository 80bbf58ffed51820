#include "model/certificate.h"

#include "base/memory.h"
#include "model/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double factor_of(const tm_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

/* A vector whose products with all features are wanted, and what has been found of them. */
typedef struct scan {
    const tm_problem *problem;
    const double *u; /* n, with (nearly) zero sum when there is an intercept */
    double left;     /* what is left of that sum */
    double *all;     /* p, or NULL */
    double greatest; /* max |x_j'u| / f_j */
} scan;

/* What is left of u's sum is taken out of each product through the column's mean; constant columns,
 * which an intercept makes orthogonal to every u, count as zero. */
static void scan_block(scan *q, const tm_dataset *data, size_t from, size_t count,
                       const double *products)
{
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    for (size_t k = 0; k < count; k++) {
        size_t j = from + k;
        bool matters = !q->problem->intercept || deviations[j] > 0;
        double product = matters ? products[k] - means[j] * q->left : 0;
        q->greatest = fmax(q->greatest, fabs(product) / factor_of(q->problem, j));
        if (q->all)
            q->all[j] = product;
    }
}

/* Columns of a block: few enough that a dense block stays in the cache while every vector passes
 * over it. */
enum { BLOCK_MOST = 1024, BLOCK_VALUES = 1 << 15 };

static void scan_all(scan *scans, size_t count, const tm_dataset *data)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    size_t block = BLOCK_VALUES / n < 4 ? 4 : BLOCK_VALUES / n;
    double products[BLOCK_MOST];
    block = block < BLOCK_MOST ? block : BLOCK_MOST;
    for (size_t v = 0; v < count; v++) {
        scans[v].left = scans[v].problem->intercept ? residual_sum(scans[v].u, n) : 0;
        scans[v].greatest = 0;
    }
    for (size_t from = 0; from < p; from += block) {
        size_t columns = p - from < block ? p - from : block;
        for (size_t v = 0; v < count; v++) {
            tm_matrix_dot_range(x, from, columns, scans[v].u, products);
            scan_block(&scans[v], data, from, columns, products);
        }
    }
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

/* The primal value, and the residual (centred with an intercept) as the vector to scan with. */
static void begin_item(certificate_item *item, const tm_dataset *data, double *r)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    double penalty = 0;
    residual_of(data, item->w, item->b, r);
    for (size_t j = 0; j < p; j++)
        penalty += factor_of(&item->problem, j) * fabs(item->w[j]);
    item->certificate.primal = residual_squares(r, n) / 2 + item->problem.lambda * penalty;
    if (item->problem.intercept)
        residual_centre(r, n);
}

static void end_item(certificate_item *item, const tm_dataset *data, const scan *found)
{
    tm_certificate *c = &item->certificate;
    double most = found->greatest > 0 ? item->problem.lambda / found->greatest : INFINITY;
    c->dual = best_scaled_dual(tm_dataset_y(data), found->u, tm_dataset_rows(data), most);
    c->gap = c->primal - c->dual;
}

tm_status certificate_many(certificate_item *items, size_t count, const tm_dataset *data,
                           tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    for (size_t v = 0; v < count; v++) {
        tm_status status = check_problem(&items[v].problem, err);
        if (status != TM_OK)
            return status;
    }
    double *residuals = mem_array(count * n, sizeof *residuals);
    scan *scans = mem_array(count, sizeof *scans);
    if (residuals && scans) {
        for (size_t v = 0; v < count; v++) {
            begin_item(&items[v], data, residuals + v * n);
            scans[v] = (scan){&items[v].problem, residuals + v * n, 0, items[v].products, 0};
        }
        scan_all(scans, count, data);
        for (size_t v = 0; v < count; v++)
            end_item(&items[v], data, &scans[v]);
    }
    bool done = residuals && scans;
    free(residuals);
    free(scans);
    return done ? TM_OK : tm_fail_memory(err, "the certificate");
}

tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err)
{
    certificate_item item = {.problem = *problem, .w = w, .b = b};
    tm_status status = certificate_many(&item, 1, data, err);
    *out = item.certificate;
    return status;
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
    scan null_scan = {.problem = problem, .u = r};
    scan_all(&null_scan, 1, data);
    *lambda_max = null_scan.greatest;
    free(r);
    return TM_OK;
}
