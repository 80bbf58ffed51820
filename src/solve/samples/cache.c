#include "solve/samples/cache.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { NONE = -1, LEAST_ROWS = 2 };

typedef struct cached_row {
    double *values;             /* n, NaN: not computed yet; NULL: not allocated yet */
    long sample, before, after; /* the sample of this row; its neighbours in order of use */
    uint64_t complete;          /* the growth since which it has all requested entries */
} cached_row;

struct kernel_cache {
    const kernel_rows *rows;
    size_t n;
    cached_row *slots;
    long *slot_of; /* n, NONE: not cached */
    long room, used, newest, oldest;
    uint64_t growth, owed;
    size_t *missing;
    double *made, *scratch, *point;
};

/* What a row occupies: its values and its slot. */
static double row_bytes(size_t n)
{
    return (double)n * sizeof(double) + sizeof(cached_row);
}

kernel_cache *kernel_cache_new(const kernel_rows *rows, double bytes)
{
    kernel_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    size_t n = rows->rows.n;
    double most = floor(bytes / row_bytes(n));
    cache->rows = rows;
    cache->n = n;
    cache->room = (long)fmin(fmax(most, LEAST_ROWS), (double)(n > LEAST_ROWS ? n : LEAST_ROWS));
    cache->newest = cache->oldest = NONE;
    cache->growth = 1;
    cache->slots = mem_zeros((size_t)cache->room, sizeof *cache->slots);
    cache->slot_of = mem_array(n, sizeof *cache->slot_of);
    cache->missing = mem_array(n, sizeof *cache->missing);
    cache->made = mem_array(n, sizeof *cache->made);
    cache->scratch = mem_array(n, sizeof *cache->scratch);
    cache->point = mem_zeros(rows->rows.p, sizeof *cache->point);
    if (!cache->slots || !cache->slot_of || !cache->missing || !cache->made || !cache->scratch ||
        !cache->point) {
        kernel_cache_free(cache);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        cache->slot_of[i] = NONE;
    return cache;
}

void kernel_cache_free(kernel_cache *cache)
{
    if (!cache)
        return;
    for (long k = 0; cache->slots && k < cache->room; k++)
        free(cache->slots[k].values);
    free(cache->slots);
    free(cache->slot_of);
    free(cache->missing);
    free(cache->made);
    free(cache->scratch);
    free(cache->point);
    free(cache);
}

double kernel_cache_bytes(const kernel_cache *cache)
{
    return (double)cache->used * ((double)cache->n * sizeof(double)) +
           (double)cache->room * sizeof(cached_row);
}

void kernel_cache_grow(kernel_cache *cache)
{
    cache->growth++;
}

static void unlink_slot(kernel_cache *cache, long k)
{
    cached_row *row = &cache->slots[k];
    *(row->before == NONE ? &cache->oldest : &cache->slots[row->before].after) = row->after;
    *(row->after == NONE ? &cache->newest : &cache->slots[row->after].before) = row->before;
}

static void link_newest(kernel_cache *cache, long k)
{
    cached_row *row = &cache->slots[k];
    row->before = cache->newest;
    row->after = NONE;
    *(cache->newest == NONE ? &cache->oldest : &cache->slots[cache->newest].after) = k;
    cache->newest = k;
}

/* An empty slot for sample i; NONE when memory ran out and no slot can be reused. */
static long take_slot(kernel_cache *cache, size_t i)
{
    long k = NONE;
    if (cache->used < cache->room) {
        double *values = mem_array(cache->n, sizeof *values);
        if (values) {
            k = cache->used++;
            cache->slots[k].values = values;
        }
    }
    if (k == NONE) { /* keeps the row requested before */
        k = cache->oldest;
        if (k == NONE || k == cache->newest)
            return NONE;
        unlink_slot(cache, k);
        cache->slot_of[cache->slots[k].sample] = NONE;
    }
    for (size_t j = 0; j < cache->n; j++)
        cache->slots[k].values[j] = NAN;
    cache->slots[k].sample = (long)i;
    cache->slots[k].complete = 0;
    cache->slot_of[i] = k;
    return k;
}

static void make_missing(kernel_cache *cache, size_t i, size_t count, double *values)
{
    const kernel_rows *rows = cache->rows;
    const double *point = kernel_rows_spread(rows, i, cache->point);
    kernel_rows_values(rows, point, rows->squares[i], cache->missing, count, cache->scratch,
                       cache->made);
    kernel_rows_unspread(rows, i, cache->point);
    for (size_t e = 0; e < count; e++)
        values[cache->missing[e]] = cache->made[e];
}

const double *kernel_cache_row(kernel_cache *cache, size_t i, const size_t *which, size_t count,
                               solve_progress *progress)
{
    long k = cache->slot_of[i];
    if (k != NONE)
        unlink_slot(cache, k);
    else if ((k = take_slot(cache, i)) == NONE)
        return NULL;
    link_newest(cache, k);
    double *values = cache->slots[k].values;
    size_t missing = 0;
    if (cache->slots[k].complete == cache->growth)
        return values;
    cache->slots[k].complete = cache->growth;
    for (size_t e = 0; e < count; e++) {
        cache->missing[missing] = which[e];
        missing += isnan(values[which[e]]) != 0;
    }
    if (missing == 0)
        return values;
    make_missing(cache, i, missing, values);
    /* Converts products of rows to the equivalent number of column products. */
    cache->owed += missing * cache->rows->rows.p;
    progress->columns += cache->owed / cache->n;
    cache->owed %= cache->n;
    progress_work(progress, missing * (cache->rows->entries / cache->n + 1));
    return values;
}
