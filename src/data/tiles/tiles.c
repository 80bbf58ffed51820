#include "data/tiles/tiles.h"

#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "base/threads/parallel.h"
#include "data/matrix/kind.h"

#include <stdlib.h>
#include <string.h>

/* Rows from which a column does not stay in the cache together with several vectors. */
enum { TALL_FROM = 4096 };
/* Columns multiplied together. */
enum { TOGETHER = 4 };

bool tiles_fit(const tm_matrix *x)
{
    return x->ops->plain && x->n >= TALL_FROM && !matrix_is_limited(x);
}

/* The rows of a tile in TOGETHER columns, and in those that are read next: of tall data every
 * column is a place of its own in memory, which the processor does not fetch ahead. */
typedef struct tile {
    const double *at[TOGETHER], *next[TOGETHER];
    double copy[TOGETHER][TILE_ROWS];
} tile;

/* Columns of a matrix that are read tile by tile, in this order. */
typedef struct span {
    const tm_matrix *x;
    size_t from, end;
} span;

static const double *place(const tm_matrix *x, size_t j, size_t row)
{
    return x->values.f64 + j * x->n + row;
}

/* Beyond the last column the first is repeated, whose products are then discarded. Columns of
 * doubles are read where they are. */
static void load(tile *t, const span *c, size_t j, size_t from, size_t rows)
{
    const tm_matrix *x = c->x;
    bool here = x->ops->in_place, last = j + TOGETHER >= c->end;
    size_t next = last ? c->from : j + TOGETHER, row = last ? from + rows : from;
    for (size_t k = 0; k < TOGETHER; k++) {
        size_t column = j + k < x->p ? j + k : j;
        if (!here)
            x->ops->part(x, column, from, rows, t->copy[k]);
        t->at[k] = here ? place(x, column, from) : t->copy[k];
        bool follows = here && next + k < c->end && row + rows <= x->n;
        t->next[k] = follows ? place(x, next + k, row) : t->at[k];
    }
}

/* ---- predictions --------------------------------------------------------------------------- */

void tiles_interleave(const double *const *w, size_t count, size_t p, double *out)
{
    for (size_t j = 0; j < p; j++)
        for (size_t v = 0; v < TILE_VECTORS; v++)
            out[j * TILE_VECTORS + v] = v < count ? w[v][j] : 0;
}

/* Adds TOGETHER columns to the predictions of all vectors. */
PER_MACHINE
static void add_four(const tile *t, size_t rows, const double *w, double *z, size_t stride)
{
    const double *x0 = t->at[0], *x1 = t->at[1], *x2 = t->at[2], *x3 = t->at[3];
    const double *w1 = w + TILE_VECTORS, *w2 = w1 + TILE_VECTORS, *w3 = w2 + TILE_VECTORS;
    size_t i = 0;
    for (; i + 2 * LANES <= rows; i += 2 * LANES) {
        const lanes v0 = *(const lanes *)(x0 + i), u0 = *(const lanes *)(x0 + i + LANES);
        const lanes v1 = *(const lanes *)(x1 + i), u1 = *(const lanes *)(x1 + i + LANES);
        const lanes v2 = *(const lanes *)(x2 + i), u2 = *(const lanes *)(x2 + i + LANES);
        const lanes v3 = *(const lanes *)(x3 + i), u3 = *(const lanes *)(x3 + i + LANES);
        for (size_t k = 0; k < TOGETHER; k++) {
            __builtin_prefetch(t->next[k] + i);
            __builtin_prefetch(t->next[k] + i + LANES);
        }
        for (size_t v = 0; v < TILE_VECTORS; v++) {
            lanes *out = (lanes *)(z + v * stride + i), sum = out[0], more = out[1];
            sum += w[v] * v0;
            more += w[v] * u0;
            sum += w1[v] * v1;
            more += w1[v] * u1;
            sum += w2[v] * v2;
            more += w2[v] * u2;
            sum += w3[v] * v3;
            more += w3[v] * u3;
            out[0] = sum;
            out[1] = more;
        }
    }
    for (; i < rows; i++)
        for (size_t v = 0; v < TILE_VECTORS; v++) {
            double *out = z + v * stride + i;
            *out += w[v] * x0[i];
            *out += w1[v] * x1[i];
            *out += w2[v] * x2[i];
            *out += w3[v] * x3[i];
        }
}

static bool all_zero(const double *w, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (w[k] != 0)
            return false;
    return true;
}

void tiles_add(const tm_matrix *x, size_t from, size_t rows, const double *weights, double *z,
               size_t stride)
{
    tile t;
    const span all = {x, 0, x->p};
    for (size_t j = 0; j < x->p; j += TOGETHER) {
        size_t columns = x->p - j < TOGETHER ? x->p - j : TOGETHER;
        const double *w = weights + j * TILE_VECTORS;
        double last[TOGETHER * TILE_VECTORS] = {0};
        if (all_zero(w, columns * TILE_VECTORS))
            continue;
        if (columns < TOGETHER)
            w = memcpy(last, w, columns * TILE_VECTORS * sizeof *last);
        load(&t, &all, j, from, rows);
        add_four(&t, rows, w, z, stride);
    }
}

typedef struct predict_job {
    const tm_matrix *x;
    const double *weights; /* interleaved */
    double *const *z;
    size_t count;
} predict_job;

static void predict_tiles(size_t from_tile, size_t to_tile, void *payload)
{
    const predict_job *job = payload;
    double z[TILE_VECTORS * TILE_ROWS];
    for (size_t k = from_tile; k < to_tile; k++) {
        size_t from = k * TILE_ROWS;
        size_t rows = job->x->n - from < TILE_ROWS ? job->x->n - from : TILE_ROWS;
        memset(z, 0, sizeof z);
        tiles_add(job->x, from, rows, job->weights, z, TILE_ROWS);
        for (size_t v = 0; v < job->count; v++)
            memcpy(job->z[v] + from, z + v * TILE_ROWS, rows * sizeof *z);
    }
}

tm_status tiles_predict(const tm_matrix *x, const double *const *w, double *const *z, size_t count,
                        thread_team *team, tm_error *err)
{
    double *weights = mem_array(x->p * TILE_VECTORS, sizeof *weights);
    if (!weights)
        return tm_fail_memory(err, "predictions");
    for (size_t v = 0; v < count; v += TILE_VECTORS) {
        size_t together = count - v < TILE_VECTORS ? count - v : TILE_VECTORS;
        tiles_interleave(w + v, together, x->p, weights);
        predict_job job = {x, weights, z + v, together};
        parallel_ranges((x->n + TILE_ROWS - 1) / TILE_ROWS, team, predict_tiles, &job);
    }
    free(weights);
    return TM_OK;
}

/* ---- products ------------------------------------------------------------------------------ */

/* The partial sums of TOGETHER columns with two vectors. */
PER_MACHINE
static void dot_two(const tile *t, size_t rows, const double *u0, const double *u1, double *sums)
{
    enum { NEXT = TILE_VECTORS * LANES };
    lanes *s0 = (lanes *)sums, *s1 = (lanes *)(sums + NEXT);
    lanes *s2 = (lanes *)(sums + 2 * NEXT), *s3 = (lanes *)(sums + 3 * NEXT);
    lanes a0 = s0[0], a1 = s1[0], a2 = s2[0], a3 = s3[0];
    lanes b0 = s0[1], b1 = s1[1], b2 = s2[1], b3 = s3[1];
    for (size_t i = 0; i + LANES <= rows; i += LANES) {
        const lanes u = *(const lanes *)(u0 + i), v = *(const lanes *)(u1 + i);
        const lanes x0 = *(const lanes *)(t->at[0] + i), x1 = *(const lanes *)(t->at[1] + i);
        const lanes x2 = *(const lanes *)(t->at[2] + i), x3 = *(const lanes *)(t->at[3] + i);
        a0 += x0 * u;
        a1 += x1 * u;
        a2 += x2 * u;
        a3 += x3 * u;
        b0 += x0 * v;
        b1 += x1 * v;
        b2 += x2 * v;
        b3 += x3 * v;
    }
    s0[0] = a0, s1[0] = a1, s2[0] = a2, s3[0] = a3;
    s0[1] = b0, s1[1] = b1, s2[1] = b2, s3[1] = b3;
}

/* The columns to come are fetched in as many parts as there are pairs of vectors. */
static void prefetch(const tile *t, size_t v, size_t rows)
{
    size_t from = rows * v / TILE_VECTORS, to = rows * (v + 2) / TILE_VECTORS;
    for (size_t i = from; i < to; i += LANES)
        for (size_t k = 0; k < TOGETHER; k++)
            __builtin_prefetch(t->next[k] + i);
}

static void dot_columns(const tile *t, size_t rows, const double *const *u, size_t vectors,
                        double *sums)
{
    for (size_t v = 0; v < vectors; v += 2) {
        prefetch(t, v, rows);
        dot_two(t, rows, u[v], u[v + 1 < vectors ? v + 1 : v], sums + v * LANES);
    }
}

void tiles_dot(const tm_matrix *x, size_t from, size_t rows, const double *u, size_t stride,
               double *sums)
{
    const double *each[TILE_VECTORS];
    double last[TOGETHER * TILE_VECTORS * LANES];
    tile t;
    const span all = {x, 0, x->p};
    for (size_t v = 0; v < TILE_VECTORS; v++)
        each[v] = u + v * stride;
    for (size_t j = 0; j < x->p; j += TOGETHER) {
        size_t columns = x->p - j < TOGETHER ? x->p - j : TOGETHER;
        size_t bytes = columns * TILE_VECTORS * LANES * sizeof *sums;
        double *at = sums + j * TILE_VECTORS * LANES;
        load(&t, &all, j, from, rows);
        if (columns < TOGETHER)
            memset(last, 0, sizeof last);
        dot_columns(&t, rows, each, TILE_VECTORS,
                    columns < TOGETHER ? memcpy(last, at, bytes) : at);
        if (columns < TOGETHER)
            memcpy(at, last, bytes);
    }
}

/* The products of TOGETHER columns with the rows after the last multiple of LANES. */
static void add_tails(const tm_matrix *x, size_t j, const double *const *u, size_t vectors,
                      double *tails)
{
    size_t from = x->n / LANES * LANES;
    const span these = {x, j, j + TOGETHER};
    tile t;
    load(&t, &these, j, from, x->n - from);
    for (size_t k = 0; k < TOGETHER; k++)
        for (size_t v = 0; v < vectors; v++) {
            double sum = 0;
            for (size_t i = from; i < x->n; i++)
                sum += t.at[k][i - from] * u[v][i];
            tails[k * TILE_VECTORS + v] = sum;
        }
}

/* `count` is a multiple of TOGETHER, and there are at most TILE_VECTORS vectors. */
static void dot_block(const tm_matrix *x, size_t from, size_t count, const double *const *u,
                      size_t vectors, double *out, size_t stride)
{
    double sums[TILE_COLUMNS * TILE_VECTORS * LANES] = {0}, tails[TOGETHER * TILE_VECTORS];
    size_t whole = x->n / LANES * LANES;
    const span these = {x, from, from + count};
    tile t;
    for (size_t row = 0; row < whole; row += TILE_ROWS) {
        const double *at[TILE_VECTORS];
        size_t rows = whole - row < TILE_ROWS ? whole - row : TILE_ROWS;
        for (size_t v = 0; v < vectors; v++)
            at[v] = u[v] + row;
        for (size_t k = 0; k < count; k += TOGETHER) {
            load(&t, &these, from + k, row, rows);
            dot_columns(&t, rows, at, vectors, sums + k * TILE_VECTORS * LANES);
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (k % TOGETHER == 0)
            add_tails(x, from + k, u, vectors, tails);
        for (size_t v = 0; v < vectors; v++) {
            const lanes *sum = (const lanes *)(sums + (k * TILE_VECTORS + v) * LANES);
            out[v * stride + k] = add_lanes(sum) + tails[k % TOGETHER * TILE_VECTORS + v];
        }
    }
}

void tiles_dot_range(const tm_matrix *x, size_t from, size_t count, const double *const *u,
                     size_t vectors, double *out)
{
    for (size_t k = 0; k < count; k += TILE_COLUMNS) {
        size_t columns = count - k < TILE_COLUMNS ? count - k : TILE_COLUMNS;
        size_t even = columns / TOGETHER * TOGETHER;
        for (size_t v = 0; v < vectors; v += TILE_VECTORS) {
            size_t together = vectors - v < TILE_VECTORS ? vectors - v : TILE_VECTORS;
            dot_block(x, from + k, even, u + v, together, out + v * count + k, count);
        }
        for (size_t v = 0; v < vectors && even < columns; v++)
            tm_matrix_dot_range(x, from + k + even, columns - even, u[v],
                                out + v * count + k + even);
    }
}
