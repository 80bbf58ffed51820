/* A cache of the inner products of features with each other, as the problem sees them (centred with
 * an intercept). On a small set of features it replaces the data: a coordinate update costs one
 * operation for each cached feature, independent of the number of rows, and exact solutions come
 * from a Cholesky factorisation. */
#ifndef SOLVE_GRAM_GRAM_H
#define SOLVE_GRAM_GRAM_H

#include "model/loss/samples.h"
#include "solve/common/progress.h"
#include "solve/gram/set_rows.h"
#include "solve/gram/tuning.h"

/* The features as the problem uses them; must outlive the cache. */
typedef struct gram_source {
    const tm_matrix *x;
    const samples *of;
    const double *means;   /* p, weighted by the samples; read only with an intercept */
    const double *lengths; /* p: |x_j|, centred with an intercept; or NULL, and */
    const double *squares; /* p: their squares */
    size_t n, p;
    bool intercept;
} gram_source;

typedef struct gram {
    gram_source from;
    size_t count, capacity;
    size_t *features; /* count: the feature at each place */
    uint32_t *places; /* p: 1 + the place of a feature; 0: it has none */
    double *products; /* capacity x capacity, column-major; the first count x count are filled */
    double *columns;  /* n x (GRAM_TOGETHER + 1): the features being added, as dense vectors, and
                       * one scratch column */
    /* sparse columns */
    bool none_constant; /* none is nearly constant either, so that products may be centred
                         * afterwards */
    set_rows rows;      /* the first `held` features, row by row */
    size_t held;
    uint64_t *lengths; /* capacity: number of entries of each feature */
    uint64_t waiting;  /* entries of the features that are not yet in the rows */
    uint64_t paid;     /* entries read for these since the rows were last extended */
} gram;

/* Whether feature j has a place, and which one. */
static inline bool gram_has(const gram *cache, size_t j)
{
    return cache->places[j] > 0;
}

static inline size_t gram_place(const gram *cache, size_t j)
{
    return cache->places[j] - 1;
}

tm_status gram_new(gram **out, const gram_source *from, tm_error *err);
void gram_free(gram *cache);
/* Removes all features. */
void gram_clear(gram *cache);

/* Makes sure that the features, which must be distinct, are cached. Each one that is not costs a
 * column product for every cached feature; with sparse columns, none nearly constant, it costs
 * the cached entries in its rows. All must fit within MAX_GRAM. TM_ECANCELLED when the run must
 * stop. */
tm_status gram_add(gram *cache, const size_t *features, size_t count, solve_progress *progress,
                   tm_error *err);

/* Fills an empty cache with all features, at most MAX_GRAM, and these p x p products. */
tm_status gram_fill(gram *cache, const double *products, tm_error *err);

/* The products of the feature at place k with all cached features: count values. */
static inline const double *gram_column(const gram *cache, size_t k)
{
    return cache->products + k * cache->capacity;
}

#endif
