#include "model/loss/samples.h"

#include "base/numeric/kept_sum.h"
#include "base/numeric/nonzero.h"
#include "base/ranks/agree.h"
#include "data/ranks/row_shard.h"
#include "model/loss/residual.h"
#include "model/loss/tuning.h"

#include <math.h>
#include <string.h>

samples samples_of(const tm_dataset *data, const loss *l)
{
    samples of = {.loss = l,
                  .n = tm_dataset_rows(data),
                  .y = tm_dataset_y(data),
                  .weights = tm_dataset_weights(data),
                  .offset = tm_dataset_offset(data),
                  .all = matrix_all_rows(tm_dataset_x(data)),
                  .comm = matrix_row_comm(tm_dataset_x(data))};
    of.total = samples_over_all(&of, of.weights ? residual_sum(of.weights, of.n) : (double)of.n);
    return of;
}

double samples_over_all(const samples *of, double sum)
{
    if (of->comm)
        comm_add(of->comm, &sum, 1);
    return sum;
}

void samples_add_all(const samples *of, double *sums, size_t count)
{
    if (of->comm)
        comm_add(of->comm, sums, count);
}

double samples_sum(const samples *of, const double *v)
{
    return samples_over_all(of, residual_sum(v, of->n));
}

double samples_inner(const samples *of, const double *u, const double *v)
{
    double part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < of->n; from += LOSS_BLOCK) {
        size_t count = of->n - from < LOSS_BLOCK ? of->n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++) {
            double s = samples_weight(of, from + i);
            part[i] = s > 0 ? u[from + i] * v[from + i] / s : 0;
        }
        kept_add(&sum, loss_block_sum(part, count));
    }
    return samples_over_all(of, kept_total(&sum));
}

void samples_predict(const samples *of, const tm_dataset *data, const double *w, double b,
                     double *z)
{
    const tm_matrix *x = tm_dataset_x(data);
    memset(z, 0, of->n * sizeof *z);
    size_t p = tm_matrix_cols(x);
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        tm_matrix_axpy(x, j, w[j], z);
    samples_add_constants(of, b, z);
}

void samples_add_constants(const samples *of, double b, double *z)
{
    for (size_t i = 0; i < of->n; i++)
        z[i] += b + (of->offset ? of->offset[i] : 0);
}

double samples_loss(const samples *of, const double *z)
{
    double part[LOSS_BLOCK];
    kept_sum sum = {0};
    if (!of->weights)
        return samples_over_all(of, loss_sum(of->loss, of->y, z, of->n));
    for (size_t from = 0; from < of->n; from += LOSS_BLOCK) {
        size_t count = of->n - from < LOSS_BLOCK ? of->n - from : LOSS_BLOCK;
        of->loss->values(of->y + from, z + from, count, part);
        for (size_t i = 0; i < count; i++)
            part[i] = of->weights[from + i] > 0 ? of->weights[from + i] * part[i] : 0;
        kept_add(&sum, loss_block_sum(part, count));
    }
    return samples_over_all(of, kept_total(&sum));
}

double samples_loss_along(const samples *of, const double *z, double t, const double *d)
{
    double at[LOSS_BLOCK], part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < of->n; from += LOSS_BLOCK) {
        size_t count = of->n - from < LOSS_BLOCK ? of->n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            at[i] = z[from + i] + t * d[from + i];
        of->loss->values(of->y + from, at, count, part);
        for (size_t i = 0; of->weights && i < count; i++)
            part[i] *= of->weights[from + i];
        kept_add(&sum, loss_block_sum(part, count));
    }
    return samples_over_all(of, kept_total(&sum));
}

void samples_dual_variables(const samples *of, const double *z, double *a)
{
    loss_dual_variables(of->loss, of->y, z, of->n, a);
    for (size_t i = 0; of->weights && i < of->n; i++)
        a[i] *= of->weights[i];
}

void samples_model(const samples *of, const double *z, double *a, double *h)
{
    of->loss->slopes(of->y, z, of->n, a, h);
    for (size_t i = 0; i < of->n; i++)
        a[i] = -a[i];
    for (size_t i = 0; of->weights && i < of->n; i++) {
        a[i] *= of->weights[i];
        h[i] *= of->weights[i];
    }
}

double samples_dual(const samples *of, const double *a, double scale)
{
    kept_sum sum = {0};
    if (!of->weights && !of->offset)
        return samples_over_all(of, loss_dual_sum(of->loss, of->y, a, scale, of->n));
    for (size_t i = 0; i < of->n; i++) {
        double s = samples_weight(of, i), part = scale * a[i];
        if (s == 0)
            continue;
        kept_add(&sum, s * of->loss->dual(of->y[i], part / s));
        kept_add(&sum, of->offset ? -of->offset[i] * part : 0);
    }
    return samples_over_all(of, kept_total(&sum));
}

double samples_scale(const samples *of, const double *a, double most)
{
    if (!of->weights && !of->offset && !of->comm)
        return of->loss->scale(of->y, a, of->n, most);
    if (!of->loss->dual_quadratic)
        return fmin(1, most);
    double ya = 0, aa = samples_inner(of, a, a);
    for (size_t i = 0; i < of->n; i++)
        ya += (of->y[i] - (of->offset ? of->offset[i] : 0)) * a[i];
    ya = samples_over_all(of, ya);
    return aa > 0 ? fmin(fmax(ya / aa, 0), most) : 0;
}

double samples_best_shift(const samples *of, const double *z, double start)
{
    const loss_rows rows = {of->y, of->weights, of->n, of->total, of->comm};
    return loss_best_shift_of(of->loss, &rows, z, start);
}

void samples_centre(const samples *of, double *a)
{
    if (!of->weights && !of->comm) {
        residual_centre(a, of->n);
        return;
    }
    for (int round = 0; round < 2; round++) {
        double mean = samples_sum(of, a) / of->total;
        for (size_t i = 0; i < of->n; i++)
            a[i] -= mean * samples_weight(of, i);
    }
}

void samples_fit_shift(const samples *of, bool intercept, double *z, double *a)
{
    double shift = intercept ? samples_best_shift(of, z, 0) : 0;
    for (size_t i = 0; i < of->n; i++)
        z[i] += shift;
    samples_dual_variables(of, z, a);
    if (intercept && (of->loss->quadratic || of->weights))
        samples_centre(of, a);
}

bool samples_in_domain(const samples *of, const double *a)
{
    double outside = 0, size = 0;
    for (size_t i = 0; i < of->n; i++) {
        double limit = of->loss->dual_most,
               most = isinf(limit) ? limit : samples_weight(of, i) * limit;
        double value = of->y[i] * a[i];
        outside += fmax(fmax(-value, value - most), 0);
        size += fabs(value);
    }
    outside = samples_over_all(of, outside);
    size = samples_over_all(of, size);
    return outside <= OUTSIDE * size;
}
