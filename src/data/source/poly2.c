/* All products of up to two columns as units (FGM algorithm 5), none of them ever stored.
 *
 * The scores of the pairs are the entries of X'diag(v)X. With sparse rows they cost sum_i nnz_i^2 /
 * 2 multiply-adds: for each column j, the entries of the rows in which it is nonzero are summed by
 * column. Columns are ranked by u_j = sqrt(sum_i |v_i| x_ij^2), since |sum_i v_i x_ij x_ik| <= u_j
 * u_k (Cauchy and Schwarz): for column j only columns k of lesser rank are examined, up to the rank
 * at which u_j u_k is too small to be among the best; when even k = 0 is too small, so are all
 * columns that follow. */
#include "base/memory.h"
#include "base/numeric/order.h"
#include "data/matrix/kind.h"
#include "data/source/feature_map.h"
#include "data/source/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct poly2 {
    double floor;  /* least score of the best single columns: pairs below it are of no interest */
    size_t *order; /* p: the column of each rank */
    double *u;     /* p, by rank, descending */
    uint64_t *starts; /* sparse only: n + 1, start of each row */
    uint32_t *cols;   /* nnz: ranks of a row's columns, ascending */
    double *values;   /* nnz: their scaled values */
    uint64_t *fill;   /* n: the present end of each row */
    double *scratch;  /* n */
};

static struct poly2 *own(const tm_source *s)
{
    return s->own;
}

enum { RANKS_PER_BLOCK = 8 };

static size_t poly2_width(const tm_source *s, uint64_t unit)
{
    (void)s;
    (void)unit;
    return 1;
}

static uint64_t poly2_feature(const tm_source *s, uint64_t unit, size_t k, double *factor)
{
    size_t columns[2];
    int count = tm_map_parents(s->map, unit, columns);
    (void)k;
    *factor = 1;
    for (int c = 0; c < count; c++)
        *factor *= source_scale(s, columns[c]);
    return unit;
}

/* ---- the start of a pass ------------------------------------------------------------------- */

typedef struct summing {
    const tm_source *s;
    const source_pass *pass;
} summing;

enum { FIRST, SECOND, SIZE, SUMS };

static void sum_column(const matrix_column *column, void *payload, double *out)
{
    const summing *of = payload;
    double scale = source_scale(of->s, column->j);
    out[FIRST] = out[SECOND] = out[SIZE] = 0;
    for (size_t e = 0; e < column->count; e++) {
        double x = scale * column->values[e];
        double weight = of->pass->v[column->rows ? column->rows[e] : e];
        out[FIRST] += weight * x;
        out[SECOND] += weight * x * x;
        out[SIZE] += fabs(weight) * x * x;
    }
}

/* Scores degrees 0 and 1 and the squares, and computes u of each column, not yet sorted. `buffer`
 * has space for the sums of a block after that of a column. */
static void score_single(tm_source *s, source_pass *pass, size_t block, best *heap, double *buffer)
{
    const tm_map *map = s->map;
    size_t from = block * s->block, to = from + s->block < s->p ? from + s->block : s->p;
    double *sums = buffer + s->n;
    summing of = {s, pass};
    const matrix_description description = {sum_column, &of, SUMS, buffer};
    matrix_describe(s->x, from, to - from, &description, sums);
    for (size_t j = from; j < to; j++, sums += SUMS) {
        /* Constant columns are skipped, because their product with v is a rounding error. */
        bool constant = s->intercept && !(tm_dataset_deviations(s->data)[j] > 0);
        double linear = constant ? 0 : map_linear_factor(map) * sums[FIRST];
        double square = constant ? 0 : map->gamma * sums[SECOND];
        best_offer(heap, 1 + j, linear * linear);
        best_offer(heap, 1 + s->p + j, square * square);
        own(s)->u[j] = sqrt(sums[SIZE]);
    }
    atomic_fetch_add(&pass->columns, 2 * (to - from));
}

static tm_status rank_columns(tm_source *s, tm_error *err)
{
    struct poly2 *q = s->own;
    ranked *list = mem_array(s->p, sizeof *list);
    if (!list)
        return tm_fail_memory(err, "the ranks of columns");
    for (size_t j = 0; j < s->p; j++)
        list[j] = (ranked){q->u[j], j};
    qsort(list, s->p, sizeof *list, order_ranked_descending);
    for (size_t r = 0; r < s->p; r++) {
        q->u[r] = list[r].value;
        q->order[r] = list[r].place;
    }
    free(list);
    return TM_OK;
}

/* Makes a row-major copy with the columns replaced by their ranks; rows where v is zero stay
 * empty. */
static void sort_rows(tm_source *s, const source_pass *pass)
{
    struct poly2 *q = s->own;
    memcpy(q->fill, q->starts, s->n * sizeof *q->fill);
    for (size_t r = 0; r < s->p; r++) {
        const uint32_t *rows;
        const double *values;
        size_t j = q->order[r], count = tm_matrix_entries(s->x, j, q->scratch, &rows, &values);
        for (size_t e = 0; e < count; e++) {
            if (pass->v[rows[e]] == 0)
                continue;
            uint64_t at = q->fill[rows[e]]++;
            q->cols[at] = (uint32_t)r;
            q->values[at] = source_scale(s, j) * values[e];
        }
    }
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* How many columns of lesser rank can form a pair with rank r that is among the best; with a margin
 * for rounding. */
static size_t count_candidates(const tm_source *s, const best *heap, size_t r)
{
    double least = fmax(best_least(heap), own(s)->floor), factor = map_pair_factor(s->map);
    const double *u = own(s)->u;
    double need = least > 0 ? sqrt(least) / factor * (1 - 1e-9) : 0;
    size_t low = 0, high = r; /* u decreases with the rank */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u[middle] * u[r] >= need && u[middle] > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void offer_pair(const tm_source *s, best *heap, size_t r, size_t k, double product)
{
    size_t j = own(s)->order[r], other = own(s)->order[k];
    double c = map_pair_factor(s->map) * product;
    best_offer(heap, j < other ? map_pair(s->map, j, other) : map_pair(s->map, other, j), c * c);
}

/* The stored entries of a column. */
typedef struct entries {
    size_t count;
    const uint32_t *rows;
    const double *values;
} entries;

/* Adds to sums[k] for the `limit` columns of least rank; returns the number of additions. */
static uint64_t add_rows(const tm_source *s, const source_pass *pass, const entries *column,
                         double scale, size_t limit, double *sums)
{
    const struct poly2 *q = s->own;
    uint64_t made = 0;
    for (size_t e = 0; e < column->count; e++) {
        uint32_t row = column->rows[e];
        double a = pass->v[row] * scale * column->values[e];
        uint64_t from = q->starts[row], at = from;
        if (a == 0)
            continue;
        for (; at < q->fill[row] && q->cols[at] < limit; at++)
            sums[q->cols[at]] += a * q->values[at];
        made += at - from;
    }
    return made;
}

/* Offers the sums of add_rows and resets them to zero: through the same entries when they are few,
 * otherwise all of them. */
static void take_sums(const tm_source *s, best *heap, const entries *column, size_t r, size_t limit,
                      uint64_t made, double *sums)
{
    const struct poly2 *q = s->own;
    if (made > limit / 4) {
        for (size_t k = 0; k < limit; k++)
            if (sums[k] != 0)
                offer_pair(s, heap, r, k, sums[k]);
        memset(sums, 0, limit * sizeof *sums);
        return;
    }
    for (size_t e = 0; e < column->count; e++) {
        uint64_t at = q->starts[column->rows[e]], end = q->fill[column->rows[e]];
        for (; at < end && q->cols[at] < limit; at++)
            if (sums[q->cols[at]] != 0) {
                offer_pair(s, heap, r, q->cols[at], sums[q->cols[at]]);
                sums[q->cols[at]] = 0;
            }
    }
}

/* scratch: p sums, zero between columns, and space for a column's values. */
static void pair_sparse(tm_source *s, source_pass *pass, size_t block, best *heap, double *scratch)
{
    size_t from = block * RANKS_PER_BLOCK, to = from + RANKS_PER_BLOCK;
    uint64_t counted = 0;
    for (size_t r = from; r < to && r < s->p && !source_stopped(pass); r++) {
        size_t limit = count_candidates(s, heap, r), j = own(s)->order[r];
        entries column;
        if (limit == 0)
            continue;
        column.count = tm_matrix_entries(s->x, j, scratch + s->p, &column.rows, &column.values);
        uint64_t made = add_rows(s, pass, &column, source_scale(s, j), limit, scratch);
        take_sums(s, heap, &column, r, limit, made, scratch);
        counted += limit;
    }
    atomic_fetch_add(&pass->columns, counted);
}

/* The number of columns multiplied with a dense column in one block. */
static size_t chunk_columns(const tm_source *s)
{
    static const size_t VALUES = (size_t)1 << 22;
    return VALUES / s->n ? VALUES / s->n : 1;
}

static void pair_dense(tm_source *s, source_pass *pass, size_t block, best *heap, double *vx)
{
    size_t chunk = chunk_columns(s), chunks = (s->p + chunk - 1) / chunk;
    size_t r = block / chunks, from = block % chunks * chunk, limit = count_candidates(s, heap, r);
    size_t to = from + chunk < limit ? from + chunk : limit, j = own(s)->order[r];
    if (from >= to)
        return;
    tm_matrix_column(s->x, j, vx);
    for (size_t i = 0; i < s->n; i++)
        vx[i] *= pass->v[i] * source_scale(s, j);
    for (size_t k = from; k < to; k++) {
        size_t other = own(s)->order[k];
        offer_pair(s, heap, r, k, source_scale(s, other) * tm_matrix_dot(s->x, other, vx));
    }
    atomic_fetch_add(&pass->columns, to - from);
}

/* ---- the pass ------------------------------------------------------------------------------ */

static tm_status best_poly2(tm_source *s, source_pass *pass, tm_error *err)
{
    double constant = s->intercept ? 0 : s->map->coef0 * pass->sum;
    best_offer(pass->found, 0, constant * constant);
    source_share(s, pass, (s->p + s->block - 1) / s->block, s->n + SUMS * s->block, score_single);
    tm_status status = rank_columns(s, err);
    if (status != TM_OK || source_stopped(pass))
        return status;
    own(s)->floor = best_least(pass->found);
    if (own(s)->starts) {
        sort_rows(s, pass);
        source_share(s, pass, (s->p + RANKS_PER_BLOCK - 1) / RANKS_PER_BLOCK, s->p + s->n,
                     pair_sparse);
    } else {
        size_t chunk = chunk_columns(s);
        source_share(s, pass, s->p * ((s->p + chunk - 1) / chunk), s->n, pair_dense);
    }
    return TM_OK;
}

/* ---- construction -------------------------------------------------------------------------- */

static tm_status count_rows(tm_source *s, tm_error *err)
{
    struct poly2 *q = s->own;
    uint64_t nnz = tm_matrix_nnz(s->x);
    q->starts = mem_zeros(s->n + 1, sizeof *q->starts);
    q->fill = mem_array(s->n, sizeof *q->fill);
    q->scratch = mem_array(s->n, sizeof *q->scratch);
    q->cols = mem_array(nnz, sizeof *q->cols);
    q->values = mem_array(nnz, sizeof *q->values);
    if (!q->starts || !q->fill || !q->scratch || !q->cols || !q->values)
        return tm_fail_memory(err, "the rows of the data");
    for (size_t j = 0; j < s->p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(s->x, j, q->scratch, &rows, &values);
        for (size_t e = 0; e < count; e++)
            q->starts[rows[e] + 1]++;
    }
    for (size_t i = 0; i < s->n; i++)
        q->starts[i + 1] += q->starts[i];
    return TM_OK;
}

/* Products of two values have squares of the fourth power, which must not overflow. */
static const double GREATEST = 1e70;

static tm_status check_powers(const tm_source *s, tm_error *err)
{
    const double *means = tm_dataset_means(s->data), *deviations = tm_dataset_deviations(s->data);
    for (size_t j = 0; j < s->p; j++) {
        char label[96];
        double size = sqrt(deviations[j] / (double)s->n + means[j] * means[j]);
        if (size * source_scale(s, j) <= GREATEST)
            continue;
        tm_dataset_feature_label(s->data, j, label, sizeof label);
        return tm_fail(err, TM_EDATA,
                       "%s: the squares of products with feature %s overflow; scale the feature "
                       "down, or standardize",
                       tm_dataset_name(s->data), label);
    }
    return TM_OK;
}

static tm_status init(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    tm_status status = tm_map_new_poly2(&s->map, s->p, spec->gamma, spec->coef0, err);
    if (status != TM_OK)
        return status;
    status = check_powers(s, err);
    if (status != TM_OK)
        return status;
    s->units = tm_map_features(s->map);
    if (s->p > UINT32_MAX)
        return tm_fail(err, TM_EUSAGE, "source poly2 takes up to %u columns, the data have %zu",
                       UINT32_MAX, s->p);
    struct poly2 *q = s->own = calloc(1, sizeof *q);
    if (!q)
        return tm_fail_memory(err, "the feature source");
    q->order = mem_array(s->p, sizeof *q->order);
    q->u = mem_array(s->p, sizeof *q->u);
    if (!q->order || !q->u)
        return tm_fail_memory(err, "the feature source");
    return tm_matrix_is_sparse(s->x) ? count_rows(s, err) : TM_OK;
}

static void clear(void *own)
{
    struct poly2 *poly2 = own;
    free(poly2->order);
    free(poly2->u);
    free(poly2->starts);
    free(poly2->fill);
    free(poly2->scratch);
    free(poly2->cols);
    free(poly2->values);
    free(poly2);
}

const source_kind source_poly2 = {.width = poly2_width,
                                  .feature = poly2_feature,
                                  .best = best_poly2,
                                  .init = init,
                                  .clear = clear,
                                  .makes_features = true};
