#include "model/certificate/product_bounds.h"

#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "data/matrix/kernels.h"
#include "data/ranks/row_shard.h"
#include "data/ranks/sharded.h"
#include "model/certificate/tuning.h"

#include <math.h>
#include <string.h>

struct product_bounds {
    tm_dataset *data;
    size_t n, p, most, count;
    bool centred;
    double *vectors;  /* most x n, each of length 1 */
    double *products; /* most x p */
    double *norms;    /* p: |x_j|, centred or not */
    double *lengths;  /* p: |x_j|, never centred: rounding errors are relative to these */
    size_t *room;     /* p */
    /* of the last vector split */
    double *shares; /* most: coefficients c_k */
    double *rest;   /* n */
    double length, rest_length;
    double error; /* |x_j'u - estimate| <= norm_j rest_length + length_j error */
};

static size_t vectors_most(const tm_dataset *data)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t p = tm_matrix_cols(x), by_room = MAX_PRODUCTS / p;
    size_t by_work = (size_t)(tm_matrix_nnz(x) / PASS_SHARE / p);
    size_t most = by_room < by_work ? by_room : by_work;
    return most < MAX_VECTORS ? most : MAX_VECTORS;
}

bool product_bounds_pay(const tm_dataset *data)
{
    const tm_matrix *x = tm_dataset_x(data);
    return !matrix_is_sharded(x) && !matrix_row_comm(x) && vectors_most(data) >= VECTORS_LEAST;
}

void product_bounds_free(product_bounds *past)
{
    if (!past)
        return;
    tm_dataset_unref(past->data);
    free(past->vectors);
    free(past->products);
    free(past->norms);
    free(past->lengths);
    free(past->room);
    free(past->shares);
    free(past->rest);
    free(past);
}

static void find_lengths(product_bounds *past)
{
    const double *means = tm_dataset_means(past->data);
    const double *deviations = tm_dataset_deviations(past->data);
    for (size_t j = 0; j < past->p; j++) {
        past->lengths[j] = sqrt(deviations[j] + (double)past->n * means[j] * means[j]);
        past->norms[j] = past->centred ? sqrt(deviations[j]) : past->lengths[j];
    }
}

tm_status product_bounds_new(product_bounds **out, const tm_dataset *data, bool centred,
                             tm_error *err)
{
    *out = NULL;
    product_bounds *past = mem_zeros(1, sizeof *past);
    if (!past)
        return tm_fail_memory(err, "the certificate");
    size_t n = past->n = tm_dataset_rows(data), p = past->p = tm_dataset_cols(data);
    size_t most = past->most = vectors_most(data);
    past->data = tm_dataset_ref(data);
    past->centred = centred;
    past->vectors = mem_array(most * n, sizeof *past->vectors);
    past->products = mem_array(most * p, sizeof *past->products);
    past->norms = mem_array(p, sizeof *past->norms);
    past->lengths = mem_array(p, sizeof *past->lengths);
    past->room = mem_array(p, sizeof *past->room);
    past->shares = mem_array(most, sizeof *past->shares);
    past->rest = mem_array(n, sizeof *past->rest);
    if (!past->vectors || !past->products || !past->norms || !past->lengths || !past->room ||
        !past->shares || !past->rest) {
        product_bounds_free(past);
        return tm_fail_memory(err, "the certificate");
    }
    find_lengths(past);
    *out = past;
    return TM_OK;
}

bool product_bounds_centred(const product_bounds *past)
{
    return past->centred;
}

size_t *product_bounds_room(product_bounds *past)
{
    return past->room;
}

/* A bound on the relative rounding error of an inner product or of a sum of `most` terms, relative
 * to the lengths: a stored product has an error of this times |x_j|, the remainder of this times
 * |u| + sum |c_k|, and their sum as much again. */
static double rounding(const product_bounds *past)
{
    return 0x1p-52 * (double)(past->n + 4 * past->most + 16);
}

bool product_bounds_split(product_bounds *past, const double *u)
{
    double shares = 0;
    past->length = sqrt(kernel_dot(u, u, past->n));
    memcpy(past->rest, u, past->n * sizeof *u);
    for (size_t k = 0; k < past->count; k++) {
        const double *q = past->vectors + k * past->n;
        double share = past->shares[k] = kernel_dot(q, past->rest, past->n);
        kernel_axpy(-share, q, past->rest, past->n);
        shares += fabs(share);
    }
    past->rest_length = sqrt(kernel_dot(past->rest, past->rest, past->n));
    past->error = rounding(past) * (past->length + 3 * shares);
    return past->count > 0;
}

/* Processes several features in lanes: their sums stay in registers while vectors are added one
 * after the other. */
PER_MACHINE void product_bounds_bound(const product_bounds *past, size_t from, size_t count,
                                      double *estimates, double *errors)
{
    const double *products = past->products + from;
    size_t j = 0;
    for (; j + MANY <= count; j += MANY) {
        lanes sums[MANY / LANES] = {{0}};
        for (size_t k = 0; k < past->count; k++) {
            const lanes *at = (const lanes *)(products + k * past->p + j);
            for (int i = 0; i < MANY / LANES; i++)
                sums[i] += past->shares[k] * at[i];
        }
        memcpy(estimates + j, sums, sizeof sums);
    }
    for (; j < count; j++) {
        estimates[j] = 0;
        for (size_t k = 0; k < past->count; k++)
            estimates[j] += past->shares[k] * products[k * past->p + j];
    }
    for (j = 0; j < count; j++)
        errors[j] =
            past->norms[from + j] * past->rest_length + past->lengths[from + j] * past->error;
}

bool product_bounds_is_new(const product_bounds *past)
{
    return past->rest_length > NEW_SHARE * past->length;
}

/* The remainder, scaled to length 1: products with it have the usual relative rounding error, while
 * products with the whole vector minus those of its known part would have a larger one, the smaller
 * the remainder. */
const double *product_bounds_next_vector(product_bounds *past, double **products)
{
    if (past->count == past->most) {
        for (size_t k = 0; k < past->count; k++)
            kernel_axpy(past->shares[k], past->vectors + k * past->n, past->rest, past->n);
        past->rest_length = past->length;
        past->error *= 2; /* it was recombined from its parts */
        past->count = 0;
    }
    double *q = past->vectors + past->count * past->n;
    for (size_t i = 0; i < past->n; i++)
        q[i] = past->rest[i] / past->rest_length;
    *products = past->products + past->count * past->p;
    return q;
}

void product_bounds_add_vector(product_bounds *past)
{
    past->shares[past->count++] = past->rest_length;
    past->error += 2 * rounding(past) * past->rest_length;
    past->rest_length = 0;
}
