#include "solve/ridge/ridge_rows.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/numeric/cholesky.h"
#include "solve/ridge/tuning.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ridge_rows_new(ridge_rows **out, size_t n)
{
    tm_error err;
    *out = NULL;
    if (blas_begin(&err) != TM_OK)
        return false;
    ridge_rows *q = calloc(1, sizeof *q);
    *out = q;
    if (!q)
        return false;
    q->n = n;
    q->products = mem_array(n * n, sizeof(double));
    q->matrix = mem_array(n * n, sizeof(double));
    q->block = mem_array(n * ROWS_BLOCK, sizeof(double));
    q->root = mem_array(n, sizeof(double));
    q->mean = mem_array(n, sizeof(double));
    return q->products && q->matrix && q->block && q->root && q->mean;
}

void ridge_rows_free(ridge_rows *q)
{
    if (!q)
        return;
    free(q->products);
    free(q->matrix);
    free(q->block);
    free(q->root);
    free(q->mean);
    free(q);
}

void ridge_rows_begin(ridge_rows *q)
{
    memset(q->products, 0, q->n * q->n * sizeof(double));
    q->filled = 0;
}

static void add_block(ridge_rows *q)
{
    int n = (int)q->n;
    if (q->filled)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, (int)q->filled, 1, q->block, n, 1,
                    q->products, n);
    q->filled = 0;
}

void ridge_rows_add(ridge_rows *q, const tm_matrix *x, size_t j, double scale)
{
    double *column = q->block + q->filled * q->n;
    tm_matrix_column(x, j, column);
    for (size_t i = 0; i < q->n; i++)
        column[i] *= scale;
    if (++q->filled == ROWS_BLOCK)
        add_block(q);
}

void ridge_rows_end(ridge_rows *q)
{
    add_block(q);
    for (size_t k = 0; k < q->n; k++)
        for (size_t i = k + 1; i < q->n; i++)
            q->products[k + i * q->n] = q->products[i + k * q->n];
}

/* Computes the rows' inner products with the mean row sum_k h_k x_k / total; returns that of the
 * mean row with itself. */
static double find_means(ridge_rows *q, const double *h, double total)
{
    double self = 0;
    for (size_t i = 0; i < q->n; i++) {
        q->mean[i] = 0;
        for (size_t k = 0; k < q->n; k++)
            q->mean[i] += q->products[i + k * q->n] * h[k] / total;
        self += q->mean[i] * h[i] / total;
    }
    return self;
}

static void take_mean_out(const double *h, size_t n, double total, double *v)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += h[i] * v[i];
    for (size_t i = 0; i < n; i++)
        v[i] -= sum / total;
}

/* With M = H^(1/2) X, X centred: (I + C M'M)^-1 = I - C M'(I + C M M')^-1 M, so v = H^(1/2) times
 * the solution for M g. With the centring v sums to zero, since H 1 is orthogonal to the columns of
 * X. */
bool ridge_rows_solve(ridge_rows *q, const double *h, double C, bool centred, double *v)
{
    size_t n = q->n;
    double total = 0, self = 0;
    for (size_t i = 0; i < n; i++) {
        q->root[i] = sqrt(h[i]);
        total += h[i];
    }
    centred = centred && total > 0;
    if (centred) {
        self = find_means(q, h, total);
        take_mean_out(h, n, total, v);
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k; i < n; i++) {
            double product = q->products[i + k * n];
            product -= centred ? q->mean[i] + q->mean[k] - self : 0;
            q->matrix[i + k * n] = C * q->root[i] * q->root[k] * product + (i == k);
        }
    for (size_t i = 0; i < n; i++)
        v[i] *= q->root[i];
    lapack_int size = (lapack_int)n;
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size, q->matrix, size) != 0 ||
        !cholesky_solve(q->matrix, n, n, v))
        return false;
    for (size_t i = 0; i < n; i++)
        v[i] *= q->root[i];
    return true;
}
