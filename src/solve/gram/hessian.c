#include "solve/gram/hessian.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "solve/gram/hessian_parts.h"
#include "solve/gram/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_status hessian_new(hessian **out, size_t n, tm_error *err)
{
    *out = NULL;
    tm_status status = blas_begin(err);
    if (status != TM_OK)
        return status;
    hessian *h = calloc(1, sizeof *h);
    *out = h;
    if (!h)
        return tm_fail_memory(err, "the Hessian");
    h->n = n;
    h->weights = mem_zeros(n, sizeof *h->weights);
    h->column = mem_array(n, sizeof *h->column);
    if (set_rows_new(&h->sparse, n) && h->weights && h->column)
        return TM_OK;
    hessian_free(h);
    *out = NULL;
    return tm_fail_memory(err, "the Hessian");
}

static void forget_features(hessian *h)
{
    for (size_t k = 0; k < h->count; k++)
        h->set.places[h->features[k]] = 0;
    h->count = h->set.count = 0;
}

static void free_room(hessian *h)
{
    forget_features(h);
    free(h->features);
    free(h->set.at);
    free(h->lengths);
    free(h->columns.copies);
    free(h->columns.block);
    free(h->centres);
    free(h->raw);
    free(h->products);
    h->features = h->set.at = NULL;
    h->lengths = NULL;
    h->columns.copies = h->columns.block = h->centres = h->raw = h->products = NULL;
    h->capacity = h->made = 0;
}

void hessian_free(hessian *h)
{
    if (!h)
        return;
    free_room(h);
    set_rows_free(&h->sparse);
    free(h->weights);
    free(h->column);
    free(h->set.places);
    free(h);
}

static void forget_products(hessian *h)
{
    memset(h->weights, 0, h->n * sizeof *h->weights);
    h->made = 0;
    h->greatest = 0;
}

/* ---- the set of features ------------------------------------------------------------------- */

/* Moves the products computed so far to larger arrays. */
static bool move_products(hessian *h, size_t capacity)
{
    double *raw = mem_array(capacity * capacity, sizeof *raw);
    size_t *features = realloc(h->features, capacity * sizeof *features);
    size_t *set = realloc(h->set.at, capacity * sizeof *set);
    uint64_t *lengths = realloc(h->lengths, capacity * sizeof *lengths);
    double *centres = realloc(h->centres, capacity * sizeof *centres);
    for (size_t k = 0; raw && k < h->made; k++)
        memcpy(raw + k * capacity + k, h->raw + k * h->capacity + k, (h->made - k) * sizeof *raw);
    if (raw)
        free(h->raw);
    free(h->products);
    h->raw = raw ? raw : h->raw;
    h->features = features ? features : h->features;
    h->set.at = set ? set : h->set.at;
    h->lengths = lengths ? lengths : h->lengths;
    h->centres = centres ? centres : h->centres;
    for (size_t k = h->capacity; centres && k < capacity; k++)
        centres[k] = 0;
    h->products = mem_array(capacity * capacity, sizeof *h->products);
    return raw && features && set && lengths && centres && h->products;
}

/* A block of rows of dense columns, and copies of those that cannot be read by rows. */
static bool reserve_dense(hessian *h, size_t capacity)
{
    free(h->columns.block);
    h->columns.block = mem_array(BLAS_ROWS * capacity, sizeof *h->columns.block);
    if (tm_matrix_has_parts(h->columns.x))
        return h->columns.block;
    double *columns = mem_array(h->n * capacity, sizeof *columns);
    if (columns && h->count > 0)
        memcpy(columns, h->columns.copies, h->n * h->count * sizeof *columns);
    if (columns)
        free(h->columns.copies);
    h->columns.copies = columns ? columns : h->columns.copies;
    return h->columns.block && columns;
}

static bool reserve(hessian *h, size_t count)
{
    if (count <= h->capacity)
        return true;
    size_t capacity = count + count / 2;
    if (move_products(h, capacity) && (!h->dense || reserve_dense(h, capacity))) {
        h->capacity = capacity;
        return true;
    }
    free_room(h);
    return false;
}

static double rows_work(const set_rows *r)
{
    double work = 0;
    for (size_t i = 0; i < r->n; i++) {
        double count = (double)(r->starts[i + 1] - r->starts[i]);
        work += count * (count + 1) / 2;
    }
    return work;
}

static bool load_sparse(hessian *h, const tm_matrix *x, size_t from)
{
    if (from == 0)
        set_rows_clear(&h->sparse);
    if (!set_rows_add(&h->sparse, x, h->features, from, h->count, h->lengths))
        return false;
    h->entries = set_rows_entries(&h->sparse);
    h->work = rows_work(&h->sparse);
    return true;
}

/* Finds the means of the columns from place `from` on, and copies those that cannot be read by
 * rows. */
static void load_dense(hessian *h, size_t from)
{
    for (size_t k = from; k < h->count && (h->centred || h->columns.copies); k++) {
        double sum = 0, *column = h->columns.copies ? h->columns.copies + k * h->n : h->column;
        tm_matrix_column(h->columns.x, h->features[k], column);
        for (size_t i = 0; h->centred && i < h->n; i++)
            sum += column[i];
        h->centres[k] = sum / (double)h->n;
    }
    h->entries = (uint64_t)h->n * h->count;
    h->work = (double)h->entries * (double)h->count / 2 / BLAS_SPEED;
}

/* Whether to keep the cached features: with `fresh` new ones, few enough relative to a set of
 * `count`. Products of the others cost as much as the set's, but need not be recomputed when a set
 * returns. */
static bool is_worth_keeping(const hessian *h, size_t fresh, size_t count)
{
    return h->count > 0 && (double)(h->count + fresh) <= KEPT_FEATURES * (double)count;
}

/* Ensures capacity for the set, and for the cached features if they are worth keeping. */
static bool make_room(hessian *h, const size_t *features, size_t count)
{
    size_t fresh = 0;
    for (size_t k = 0; k < count; k++)
        fresh += h->set.places[features[k]] == 0;
    if (!is_worth_keeping(h, fresh, count)) {
        forget_features(h);
        forget_products(h);
        fresh = count;
    }
    return reserve(h, h->count + fresh);
}

/* New features are placed after the cached ones. */
static void place_set(hessian *h, const size_t *features, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (h->set.places[features[k]] == 0) {
            h->features[h->count++] = features[k];
            h->set.places[features[k]] = (uint32_t)h->count;
        }
        h->set.at[k] = h->set.places[features[k]] - 1;
    }
    h->set.count = count;
}

tm_status hessian_begin(hessian *h, const tm_matrix *x, const size_t *features, size_t count,
                        bool centred, tm_error *err)
{
    bool dense = !tm_matrix_is_sparse(x);
    if (!h->set.places && !(h->set.places = mem_zeros(tm_matrix_cols(x), sizeof *h->set.places)))
        return tm_fail_memory(err, "the Hessian");
    if (dense != h->dense || (dense && centred != h->centred))
        free_room(h);
    h->dense = dense;
    h->centred = centred;
    h->columns.x = x;
    if (!make_room(h, features, count))
        return tm_fail_memory(err, "the Hessian");
    size_t before = h->count;
    place_set(h, features, count);
    if (h->count == before)
        return TM_OK;
    if (dense) {
        load_dense(h, before);
    } else if (!load_sparse(h, x, before)) {
        forget_features(h);
        return tm_fail_memory(err, "the Hessian");
    }
    return TM_OK;
}

bool hessian_is_centred(const hessian *h)
{
    return h->dense && h->centred;
}

double hessian_work(const hessian *h)
{
    return h->work;
}

double hessian_epoch_work(const hessian *h)
{
    return (double)h->entries;
}

void hessian_keep(const hessian *h, double *weights)
{
    for (size_t i = 0; i < h->n; i++)
        if (fabs(weights[i] - h->weights[i]) <= STALE * h->weights[i])
            weights[i] = h->weights[i];
}

/* Corrects for centring at the weighted means instead of the centres. */
static void take_means(hessian *h, const double *weights, const double *means)
{
    double total = 0;
    for (size_t i = 0; i < h->n; i++)
        total += weights[i];
    for (size_t a = 0; a < h->set.count; a++) {
        size_t at = h->set.at[a];
        double left = total * (means[h->features[at]] - h->centres[at]);
        for (size_t b = a; b < h->set.count; b++)
            h->products[a * h->set.count + b] -=
                left * (means[h->features[h->set.at[b]]] - h->centres[h->set.at[b]]);
    }
}

/* Recomputes products that have lost most of their weight, as they carry the rounding errors of
 * their former size. */
static void recompute_stale(hessian *h, const double *weights)
{
    double total = 0;
    for (size_t i = 0; i < h->n; i++)
        total += weights[i];
    if (total < VANISHED * h->greatest)
        forget_products(h);
    h->greatest = fmax(h->greatest, total);
}

/* Copies the lower triangle to the upper one, in blocks that fit in the cache. */
static void mirror(double *products, size_t count, size_t capacity)
{
    for (size_t a0 = 0; a0 < count; a0 += MIRROR_SIDE)
        for (size_t b0 = a0; b0 < count; b0 += MIRROR_SIDE)
            for (size_t b = b0; b < count && b < b0 + MIRROR_SIDE; b++)
                for (size_t a = a0; a < b && a < a0 + MIRROR_SIDE; a++)
                    products[b * capacity + a] = products[a * capacity + b];
}

/* Whether the set consists of all cached features, in their order. */
static bool is_whole(const hessian *h)
{
    size_t k = 0;
    while (k < h->set.count && h->set.at[k] == k)
        k++;
    return k == h->count;
}

/* Copies the lower triangle of the set's products. */
static void gather(hessian *h)
{
    size_t count = h->set.count;
    for (size_t a = 0; a < count; a++) {
        size_t at = h->set.at[a];
        for (size_t b = a; b < count; b++) {
            size_t other = h->set.at[b], low = at < other ? at : other, high = at + other - low;
            h->products[a * count + b] = h->raw[low * h->capacity + high];
        }
    }
}

hessian_products hessian_at(hessian *h, const double *weights, const double *means,
                            thread_team *team)
{
    size_t count = h->set.count;
    recompute_stale(h, weights);
    hessian_update_products(h, weights, team);
    if (!means && is_whole(h)) {
        mirror(h->raw, count, h->capacity);
        return (hessian_products){h->raw, h->capacity};
    }
    gather(h);
    if (means)
        take_means(h, weights, means);
    mirror(h->products, count, count);
    return (hessian_products){h->products, count};
}
