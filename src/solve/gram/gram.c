#include "solve/gram/gram.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/threads/parallel.h"
#include "data/matrix/kernels.h"
#include "data/matrix/pass_team.h"

#include <cblas.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

tm_status gram_new(gram **out, const gram_source *s, tm_error *err)
{
    *out = NULL;
    tm_status status = blas_begin(err);
    if (status != TM_OK)
        return status;
    gram *cache = calloc(1, sizeof *cache);
    *out = cache;
    if (!cache)
        return tm_fail_memory(err, "the Gram cache");
    cache->from = *s;
    cache->places = mem_zeros(s->p, sizeof *cache->places);
    cache->columns = mem_array((GRAM_TOGETHER + 1) * s->n, sizeof *cache->columns);
    bool sparse = tm_matrix_is_sparse(s->x);
    cache->none_constant = sparse;
    if (!cache->places || !cache->columns || (sparse && !set_rows_new(&cache->rows, s->n))) {
        gram_free(cache);
        *out = NULL;
        return tm_fail_memory(err, "the Gram cache");
    }
    memset(cache->columns, 0, s->n * sizeof *cache->columns);
    return TM_OK;
}

void gram_free(gram *cache)
{
    if (!cache)
        return;
    free(cache->features);
    free(cache->places);
    free(cache->products);
    free(cache->columns);
    set_rows_free(&cache->rows);
    free(cache->lengths);
    free(cache);
}

void gram_clear(gram *cache)
{
    for (size_t k = 0; k < cache->count; k++)
        cache->places[cache->features[k]] = 0;
    cache->count = cache->held = 0;
    cache->waiting = cache->paid = 0;
    if (cache->rows.starts) {
        cache->none_constant = true;
        set_rows_clear(&cache->rows);
        memset(cache->columns, 0, cache->rows.n * sizeof *cache->columns);
    }
}

static tm_status reserve(gram *cache, size_t count, tm_error *err)
{
    if (count <= cache->capacity)
        return TM_OK;
    size_t capacity = cache->capacity ? 2 * cache->capacity : 64;
    capacity = capacity < count ? count : capacity;
    size_t *features = realloc(cache->features, capacity * sizeof *features);
    if (features)
        cache->features = features;
    uint64_t *lengths = realloc(cache->lengths, capacity * sizeof *lengths);
    if (lengths)
        cache->lengths = lengths;
    double *products = mem_array(capacity * capacity, sizeof *products);
    if (!features || !lengths || !products) {
        free(products);
        return tm_fail_memory(err, "the Gram cache");
    }
    for (size_t k = 0; k < cache->count; k++)
        memcpy(products + k * capacity, gram_column(cache, k), cache->count * sizeof *products);
    free(cache->products);
    cache->products = products;
    cache->capacity = capacity;
    return TM_OK;
}

/* ---- dense columns, and columns that are nearly constant ------------------------------------ */

/* A new feature as a dense vector, centred when there is an intercept: products with raw columns
 * are then those of centred columns, without the cancellation of a later correction. Subtracting
 * the rounded mean alone would leave a small sum, which the other columns' means would multiply, so
 * that this sum is removed too. With sample weights the vector is weighted, and so is what is
 * subtracted. */
static void load_column(const gram_source *s, size_t j, double *column)
{
    tm_matrix_column(s->x, j, column);
    for (size_t i = 0; s->of->weights && i < s->n; i++)
        column[i] *= s->of->weights[i];
    if (s->intercept)
        samples_centre(s->of, column);
}

/* Products of the feature at place k with the `count` loaded columns; scratch: n values. */
static void multiply(const gram *cache, size_t k, size_t count, double *scratch, double *out)
{
    const gram_source *s = &cache->from;
    const uint32_t *rows;
    const double *values;
    size_t n = s->n, m = 0,
           entries = tm_matrix_entries(s->x, cache->features[k], scratch, &rows, &values);
    for (; !rows && m + 4 <= count; m += 4)
        kernel_dot4(cache->columns + m * n, n, values, n, out + m);
    for (; m < count; m++) {
        const double *column = cache->columns + m * n;
        out[m] =
            rows ? kernel_sparse_dot(rows, values, entries, column) : kernel_dot(values, column, n);
    }
}

static double length_of(const gram_source *s, size_t j)
{
    return s->lengths ? s->lengths[j] : sqrt(s->squares[j]);
}

static void take_in(gram *cache, size_t at)
{
    size_t j = cache->features[at];
    double length = length_of(&cache->from, j);
    cache->products[at * cache->capacity + at] = length * length;
    cache->places[j] = (uint32_t)at + 1;
}

/* The products of the features at places start .. with `count` new ones, which begin at `first`. */
typedef struct fill_job {
    gram *cache;
    size_t first, count, start;
    bool shared; /* by several threads, each with a scratch column of its own */
    atomic_bool failed;
} fill_job;

/* How many of the new features are at places up to k: their products with it were computed there.
 */
static size_t new_up_to(size_t k, size_t first)
{
    return k < first ? 0 : k - first + 1;
}

static void fill_range(size_t from, size_t to, void *payload)
{
    fill_job *job = payload;
    gram *cache = job->cache;
    size_t n = cache->from.n, first = job->first;
    double out[GRAM_TOGETHER], *common = cache->columns + GRAM_TOGETHER * n;
    double *scratch = job->shared ? mem_array(n, sizeof *scratch) : common;
    if (!scratch) {
        atomic_store(&job->failed, true);
        return;
    }
    for (size_t k = job->start + from; k < job->start + to; k++) {
        multiply(cache, k, job->count, scratch, out);
        for (size_t m = new_up_to(k, first); m < job->count; m++) {
            cache->products[(first + m) * cache->capacity + k] = out[m];
            cache->products[k * cache->capacity + first + m] = out[m];
        }
    }
    if (job->shared)
        free(scratch);
}

/* The last `count` features are new: computes their products with all features, a few milliseconds
 * of them between two checks of the cancel token. */
static tm_status fill_by_columns(gram *cache, size_t count, solve_progress *progress, tm_error *err)
{
    const gram_source *s = &cache->from;
    size_t first = cache->count, last = first + count - 1;
    size_t most = FILL_WORK / (count * s->n) * (size_t)team_threads(progress->team) + 1;
    for (size_t m = 0; m < count; m++)
        load_column(s, cache->features[first + m], cache->columns + m * s->n);
    for (size_t from = 0; from < last; from += most) {
        size_t places = last - from < most ? last - from : most, products = places * count;
        thread_team *team = pass_team(s->x, products, products * s->n, progress->team);
        fill_job job = {cache, first, count, from, team_threads(team) > 1, false};
        parallel_ranges(places, team, fill_range, &job);
        if (atomic_load(&job.failed))
            return tm_fail_memory(err, "the Gram cache");
        for (size_t k = from; k < from + places; k++)
            progress->columns += count - new_up_to(k, first);
        if (progress_work(progress, (uint64_t)products * s->n))
            return tm_fail(err, TM_ECANCELLED, "cancelled");
    }
    for (size_t at = first; at < first + count; at++)
        take_in(cache, at);
    cache->count += count;
    return TM_OK;
}

/* ---- sparse columns ------------------------------------------------------------------------- */

static bool is_nearly_constant(const gram_source *s, size_t j)
{
    double mean = s->intercept ? s->means[j] : 0;
    double length = length_of(s, j), whole = sqrt(length * length + s->of->total * mean * mean);
    return !(length >= NEARLY_CONSTANT * whole);
}

/* Sets out[k] to x_j'x_k before centring: for features in the row-wise copy through the rows of
 * x_j, for features not yet in it through their columns. Returns the number of entries read. */
static uint64_t multiply_sparse(gram *cache, size_t at, double *out)
{
    const gram_source *s = &cache->from;
    const uint32_t *rows;
    const double *values;
    size_t n = s->n;
    double *dense = cache->columns, *scratch = cache->columns + GRAM_TOGETHER * n;
    size_t entries = tm_matrix_entries(s->x, cache->features[at], scratch, &rows, &values);
    uint64_t visited = entries;
    memset(out, 0, cache->held * sizeof *out);
    for (size_t e = 0; e < entries; e++) {
        const set_rows *r = &cache->rows;
        double value = samples_weight(s->of, rows[e]) * values[e];
        dense[rows[e]] = value;
        for (uint64_t k = r->starts[rows[e]]; k < r->starts[rows[e] + 1]; k++)
            out[r->places[k]] += value * r->values[k];
        visited += r->starts[rows[e] + 1] - r->starts[rows[e]];
    }
    cache->lengths[at] = entries;
    for (size_t k = cache->held; k < at; k++)
        out[k] = tm_matrix_dot(s->x, cache->features[k], dense);
    for (size_t e = 0; e < entries; e++)
        dense[rows[e]] = 0;
    return visited + cache->waiting;
}

/* Extending the row-wise copy has an immediate cost; each feature outside it costs a column product
 * for every feature added later. */
static tm_status extend_rows(gram *cache, tm_error *err)
{
    const gram_source *s = &cache->from;
    if (cache->paid < ROWS_EXTENSION * (set_rows_entries(&cache->rows) + cache->waiting + s->n))
        return TM_OK;
    if (!set_rows_add(&cache->rows, s->x, cache->features, cache->held, cache->count,
                      cache->lengths))
        return tm_fail_memory(err, "the Gram cache");
    cache->held = cache->count;
    cache->waiting = cache->paid = 0;
    return TM_OK;
}

static tm_status fill_by_rows(gram *cache, size_t count, solve_progress *progress, tm_error *err)
{
    const gram_source *s = &cache->from;
    tm_status status = TM_OK;
    for (size_t end = cache->count + count; status == TM_OK && cache->count < end;) {
        size_t at = cache->count++, j = cache->features[at];
        double *out = cache->products + at * cache->capacity;
        uint64_t visited = multiply_sparse(cache, at, out);
        double left = s->intercept ? s->of->total * s->means[j] : 0;
        for (size_t k = 0; k < at; k++) {
            out[k] -= s->intercept ? left * s->means[cache->features[k]] : 0;
            cache->products[k * cache->capacity + at] = out[k];
        }
        take_in(cache, at);
        cache->paid += cache->waiting;
        cache->waiting += cache->lengths[at];
        status = extend_rows(cache, err);
        progress->columns += at;
        if (progress_work(progress, visited) && status == TM_OK)
            status = tm_fail(err, TM_ECANCELLED, "cancelled");
    }
    return status;
}

static tm_status fill(gram *cache, size_t count, solve_progress *progress, tm_error *err)
{
    for (size_t k = 0; k < count; k++)
        cache->none_constant = cache->none_constant &&
                               !is_nearly_constant(&cache->from, cache->features[cache->count + k]);
    return cache->none_constant ? fill_by_rows(cache, count, progress, err)
                                : fill_by_columns(cache, count, progress, err);
}

tm_status gram_fill(gram *cache, const double *products, tm_error *err)
{
    size_t p = cache->from.p;
    tm_status status = reserve(cache, p, err);
    for (size_t j = 0; status == TM_OK && j < p; j++) {
        memcpy(cache->products + j * cache->capacity, products + j * p, p * sizeof *products);
        cache->features[j] = j;
        take_in(cache, j);
        cache->count++;
    }
    return status;
}

tm_status gram_add(gram *cache, const size_t *features, size_t count, solve_progress *progress,
                   tm_error *err)
{
    size_t fresh = 0;
    for (size_t k = 0; k < count; k++) {
        if (!gram_has(cache, features[k])) {
            tm_status status = reserve(cache, cache->count + fresh + 1, err);
            if (status != TM_OK)
                return status;
            cache->features[cache->count + fresh++] = features[k];
        }
        if (fresh == GRAM_TOGETHER || (k + 1 == count && fresh > 0)) {
            tm_status status = fill(cache, fresh, progress, err);
            if (status != TM_OK)
                return status;
            fresh = 0;
        }
    }
    return TM_OK;
}
