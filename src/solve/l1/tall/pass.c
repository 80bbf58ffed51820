#include "solve/l1/tall/pass.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/numeric/lanes.h"
#include "base/threads/parallel.h"
#include "data/ranks/row_shard.h"
#include "data/tiles/tiles.h"
#include "solve/l1/tall/sparse_rows.h"
#include "solve/l1/tall/tuning.h"

#include <cblas.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The sums of one part of the rows. */
typedef struct part_sums {
    double losses[TILE_VECTORS], lefts[TILE_VECTORS], totals[TILE_VECTORS];
    double sampled;   /* the second derivatives of the sample */
    double rows;      /* weight of the sampled rows */
    size_t filled;    /* rows of the block */
    double *products; /* p x TILE_VECTORS x LANES */
    double *block;    /* (p + 1) x TILE_ROWS: sampled rows times the root of their second
                       * derivative, and the roots themselves */
    double *triangle; /* (p + 1) x (p + 1): upper triangle of their products */
    double *squares;  /* p: of the sampled rows, centred, with their weights */
} part_sums;

struct tall_pass {
    const l1_state *s;
    const tm_matrix *x; /* the rows at hand */
    row_copy rows;      /* the same row by row, if they are sparse */
    size_t parts;
    double *exchange; /* sums on the way to those of all rows; NULL: these are all */
    double *weights;  /* p x TILE_VECTORS */
    part_sums sums[MOST_PARTS];
    double *room; /* what they point to */
    /* of the pass being made */
    tall_point *points;
    size_t count;
    const tall_model *model;
    const tm_cancel *cancel;
    atomic_bool stopped;
};

/* How many sums there are of `count` points, with or without those of a model. */
static size_t exchanged(size_t p, size_t count, bool model)
{
    return count * (3 + p) + (model ? 2 + p + (p + 1) * (p + 2) / 2 : 0);
}

tm_status tall_pass_new(tall_pass **out, const l1_state *s, tm_error *err)
{
    const tm_matrix *x = matrix_own_rows(s->problem.x);
    size_t p = s->problem.p, width = p + 1;
    size_t each = p * TILE_VECTORS * LANES + width * (TILE_ROWS + width) + p;
    bool sparse = tm_matrix_is_sparse(x);
    size_t entries = sparse ? (size_t)tm_matrix_nnz(x) : s->problem.n * p;
    size_t parts = entries / PART_SHARE / each;
    tm_status status = blas_begin(err);
    tall_pass *q = status == TM_OK ? calloc(1, sizeof *q) : NULL;
    *out = q;
    if (!q)
        return status == TM_OK ? tm_fail_memory(err, "a path") : status;
    q->s = s;
    q->x = x;
    q->parts = parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
    q->weights = mem_array(p * TILE_VECTORS, sizeof *q->weights);
    q->room = mem_array(q->parts * each, sizeof *q->room);
    if (s->problem.of.comm)
        q->exchange = mem_array(exchanged(p, TILE_VECTORS, true), sizeof *q->exchange);
    for (size_t k = 0; q->room && k < q->parts; k++) {
        part_sums *sums = &q->sums[k];
        sums->products = q->room + k * each;
        sums->block = sums->products + p * TILE_VECTORS * LANES;
        sums->triangle = sums->block + width * TILE_ROWS;
        sums->squares = sums->triangle + width * width;
    }
    if (!q->weights || !q->room || (!q->exchange && s->problem.of.comm))
        return tm_fail_memory(err, "a path");
    return sparse ? row_copy_make(&q->rows, x, err) : TM_OK;
}

void tall_pass_free(tall_pass *pass)
{
    if (!pass)
        return;
    free(pass->weights);
    free(pass->exchange);
    row_copy_clear(&pass->rows);
    free(pass->room);
    free(pass);
}

/* ---- the sample ------------------------------------------------------------------------------ */

static void multiply_block(part_sums *sums, size_t width)
{
    if (sums->filled > 0)
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, (int)width, (int)sums->filled, 1,
                    sums->block, TILE_ROWS, 1, sums->triangle, (int)width);
    sums->filled = 0;
}

static double add_scaled(double *values, const double *roots, size_t count, double weight_of_all,
                         double mean)
{
    double square = 0;
    for (size_t i = 0; i < count; i++) {
        square += (values[i] - mean) * (values[i] - mean);
        values[i] *= roots[i];
    }
    return weight_of_all * square;
}

static void sample_sparse(const tall_pass *q, part_sums *sums, const sparse_rows *rows,
                          const double *h, double weight)
{
    const l1_problem *problem = &q->s->problem;
    for (size_t i = 0; i < rows->count; i++)
        sums->sampled += h[i];
    sparse_rows_products(rows, h, sums->triangle);
    sparse_rows_squares(rows, weight, problem->intercept ? problem->means : NULL, sums->squares);
    sums->rows += (double)rows->count * weight;
}

/* Adds the first rows of a tile, with the second derivatives h. */
static void sample(const tall_pass *q, part_sums *sums, size_t from, size_t rows, const double *h)
{
    const l1_problem *problem = &q->s->problem;
    size_t p = problem->p, count = q->model->rows < rows ? q->model->rows : rows;
    double weight = problem->of.total / (double)problem->of.all;
    if (q->rows.starts) {
        sample_sparse(q, sums, &(sparse_rows){&q->rows, from, count}, h, weight);
        return;
    }
    if (sums->filled + count > TILE_ROWS)
        multiply_block(sums, p + 1);
    double *roots = sums->block + p * TILE_ROWS + sums->filled;
    for (size_t i = 0; i < count; i++) {
        roots[i] = sqrt(h[i]);
        sums->sampled += h[i];
    }
    for (size_t j = 0; j < p; j++) {
        double *values = sums->block + j * TILE_ROWS + sums->filled;
        tm_matrix_part(q->x, j, from, count, values);
        sums->squares[j] +=
            add_scaled(values, roots, count, weight, problem->intercept ? problem->means[j] : 0);
    }
    sums->filled += count;
    sums->rows += (double)count * weight;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Replaces the predictions z of point v by its dual variables. */
static void differentiate(const tall_pass *q, part_sums *sums, size_t v, size_t from, size_t rows,
                          double *z)
{
    const samples *of = &q->s->problem.of;
    const double *weights = of->weights ? of->weights + from : NULL, *y = of->y + from;
    double values[TILE_ROWS], slopes[TILE_ROWS], h[TILE_ROWS];
    for (size_t i = 0; i < rows; i++)
        z[i] += q->points[v].b + (of->offset ? of->offset[from + i] : 0);
    of->loss->values(y, z, rows, values);
    of->loss->slopes(y, z, rows, slopes, h);
    for (size_t i = 0; weights && i < rows; i++) {
        values[i] = weights[i] > 0 ? weights[i] * values[i] : 0;
        slopes[i] *= weights[i];
        h[i] *= weights[i];
    }
    for (size_t i = 0; i < rows; i++)
        z[i] = -slopes[i];
    sums->losses[v] += loss_block_sum(values, rows);
    sums->lefts[v] += loss_block_sum(z, rows);
    sums->totals[v] += loss_block_sum(h, rows);
    if (v == q->model->at)
        sample(q, sums, from, rows, h);
}

/* The rows after the last multiple of LANES. */
static void dot_last(const tall_pass *q, part_sums *sums, size_t from, size_t count,
                     const double *u)
{
    double values[LANES];
    for (size_t j = 0; count > 0 && j < q->s->problem.p; j++) {
        tm_matrix_part(q->x, j, from, count, values);
        for (size_t v = 0; v < q->count; v++)
            for (size_t i = 0; i < count; i++)
                sums->products[(j * TILE_VECTORS + v) * LANES] += values[i] * u[v * TILE_ROWS + i];
    }
}

static void add_tile(const tall_pass *q, part_sums *sums, size_t from, size_t rows)
{
    double z[TILE_VECTORS * TILE_ROWS] = {0};
    size_t whole = rows / LANES * LANES;
    const sparse_rows sparse = {&q->rows, from, rows};
    if (q->rows.starts)
        sparse_rows_add(&sparse, q->weights, z, TILE_ROWS);
    else
        tiles_add(q->x, from, rows, q->weights, z, TILE_ROWS);
    for (size_t v = 0; v < q->count; v++)
        differentiate(q, sums, v, from, rows, z + v * TILE_ROWS);
    for (size_t v = q->count; v < TILE_VECTORS; v++)
        memset(z + v * TILE_ROWS, 0, rows * sizeof *z);
    if (q->rows.starts) {
        sparse_rows_dot(&sparse, z, TILE_ROWS, sums->products);
        return;
    }
    tiles_dot(q->x, from, whole, z, TILE_ROWS, sums->products);
    dot_last(q, sums, from + whole, rows - whole, z + whole);
}

static void add_parts(size_t from_part, size_t to_part, void *payload)
{
    tall_pass *q = payload;
    size_t n = q->s->problem.n, p = q->s->problem.p;
    size_t tiles = (n + TILE_ROWS - 1) / TILE_ROWS;
    for (size_t part = from_part; part < to_part; part++) {
        part_sums *sums = &q->sums[part], kept = *sums;
        *sums = (part_sums){.products = kept.products,
                            .block = kept.block,
                            .triangle = kept.triangle,
                            .squares = kept.squares};
        memset(sums->products, 0, p * TILE_VECTORS * LANES * sizeof *sums->products);
        memset(sums->triangle, 0, (p + 1) * (p + 1) * sizeof *sums->triangle);
        memset(sums->squares, 0, p * sizeof *sums->squares);
        size_t end = tiles * (part + 1) / q->parts;
        for (size_t tile = tiles * part / q->parts; tile < end && !q->stopped; tile++) {
            size_t from = tile * TILE_ROWS;
            add_tile(q, sums, from, n - from < TILE_ROWS ? n - from : TILE_ROWS);
            if (q->cancel && tm_cancel_is_set(q->cancel))
                q->stopped = true;
        }
        multiply_block(sums, p + 1);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static void take_point(const tall_pass *q, size_t v)
{
    tall_point *point = &q->points[v];
    point->loss = point->left = point->total = 0;
    memset(point->products, 0, q->s->problem.p * sizeof *point->products);
    for (size_t k = 0; k < q->parts; k++) {
        point->loss += q->sums[k].losses[v];
        point->left += q->sums[k].lefts[v];
        point->total += q->sums[k].totals[v];
        for (size_t j = 0; j < q->s->problem.p; j++) {
            size_t at = (j * TILE_VECTORS + v) * LANES;
            point->products[j] += add_lanes((const lanes *)(q->sums[k].products + at));
        }
    }
}

/* Adds all parts to the first. */
static void add_models(tall_pass *q)
{
    size_t p = q->s->problem.p, width = p + 1;
    part_sums *all = &q->sums[0];
    for (size_t k = 1; k < q->parts; k++) {
        const part_sums *sums = &q->sums[k];
        all->sampled += sums->sampled;
        all->rows += sums->rows;
        for (size_t i = 0; i < width * width; i++)
            all->triangle[i] += sums->triangle[i];
        for (size_t j = 0; j < p; j++)
            all->squares[j] += sums->squares[j];
    }
}

/* The sample's products are scaled to the second derivatives of all rows. What the sample lacks of
 * a feature's square is added to the diagonal: a feature that is nonzero in few rows may have none
 * in the sample. */
static void take_model(tall_pass *q, tall_model *model)
{
    const l1_state *s = q->s;
    size_t p = s->problem.p, width = p + 1;
    const part_sums *all = &q->sums[0];
    const double *last = all->triangle + p * width;
    double scale = all->sampled > 0 ? model->total / all->sampled : 0;
    double rows = all->rows > 0 ? s->problem.of.total / all->rows : 0;
    for (size_t j = 0; j < p; j++)
        model->means[j] = s->problem.intercept && last[p] > 0 ? last[j] / last[p] : 0;
    for (size_t k = 0; k < p; k++)
        for (size_t j = 0; j <= k; j++)
            model->products[j * p + k] = model->products[k * p + j] =
                scale * (all->triangle[k * width + j] -
                         model->means[j] * last[k] * (s->problem.intercept ? 1 : 0));
    for (size_t j = 0; j < p; j++) {
        double square = l1_norm(s, j) * l1_norm(s, j);
        double lacks = square - rows * all->squares[j];
        if (lacks > WELL_SAMPLED * square)
            model->products[j * p + j] += lacks * model->total / s->problem.of.total;
    }
}

/* ---- rows of other processes ------------------------------------------------------------------
 */

/* Copies what is summed over all rows to the values of an exchange, or back. */
static double *move_values(double *at, double *values, size_t count, bool back)
{
    memcpy(back ? values : at, back ? at : values, count * sizeof *at);
    return at + count;
}

static void move_sums(tall_pass *q, bool model, bool back)
{
    size_t p = q->s->problem.p, width = p + 1;
    double *at = q->exchange;
    for (size_t v = 0; v < q->count; v++) {
        at = move_values(at, &q->points[v].loss, 1, back);
        at = move_values(at, &q->points[v].left, 1, back);
        at = move_values(at, &q->points[v].total, 1, back);
        at = move_values(at, q->points[v].products, p, back);
    }
    if (!model)
        return;
    part_sums *all = &q->sums[0];
    at = move_values(at, &all->sampled, 1, back);
    at = move_values(at, &all->rows, 1, back);
    at = move_values(at, all->squares, p, back);
    for (size_t k = 0; k < width; k++)
        at = move_values(at, all->triangle + k * width, k + 1, back);
}

static void add_other_rows(tall_pass *q, bool model)
{
    if (!q->exchange)
        return;
    move_sums(q, model, false);
    matrix_add_rows(q->s->problem.x, q->exchange, exchanged(q->s->problem.p, q->count, model));
    move_sums(q, model, true);
}

bool tall_pass_run(tall_pass *pass, tall_point *points, size_t count, tall_model *model,
                   solve_progress *progress)
{
    const double *w[TILE_VECTORS];
    size_t p = pass->s->problem.p;
    for (size_t v = 0; v < count; v++)
        w[v] = points[v].w;
    tiles_interleave(w, count, p, pass->weights);
    pass->points = points;
    pass->count = count;
    pass->model = model;
    pass->cancel = progress->monitor.cancel;
    pass->stopped = false;
    parallel_ranges(pass->parts, progress->team, add_parts, pass);
    progress->columns += count * p;
    /* All processes count the same. */
    progress_work(progress, 2 * count * p * pass->s->problem.of.all);
    if (pass->stopped)
        return false;
    for (size_t v = 0; v < count; v++)
        take_point(pass, v);
    if (model->at < count)
        add_models(pass);
    add_other_rows(pass, model->at < count);
    if (model->at < count) {
        model->total = points[model->at].total;
        take_model(pass, model);
    }
    return true;
}
