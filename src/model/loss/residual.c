#include "model/loss/residual.h"

#include "base/numeric/kept_sum.h"
#include "base/numeric/lanes.h"
#include "base/numeric/nonzero.h"
#include "model/loss/loss.h"

#include <math.h>
#include <string.h>

/* A compensated sum in eight lanes: the optimality of the intercept is checked with this value. */
PER_MACHINE double residual_sum(const double *v, size_t n)
{
    lanes sums = {0}, losses = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes value = *(const lanes *)(v + i), next = sums + value, added = next - sums;
        losses += (sums - (next - added)) + (value - added);
        sums = next;
    }
    kept_sum sum = {0, add_lanes(&losses)};
    for (; i < n; i++)
        kept_add(&sum, v[i]);
    for (size_t k = 0; k < LANES; k++)
        kept_add(&sum, sums[k]);
    return sum.sum + sum.lost;
}

double residual_dot(const double *u, const double *v, size_t n)
{
    kept_sum sum = {0};
    for (size_t i = 0; i < n; i++) {
        double product = u[i] * v[i];
        sum.lost += fma(u[i], v[i], -product);
        kept_add(&sum, product);
    }
    return sum.sum + sum.lost;
}

double residual_squares(const double *v, size_t n)
{
    double part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            part[i] = v[from + i] * v[from + i];
        kept_add(&sum, loss_block_sum(part, count));
    }
    return kept_total(&sum);
}

double residual_centre(double *v, size_t n)
{
    double total = 0;
    for (int round = 0; round < 2; round++) {
        double mean = residual_sum(v, n) / (double)n;
        for (size_t i = 0; i < n; i++)
            v[i] -= mean;
        total += mean;
    }
    return total;
}

void residual_of(const tm_dataset *data, const double *w, double b, double *r)
{
    const tm_matrix *x = tm_dataset_x(data);
    const double *y = tm_dataset_y(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    memset(r, 0, n * sizeof *r);
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        tm_matrix_axpy(x, j, w[j], r);
    for (size_t i = 0; i < n; i++)
        r[i] = y[i] - (r[i] + b);
}

void residual_null(const tm_dataset *data, bool with_intercept, double *r, double *intercept)
{
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    bool constant = true;
    for (size_t i = 1; i < n; i++)
        constant = constant && y[i] == y[0];
    memcpy(r, y, n * sizeof *r);
    *intercept = 0;
    if (with_intercept && constant) {
        memset(r, 0, n * sizeof *r);
        *intercept = y[0];
    } else if (with_intercept) {
        *intercept = residual_centre(r, n);
    }
}
