#include "solve/gram.h"

#include "base/blas.h"
#include "base/memory.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

tm_status gram_new(gram **out, const l1_state *s, tm_error *err)
{
    *out = NULL;
    tm_status status = blas_begin(err);
    if (status != TM_OK)
        return status;
    gram *cache = calloc(1, sizeof *cache);
    *out = cache;
    if (!cache)
        return tm_fail_memory(err, "the Gram cache");
    cache->places = mem_array(s->p, sizeof *cache->places);
    cache->column = mem_array(s->n, sizeof *cache->column);
    if (!cache->places || !cache->column) {
        gram_free(cache);
        *out = NULL;
        return tm_fail_memory(err, "the Gram cache");
    }
    for (size_t j = 0; j < s->p; j++)
        cache->places[j] = GRAM_ABSENT;
    return TM_OK;
}

void gram_free(gram *cache)
{
    if (!cache)
        return;
    free(cache->features);
    free(cache->places);
    free(cache->products);
    free(cache->column);
    free(cache);
}

void gram_clear(gram *cache)
{
    for (size_t k = 0; k < cache->count; k++)
        cache->places[cache->features[k]] = GRAM_ABSENT;
    cache->count = 0;
}

static tm_status grow(gram *cache, tm_error *err)
{
    size_t room = cache->room ? 2 * cache->room : 64;
    size_t *features = realloc(cache->features, room * sizeof *features);
    if (features)
        cache->features = features;
    double *products = mem_array(room * room, sizeof *products);
    if (!features || !products) {
        free(products);
        return tm_fail_memory(err, "the Gram cache");
    }
    for (size_t k = 0; k < cache->count; k++)
        memcpy(products + k * room, gram_column(cache, k), cache->count * sizeof *products);
    free(cache->products);
    cache->products = products;
    cache->room = room;
    return TM_OK;
}

/* The new feature as a dense vector, centred with an intercept: then products with raw columns are
 * products of centred ones, without the cancellation that a correction afterwards would have. The
 * column's mean alone, rounded, would leave a sum that the other columns' means multiply. With sample
 * weights it is weighted, and what is taken out of it to centre it is too. */
static void load_column(gram *cache, const l1_state *s, size_t j)
{
    tm_matrix_column(s->x, j, cache->column);
    for (size_t i = 0; s->of.weights && i < s->n; i++)
        cache->column[i] *= s->of.weights[i];
    if (s->intercept)
        samples_centre(&s->of, cache->column);
}

tm_status gram_add(gram *cache, const l1_state *s, size_t j, solve_progress *progress,
                   tm_error *err)
{
    if (cache->places[j] != GRAM_ABSENT)
        return TM_OK;
    if (cache->count == cache->room) {
        tm_status status = grow(cache, err);
        if (status != TM_OK)
            return status;
    }
    size_t at = cache->count;
    load_column(cache, s, j);
    for (size_t k = 0; k < at; k++) {
        double value = tm_matrix_dot(s->x, cache->features[k], cache->column);
        cache->products[at * cache->room + k] = value;
        cache->products[k * cache->room + at] = value;
        progress->columns++;
        if (progress_work(progress, s->n))
            return tm_fail(err, TM_ECANCELLED, "cancelled");
    }
    cache->products[at * cache->room + at] = s->lengths[j] * s->lengths[j];
    cache->features[at] = j;
    cache->places[j] = at;
    cache->count++;
    return TM_OK;
}
