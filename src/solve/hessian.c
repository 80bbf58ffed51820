#include "solve/hessian.h"

#include "base/memory.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights may be this much off, relatively. */
static const double STALE = 0.1;

/* Multiply-adds of BLAS in the time of one of a column product. */
static const double BLAS_SPEED = 8;

struct hessian {
    size_t n, count, room; /* features, and for how many there is room */
    size_t *features;      /* count */
    uint64_t entries;      /* of the columns */
    double work;
    /* sparse: row i holds places[starts[i] .. starts[i+1]-1], ascending */
    uint64_t *starts;
    uint32_t *places;
    double *values;
    uint64_t entry_room;
    double *weights; /* n: those that raw is for */
    double *raw;     /* count x count, lower triangle: not centred */
    bool fresh;      /* raw is for no weights yet */
    /* dense: the columns, centred and times sqrt(h): n x count */
    double *packed;
    double *column; /* n: scratch */
    bool dense;
    double *products; /* count x count */
};

tm_status hessian_new(hessian **out, size_t n, tm_error *err)
{
    openblas_set_num_threads(1); /* as in gram.c: its idle threads spin */
    hessian *h = calloc(1, sizeof *h);
    *out = h;
    if (!h)
        return tm_fail_memory(err, "the Hessian");
    h->n = n;
    h->starts = mem_array(n + 1, sizeof *h->starts);
    h->weights = mem_array(n, sizeof *h->weights);
    h->column = mem_array(n, sizeof *h->column);
    if (h->starts && h->weights && h->column)
        return TM_OK;
    hessian_free(h);
    *out = NULL;
    return tm_fail_memory(err, "the Hessian");
}

void hessian_free(hessian *h)
{
    if (!h)
        return;
    free(h->features);
    free(h->starts);
    free(h->places);
    free(h->values);
    free(h->weights);
    free(h->column);
    free(h->raw);
    free(h->packed);
    free(h->products);
    free(h);
}

/* ---- the set of features ------------------------------------------------------------------- */

static bool same_set(const hessian *h, const size_t *features, size_t count)
{
    return h->count == count && memcmp(h->features, features, count * sizeof *features) == 0;
}

static bool make_room(hessian *h, size_t count)
{
    if (count <= h->room)
        return true;
    size_t room = count + count / 2;
    free(h->features);
    free(h->raw);
    free(h->products);
    free(h->packed);
    h->room = 0;
    h->features = mem_array(room, sizeof *h->features);
    h->raw = mem_array(h->dense ? 0 : room * room, sizeof *h->raw);
    h->products = mem_array(room * room, sizeof *h->products);
    h->packed = mem_array(h->dense ? h->n * room : 0, sizeof *h->packed);
    if (!h->features || !h->raw || !h->products || !h->packed)
        return false;
    h->room = room;
    return true;
}

static bool make_entry_room(hessian *h, uint64_t entries)
{
    if (entries <= h->entry_room)
        return true;
    uint64_t room = entries + entries / 2;
    free(h->places);
    free(h->values);
    h->entry_room = 0;
    h->places = mem_array(room, sizeof *h->places);
    h->values = mem_array(room, sizeof *h->values);
    if (!h->places || !h->values)
        return false;
    h->entry_room = room;
    return true;
}

/* Row lengths, at starts[i + 1]. */
static void count_rows(hessian *h, const tm_matrix *x)
{
    h->entries = 0;
    memset(h->starts, 0, (h->n + 1) * sizeof *h->starts);
    for (size_t k = 0; k < h->count; k++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, h->features[k], h->column, &rows, &values);
        h->entries += count;
        for (size_t i = 0; i < count; i++)
            h->starts[rows[i] + 1]++;
    }
}

static void turn_round(hessian *h, const tm_matrix *x)
{
    h->work = 0;
    for (size_t i = 0; i < h->n; i++) {
        double length = (double)h->starts[i + 1];
        h->work += length * (length + 1) / 2;
        h->starts[i + 1] += h->starts[i];
    }
    for (size_t k = 0; k < h->count; k++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, h->features[k], h->column, &rows, &values);
        for (size_t i = 0; i < count; i++) {
            uint64_t at = h->starts[rows[i]]++;
            h->places[at] = (uint32_t)k;
            h->values[at] = values[i];
        }
    }
    memmove(h->starts + 1, h->starts, h->n * sizeof *h->starts);
    h->starts[0] = 0;
}

tm_status hessian_begin(hessian *h, const tm_matrix *x, const size_t *features, size_t count,
                        tm_error *err)
{
    if (same_set(h, features, count))
        return TM_OK;
    h->dense = !tm_matrix_is_sparse(x);
    h->count = 0;
    if (!make_room(h, count))
        return tm_fail_memory(err, "the Hessian");
    memcpy(h->features, features, count * sizeof *features);
    h->count = count;
    h->fresh = true;
    if (h->dense) {
        h->entries = (uint64_t)h->n * count;
        h->work = (double)h->entries * (double)count / BLAS_SPEED;
        return TM_OK;
    }
    count_rows(h, x);
    if (!make_entry_room(h, h->entries)) {
        h->count = 0;
        return tm_fail_memory(err, "the Hessian");
    }
    turn_round(h, x);
    return TM_OK;
}

double hessian_work(const hessian *h)
{
    return h->work;
}

double hessian_epoch_work(const hessian *h)
{
    return (double)h->entries;
}

/* ---- products ------------------------------------------------------------------------------ */

static void add_row(hessian *h, size_t i, double change)
{
    const uint32_t *places = h->places + h->starts[i];
    const double *values = h->values + h->starts[i];
    size_t count = h->starts[i + 1] - h->starts[i];
    for (size_t a = 0; a < count; a++) {
        double *column = h->raw + places[a] * h->count, scaled = change * values[a];
        for (size_t b = a; b < count; b++)
            column[places[b]] += scaled * values[b];
    }
}

static void add_rows(hessian *h, const double *weights)
{
    if (h->fresh) {
        memset(h->raw, 0, h->count * h->count * sizeof *h->raw);
        memset(h->weights, 0, h->n * sizeof *h->weights);
        h->fresh = false;
    }
    for (size_t i = 0; i < h->n; i++) {
        if (weights[i] == h->weights[i])
            continue;
        add_row(h, i, weights[i] - h->weights[i]);
        h->weights[i] = weights[i];
    }
}

void hessian_keep(const hessian *h, double *weights)
{
    if (h->dense || h->fresh)
        return;
    for (size_t i = 0; i < h->n; i++)
        if (fabs(weights[i] - h->weights[i]) <= STALE * h->weights[i])
            weights[i] = h->weights[i];
}

/* Of columns times sqrt(weights), centred: the lower triangle. */
static void dense_products(hessian *h, const tm_matrix *x, const double *weights,
                           const double *means)
{
    for (size_t i = 0; i < h->n; i++)
        h->weights[i] = sqrt(weights[i]);
    for (size_t k = 0; k < h->count; k++) {
        double *column = h->packed + k * h->n, mean = means ? means[h->features[k]] : 0;
        tm_matrix_column(x, h->features[k], column);
        for (size_t i = 0; i < h->n; i++)
            column[i] = h->weights[i] * (column[i] - mean);
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)h->count, (int)h->n, 1, h->packed,
                (int)h->n, 0, h->products, (int)h->count);
}

/* The rows' products less what centring takes away. */
static void sparse_products(hessian *h, const double *weights, const double *means)
{
    double total = 0;
    add_rows(h, weights);
    for (size_t i = 0; means && i < h->n; i++)
        total += weights[i];
    memcpy(h->products, h->raw, h->count * h->count * sizeof *h->products);
    for (size_t a = 0; means && a < h->count; a++) {
        double left = total * means[h->features[a]];
        for (size_t b = a; b < h->count; b++)
            h->products[a * h->count + b] -= left * means[h->features[b]];
    }
}

double *hessian_at(hessian *h, const tm_matrix *x, const double *weights, const double *means)
{
    size_t count = h->count;
    if (h->dense)
        dense_products(h, x, weights, means);
    else
        sparse_products(h, weights, means);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            h->products[b * count + a] = h->products[a * count + b];
    return h->products;
}
