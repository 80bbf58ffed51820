#include "model/residual.h"

#include <string.h>

double residual_sum(const double *v, size_t n)
{
    /* Neumaier's compensated sum: the intercept's optimality is read off this value. */
    double sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        double next = sum + v[i];
        bool sum_greater = (sum < 0 ? -sum : sum) >= (v[i] < 0 ? -v[i] : v[i]);
        lost += sum_greater ? (sum - next) + v[i] : (v[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

double residual_squares(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
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
    for (size_t j = 0; j < p; j++)
        if (w[j] != 0)
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
