#include "model/certificate/product_bounds.h"

#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "data/bytes/byte_copy.h"
#include "data/matrix/kernels.h"
#include "data/ranks/row_shard.h"
#include "data/ranks/sharded.h"
#include "model/certificate/tuning.h"

#include <math.h>
#include <string.h>

/* Products with the rounded columns of a copy in bytes, x_j - r_j in byte_copy.h. */
typedef struct rounded_products {
    const byte_copy *copy; /* the data's; NULL until it is used */
    bool fits;             /* it may be made, and used */
    size_t passes;         /* over the data itself, so far */
    size_t expected;       /* certificates at further lambdas */
    size_t lists, listed;  /* since the last vector: lists of features to visit, and their sum */
    size_t from;           /* the vectors from here on have products with the rounded columns */
    /* of the last vector split */
    double *apart;               /* n: without its part along the vectors before `from` */
    double apart_length, length; /* of that, and of its part along the vectors from there on */
    byte_vector rest;            /* the remainder, rounded */
    double rest_left;            /* the length of what that rounding left of it */
} rounded_products;

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
    /* |x_j'u - estimate| <= norm_j rest_length + length_j error + |r_j| rounded.length */
    double error;
    rounded_products rounded;
};

static size_t vectors_most(const tm_dataset *data)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t p = tm_matrix_cols(x), by_room = MAX_PRODUCTS / p;
    size_t by_work = (size_t)(tm_matrix_nnz(x) / PASS_SHARE / p);
    size_t most = by_room < by_work ? by_room : by_work;
    return most < MAX_VECTORS ? most : MAX_VECTORS;
}

/* Whether the data with a copy and the products take at most MAX_MEMORY times the data. */
static bool copy_fits(const tm_matrix *x, size_t vectors)
{
    size_t copy, column;
    return byte_copy_sizes(x, &copy, &column) &&
           (double)(copy + column + vectors * sizeof(double) + FEATURE_BYTES) <=
               MAX_MEMORY * (double)column;
}

/* The number of vectors that leaves room for a copy; 0: none does. */
static size_t vectors_with_copy(const tm_matrix *x, size_t most)
{
    size_t vectors = most < VECTORS_WITH_COPY ? most : VECTORS_WITH_COPY;
    while (vectors >= LEAST_WITH_COPY && !copy_fits(x, vectors))
        vectors--;
    return vectors >= LEAST_WITH_COPY ? vectors : 0;
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
    free(past->rounded.apart);
    free(past->rounded.rest.values);
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
    size_t most = vectors_most(data), with_copy = vectors_with_copy(tm_dataset_x(data), most);
    past->rounded.fits = with_copy > 0;
    most = past->most = with_copy > 0 ? with_copy : most;
    past->data = tm_dataset_ref(data);
    past->centred = centred;
    past->vectors = mem_array(most * n, sizeof *past->vectors);
    past->products = mem_array(most * p, sizeof *past->products);
    past->norms = mem_array(p, sizeof *past->norms);
    past->lengths = mem_array(p, sizeof *past->lengths);
    past->room = mem_array(p, sizeof *past->room);
    past->shares = mem_array(most, sizeof *past->shares);
    past->rest = mem_array(n, sizeof *past->rest);
    rounded_products *rounded = &past->rounded;
    rounded->apart = mem_array(n, sizeof *rounded->apart);
    rounded->rest.values = mem_array(n, sizeof *rounded->rest.values);
    if (!rounded->apart || !rounded->rest.values || !past->vectors || !past->products ||
        !past->norms || !past->lengths || !past->room || !past->shares || !past->rest) {
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

/* Subtracts from the remainder its part along the vectors from .. to - 1. */
static void subtract_parts(product_bounds *past, size_t from, size_t to, double *shares)
{
    for (size_t k = from; k < to; k++) {
        const double *q = past->vectors + k * past->n;
        double share = past->shares[k] = kernel_dot(q, past->rest, past->n);
        kernel_axpy(-share, q, past->rest, past->n);
        *shares += fabs(share);
    }
}

static double length_of(const double *v, size_t n)
{
    return sqrt(kernel_dot(v, v, n));
}

/* Squares of the parts of shorter vectors are lost in part, and with them their lengths. */
static bool is_usable(double length)
{
    return length > LEAST_LENGTH;
}

void product_bounds_add_known(product_bounds *past, const double *u, const double *products)
{
    double length = length_of(u, past->n);
    if (past->count > 0 || !is_usable(length))
        return;
    for (size_t i = 0; i < past->n; i++)
        past->vectors[i] = u[i] / length;
    for (size_t j = 0; j < past->p; j++)
        past->products[j] = products[j] / length;
    past->count = past->rounded.from = 1;
}

bool product_bounds_split(product_bounds *past, const double *u)
{
    rounded_products *rounded = &past->rounded;
    double shares = 0, squares = 0;
    past->length = length_of(u, past->n);
    memcpy(past->rest, u, past->n * sizeof *u);
    subtract_parts(past, 0, rounded->from, &shares);
    memcpy(rounded->apart, past->rest, past->n * sizeof *u);
    subtract_parts(past, rounded->from, past->count, &shares);
    past->rest_length = length_of(past->rest, past->n);
    for (size_t i = 0; i < past->n; i++) {
        double along = rounded->apart[i] - past->rest[i];
        squares += along * along;
    }
    rounded->apart_length = length_of(rounded->apart, past->n);
    rounded->length = sqrt(squares);
    past->error = rounding(past) * (past->length + 3 * shares);
    return past->count > 0 && is_usable(past->length);
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
    if (past->count == past->rounded.from)
        return;
    const double *left = byte_copy_left(past->rounded.copy) + from;
    for (j = 0; j < count; j++)
        errors[j] += left[j] * past->rounded.length;
}

bool product_bounds_is_new(const product_bounds *past)
{
    return is_usable(past->length) && past->rest_length > NEW_SHARE * past->length;
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
        past->count = past->rounded.from = 0;
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
    past->rounded.from = past->count;
    past->rounded.passes++;
    past->error += 2 * rounding(past) * past->rest_length;
    past->rest_length = 0;
}

/* ---- the copy in bytes ----------------------------------------------------------------------- */

void product_bounds_expect(product_bounds *past, size_t certificates)
{
    past->rounded.expected = certificates;
}

/* A copy that is there already is used from the same pass on as one that has to be made, so that
 * the work does not depend on what other runs have done. */
byte_copy *product_bounds_begin_copy(product_bounds *past)
{
    rounded_products *rounded = &past->rounded;
    size_t after = rounded->expected < COPY_POINTS ? COPY_AFTER : COPY_AFTER_PATH;
    if (!rounded->fits || rounded->copy || rounded->passes < after)
        return NULL;
    rounded->copy = byte_copy_of(tm_dataset_x(past->data));
    return rounded->copy ? NULL : byte_copy_new(tm_dataset_x(past->data));
}

void product_bounds_end_copy(product_bounds *past, byte_copy *copy, bool complete)
{
    if (complete)
        past->rounded.copy = byte_copy_keep(tm_dataset_x(past->data), copy);
    else
        byte_copy_free(copy);
}

bool product_bounds_has_copy(const product_bounds *past)
{
    return past->rounded.copy;
}

bool product_bounds_is_full(const product_bounds *past)
{
    return past->count == past->most;
}

bool product_bounds_has_rounded(const product_bounds *past)
{
    return past->count > past->rounded.from;
}

void product_bounds_drop_rounded(product_bounds *past)
{
    past->count = past->rounded.from;
}

void product_bounds_round_rest(product_bounds *past)
{
    rounded_products *rounded = &past->rounded;
    double squares = 0;
    byte_vector_round(&rounded->rest, past->rest, past->n);
    for (size_t i = 0; i < past->n; i++) {
        double left = past->rest[i] - rounded->rest.step * rounded->rest.values[i];
        squares += left * left;
    }
    rounded->rest_left = sqrt(squares);
}

/* The product of a rounded column, centred like the columns themselves, with the rounded
 * remainder. */
static double rounded_product(const product_bounds *past, size_t j)
{
    const byte_vector *rest = &past->rounded.rest;
    if (past->centred && !(tm_dataset_deviations(past->data)[j] > 0))
        return 0;
    double mean = past->centred ? tm_dataset_means(past->data)[j] : 0;
    return byte_copy_dot(past->rounded.copy, j, rest) - mean * rest->sum;
}

void product_bounds_prefetch(const product_bounds *past, size_t j)
{
    byte_copy_prefetch(past->rounded.copy, j);
}

/* The product with the remainder's rounding is unknown, as are the products of r_j with what the
 * estimate has of rounded columns, the part of u apart from the exact vectors. */
void product_bounds_refine(const product_bounds *past, size_t j, double *estimate, double *error)
{
    const rounded_products *rounded = &past->rounded;
    double left = byte_copy_left(rounded->copy)[j];
    *estimate += rounded_product(past, j);
    *error = past->norms[j] * rounded->rest_left +
             left * (rounded->apart_length + rounded->rest_left) + past->lengths[j] * past->error;
}

/* A new vector costs p products with rounded columns, and the lists grow the longer the further the
 * residual is from the last one: it is time for one when a list is longer than all of them and the
 * vector together cost a certificate. */
bool product_bounds_wants_rounded(product_bounds *past, size_t listed)
{
    rounded_products *rounded = &past->rounded;
    double whole = (double)past->p, most = MAX_LISTED * whole;
    if (rounded->lists > 0)
        most = (whole + (double)rounded->listed) / (double)rounded->lists;
    bool wanted = (double)listed > most;
    if (wanted && rounded->from < past->most) {
        rounded->lists = rounded->listed = 0;
        return true;
    }
    rounded->lists++;
    rounded->listed += listed;
    return false;
}

void product_bounds_multiply(product_bounds *past, size_t from, size_t count)
{
    double *products = past->products + past->count * past->p;
    for (size_t j = from; j < from + count; j++)
        products[j] = rounded_product(past, j) / past->rest_length;
}

void product_bounds_add_rounded(product_bounds *past)
{
    double *q = past->vectors + past->count * past->n;
    const byte_vector *rest = &past->rounded.rest;
    for (size_t i = 0; i < past->n; i++)
        q[i] = rest->step * rest->values[i] / past->rest_length;
    past->count++;
}
