#include "solve/hessian.h"

#include "base/memory.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights may be this much off, relatively. */
static const double STALE = 0.1;

static const double VANISHED = 1e-3;

/* Multiply-adds of BLAS in the time of one of a column product. */
static const double BLAS_SPEED = 16;

/* Rows handed to BLAS at a time. */
enum { BLOCK = 256 };

struct hessian {
    size_t n, count, room; /* features, and for how many there is room */
    size_t *features;      /* count */
    bool dense, centred;
    uint64_t entries; /* of the columns */
    double work;
    /* sparse: row i holds places[starts[i] .. starts[i+1]-1], ascending */
    uint64_t *starts;
    uint32_t *places;
    double *values;
    uint64_t entry_room;
    /* dense: row i is rows[i*room .. i*room+count-1], less the columns' means when centred */
    double *rows, *block; /* n x room; BLOCK x room */
    double *centres;      /* count: what was taken away from the columns */
    double *weights;      /* n: those that raw is for */
    double greatest;      /* sum of weights so far on this set */
    double *raw;          /* the lower triangle for them, leading dimension room */
    double *products;     /* count x count */
    double *column;       /* n: scratch */
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

static void free_room(hessian *h)
{
    free(h->features);
    free(h->rows);
    free(h->block);
    free(h->centres);
    free(h->raw);
    free(h->products);
    h->features = NULL;
    h->rows = h->block = h->centres = h->raw = h->products = NULL;
    h->room = h->count = 0;
}

void hessian_free(hessian *h)
{
    if (!h)
        return;
    free_room(h);
    free(h->starts);
    free(h->places);
    free(h->values);
    free(h->weights);
    free(h->column);
    free(h);
}

/* ---- the set of features ------------------------------------------------------------------- */

static bool make_room(hessian *h, size_t count)
{
    if (count <= h->room)
        return true;
    free_room(h);
    size_t room = count + count / 2;
    h->features = mem_array(room, sizeof *h->features);
    h->rows = mem_array(h->dense ? h->n * room : 0, sizeof *h->rows);
    h->block = mem_array(h->dense ? BLOCK * room : 0, sizeof *h->block);
    h->centres = mem_zeros(room, sizeof *h->centres);
    h->raw = mem_array(room * room, sizeof *h->raw);
    h->products = mem_array(room * room, sizeof *h->products);
    if (h->features && h->rows && h->block && h->centres && h->raw && h->products) {
        h->room = room;
        return true;
    }
    free_room(h);
    return false;
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

/* The columns from place `from` on, row by row. */
static void load_rows(hessian *h, const tm_matrix *x, size_t from)
{
    for (size_t k = from; k < h->count; k++) {
        double sum = 0;
        tm_matrix_column(x, h->features[k], h->column);
        for (size_t i = 0; h->centred && i < h->n; i++)
            sum += h->column[i];
        h->centres[k] = sum / (double)h->n;
        for (size_t i = 0; i < h->n; i++)
            h->rows[i * h->room + k] = h->column[i] - h->centres[k];
    }
    h->entries = (uint64_t)h->n * h->count;
    h->work = (double)h->entries * (double)h->count / 2 / BLAS_SPEED;
}

/* How many of the present features begin the new set; their products can stay. */
static size_t common_start(const hessian *h, const size_t *features, size_t count)
{
    size_t same = h->count;
    return same > 0 && count >= same && memcmp(h->features, features, same * sizeof *features) == 0
               ? same
               : 0;
}

/* ---- products ------------------------------------------------------------------------------ */

static void add_sparse_row(hessian *h, size_t i, double change, size_t from)
{
    const uint32_t *places = h->places + h->starts[i];
    const double *values = h->values + h->starts[i];
    size_t count = h->starts[i + 1] - h->starts[i], first = 0;
    while (first < count && places[first] < from)
        first++;
    for (size_t a = 0; a < count; a++) {
        double *column = h->raw + places[a] * h->room, scaled = change * values[a];
        for (size_t b = a > first ? a : first; b < count; b++)
            column[places[b]] += scaled * values[b];
    }
}

/* The block's first `length` rows times themselves, into the products of the features from place `from`
 * on with all. */
static void add_block(hessian *h, int length, double sign, size_t from)
{
    int old = (int)from, added = (int)(h->count - from), room = (int)h->room;
    if (length == 0)
        return;
    if (old > 0)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, added, old, length, sign,
                    h->block + from, room, h->block, room, 1, h->raw + from, room);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, added, length, sign, h->block + from, room,
                1, h->raw + from * h->room + from, room);
}

/* Adds change_i times row i of the rows whose change has the given sign. */
static void add_dense_rows(hessian *h, const double *change, double sign, size_t from)
{
    int length = 0;
    for (size_t i = 0; i < h->n; i++) {
        double size = sign * change[i];
        if (!(size > 0))
            continue;
        double root = sqrt(size), *to = h->block + (size_t)length * h->room;
        const double *row = h->rows + i * h->room;
        for (size_t k = 0; k < h->count; k++)
            to[k] = root * row[k];
        if (++length == BLOCK) {
            add_block(h, length, sign, from);
            length = 0;
        }
    }
    add_block(h, length, sign, from);
}

static void add_rows(hessian *h, const double *change, size_t from)
{
    if (h->dense) {
        add_dense_rows(h, change, 1, from);
        add_dense_rows(h, change, -1, from);
        return;
    }
    for (size_t i = 0; i < h->n; i++)
        if (change[i] != 0)
            add_sparse_row(h, i, change[i], from);
}

/* Rows and columns of raw from place `from` on start at zero; the weights stay, unless all is new. */
static void begin_products(hessian *h, size_t from)
{
    for (size_t k = 0; k < h->count; k++) {
        size_t first = k > from ? k : from;
        memset(h->raw + k * h->room + first, 0, (h->count - first) * sizeof *h->raw);
    }
    if (from > 0) {
        add_rows(h, h->weights, from);
        return;
    }
    memset(h->weights, 0, h->n * sizeof *h->weights);
    h->greatest = 0;
}

tm_status hessian_begin(hessian *h, const tm_matrix *x, const size_t *features, size_t count,
                        bool centred, tm_error *err)
{
    bool dense = !tm_matrix_is_sparse(x);
    if (dense != h->dense || (dense && centred != h->centred))
        free_room(h);
    h->dense = dense;
    h->centred = centred;
    if (count > h->room)
        h->count = 0;
    size_t same = common_start(h, features, count);
    if (same == count)
        return TM_OK;
    if (!make_room(h, count))
        return tm_fail_memory(err, "the Hessian");
    memcpy(h->features, features, count * sizeof *features);
    h->count = count;
    if (dense) {
        load_rows(h, x, same);
    } else {
        count_rows(h, x);
        if (!make_entry_room(h, h->entries)) {
            h->count = 0;
            return tm_fail_memory(err, "the Hessian");
        }
        turn_round(h, x);
    }
    begin_products(h, same);
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

void hessian_keep(const hessian *h, double *weights)
{
    for (size_t i = 0; i < h->n; i++)
        if (fabs(weights[i] - h->weights[i]) <= STALE * h->weights[i])
            weights[i] = h->weights[i];
}

/* What centring at the weighted means, not at the centres, takes away. */
static void take_means(hessian *h, const double *weights, const double *means)
{
    double total = 0;
    for (size_t i = 0; i < h->n; i++)
        total += weights[i];
    for (size_t a = 0; a < h->count; a++) {
        double left = total * (means[h->features[a]] - h->centres[a]);
        for (size_t b = a; b < h->count; b++)
            h->products[a * h->count + b] -= left * (means[h->features[b]] - h->centres[b]);
    }
}

/* Products that have lost most of their weight carry the rounding of what they were: they are made anew. */
static void renew_products(hessian *h, const double *weights)
{
    double total = 0;
    for (size_t i = 0; i < h->n; i++)
        total += weights[i];
    if (total < VANISHED * h->greatest)
        begin_products(h, 0);
    h->greatest = fmax(h->greatest, total);
}

double *hessian_at(hessian *h, const double *weights, const double *means)
{
    size_t count = h->count;
    renew_products(h, weights);
    for (size_t i = 0; i < h->n; i++)
        h->column[i] = weights[i] - h->weights[i];
    add_rows(h, h->column, 0);
    memcpy(h->weights, weights, h->n * sizeof *weights);
    for (size_t a = 0; a < count; a++)
        memcpy(h->products + a * count + a, h->raw + a * h->room + a,
               (count - a) * sizeof *h->products);
    if (means)
        take_means(h, weights, means);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            h->products[b * count + a] = h->products[a * count + b];
    return h->products;
}
