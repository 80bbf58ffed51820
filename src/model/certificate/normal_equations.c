#include "model/certificate/normal_equations.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/numeric/nonzero.h"
#include "base/threads/parallel.h"
#include "model/certificate/tuning.h"
#include "model/loss/loss.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The unit roundoff: half the distance between 1 and the next number. */
static const double UNIT = DBL_EPSILON / 2;

bool normal_equations_fit(const tm_dataset *data)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    return p > 0 && p <= MAX_FEATURES && n / p >= ROWS_A_FEATURE &&
           tm_matrix_has_parts(tm_dataset_x(data));
}

void normal_equations_free(normal_equations *sums)
{
    if (!sums)
        return;
    free(sums->products);
    free(sums->xy);
    free(sums->means);
    free(sums->lengths);
    free(sums);
}

/* ---- the sums ------------------------------------------------------------------------------- */

/* A block of rows is multiplied with itself: the features, then the response, then a column of
 * ones, whose products are the remaining sums after centring. */
typedef struct summing {
    const tm_dataset *data;
    const normal_equations *sums;
    const tm_cancel *cancel; /* or NULL */
    size_t parts, width;     /* width: p + 2 */
    double *blocks;          /* parts x width x ROWS_TOGETHER */
    double *triangles;       /* parts x width x width: upper triangles */
    atomic_bool stopped;
} summing;

/* Writes response minus offset, from row `from` on. */
static void response_part(const tm_dataset *data, size_t from, size_t count, double *out)
{
    const double *y = tm_dataset_y(data), *offset = tm_dataset_offset(data);
    for (size_t i = 0; i < count; i++)
        out[i] = y[from + i] - (offset ? offset[from + i] : 0);
}

static void centre_part(double *values, size_t count, double mean)
{
    for (size_t i = 0; i < count; i++)
        values[i] -= mean;
}

static void load_block(const summing *s, size_t from, size_t count, double *block)
{
    const normal_equations *sums = s->sums;
    const double *weights = tm_dataset_weights(s->data);
    size_t p = sums->p;
    for (size_t j = 0; j < p; j++) {
        tm_matrix_part(tm_dataset_x(s->data), j, from, count, block + j * ROWS_TOGETHER);
        centre_part(block + j * ROWS_TOGETHER, count, sums->means[j]);
    }
    response_part(s->data, from, count, block + p * ROWS_TOGETHER);
    centre_part(block + p * ROWS_TOGETHER, count, sums->mean);
    for (size_t i = 0; i < count; i++)
        block[(p + 1) * ROWS_TOGETHER + i] = 1;
    for (size_t k = 0; weights && k < s->width; k++)
        for (size_t i = 0; i < count; i++)
            block[k * ROWS_TOGETHER + i] *= sqrt(weights[from + i]);
}

static void sum_part(summing *s, size_t part)
{
    size_t n = tm_dataset_rows(s->data), end = n * (part + 1) / s->parts;
    double *block = s->blocks + part * s->width * ROWS_TOGETHER;
    double *triangle = s->triangles + part * s->width * s->width;
    int width = (int)s->width;
    memset(triangle, 0, s->width * s->width * sizeof *triangle);
    for (size_t from = n * part / s->parts; from < end && !s->stopped; from += ROWS_TOGETHER) {
        size_t count = end - from < ROWS_TOGETHER ? end - from : ROWS_TOGETHER;
        load_block(s, from, count, block);
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, width, (int)count, 1, block,
                    ROWS_TOGETHER, 1, triangle, width);
        if (s->cancel && tm_cancel_is_set(s->cancel))
            s->stopped = true;
    }
}

static void sum_parts(size_t from, size_t to, void *payload)
{
    for (size_t part = from; part < to; part++)
        sum_part(payload, part);
}

static void add_parts(const summing *s)
{
    size_t size = s->width * s->width;
    for (size_t part = 1; part < s->parts; part++)
        for (size_t k = 0; k < size; k++)
            s->triangles[k] += s->triangles[part * size + k];
}

/* Computes the sums from products of entries as centred during the pass, corrected for the sums
 * that remain: rounding errors of the means then have no effect. */
static void take_sums(normal_equations *sums, const double *triangle)
{
    size_t p = sums->p, width = p + 2;
    const double *y = triangle + p * width, *left = triangle + (p + 1) * width;
    double share = sums->intercept ? 1 / left[p + 1] : 0;
    sums->total = left[p + 1];
    for (size_t k = 0; k < p; k++)
        for (size_t j = 0; j <= k; j++)
            sums->products[j * p + k] = sums->products[k * p + j] =
                triangle[k * width + j] - share * left[j] * left[k];
    for (size_t j = 0; j < p; j++) {
        sums->xy[j] = y[j] - share * left[j] * left[p];
        sums->lengths[j] = (1 + sums->rounding) * sqrt(triangle[j * width + j]);
        sums->means[j] += share * left[j];
    }
    sums->yy = fmax(y[p] - share * left[p] * left[p], 0);
    sums->length = (1 + sums->rounding) * sqrt(y[p]);
    sums->mean += share * left[p];
}

/* A computed sum of products has an error of at most its depth times UNIT times the sum of their
 * magnitudes, which is at most the product of the two lengths: terms may be added in any order
 * within a block of rows, then blocks are added, then parts. Each factor has up to three roundings
 * (minus the mean, times the root of the weight, and the root itself). The correction by `left`
 * consists of two such sums. The response minus an offset was rounded before the mean was
 * subtracted. */
static double rounding_of(const summing *s)
{
    const normal_equations *sums = s->sums;
    size_t n = tm_dataset_rows(s->data), p = sums->p;
    const double *y = s->triangles + p * s->width;
    double blocks = (double)(n / s->parts + ROWS_TOGETHER) / ROWS_TOGETHER + (double)s->parts;
    double depth = ROWS_TOGETHER + blocks + 16;
    double far =
        y[p] > 0 ? 2 * fabs(sums->mean) * sqrt(s->triangles[(p + 2) * (p + 2) - 1] / y[p]) : 0;
    double offset = tm_dataset_offset(s->data) ? 4 + far : 0;
    return 4 * (depth + offset) * UNIT;
}

static double mean_response(const tm_dataset *data)
{
    double sum = 0, value;
    size_t n = tm_dataset_rows(data);
    for (size_t i = 0; i < n; i++) {
        response_part(data, i, 1, &value);
        sum += value;
    }
    return sum / (double)n;
}

static tm_status allocate(normal_equations *sums, summing *s, tm_error *err)
{
    size_t p = sums->p;
    sums->products = mem_array(p * p, sizeof *sums->products);
    sums->xy = mem_array(p, sizeof *sums->xy);
    sums->means = mem_zeros(p, sizeof *sums->means);
    sums->lengths = mem_array(p, sizeof *sums->lengths);
    s->blocks = mem_array(s->parts * s->width * ROWS_TOGETHER, sizeof *s->blocks);
    s->triangles = mem_array(s->parts * s->width * s->width, sizeof *s->triangles);
    return sums->products && sums->xy && sums->means && sums->lengths && s->blocks && s->triangles
               ? TM_OK
               : tm_fail_memory(err, "the normal equations");
}

static tm_status make(normal_equations *sums, summing *s, thread_team *team, tm_error *err)
{
    tm_status status = blas_begin(err);
    if (status == TM_OK)
        status = allocate(sums, s, err);
    if (status != TM_OK)
        return status;
    if (sums->intercept) {
        memcpy(sums->means, tm_dataset_means(s->data), sums->p * sizeof *sums->means);
        sums->mean = mean_response(s->data);
    }
    parallel_ranges(s->parts, team, sum_parts, s);
    if (s->stopped)
        return tm_fail(err, TM_ECANCELLED, "cancelled");
    add_parts(s);
    sums->rounding = rounding_of(s);
    take_sums(sums, s->triangles);
    return TM_OK;
}

tm_status normal_equations_new(normal_equations **out, bool intercept, const data_pass *pass,
                               tm_error *err)
{
    size_t n = tm_dataset_rows(pass->data), p = tm_dataset_cols(pass->data);
    size_t parts = n / (ROWS_A_FEATURE * p);
    *out = NULL;
    normal_equations *sums = calloc(1, sizeof *sums);
    if (!sums)
        return tm_fail_memory(err, "the normal equations");
    sums->p = p;
    sums->intercept = intercept;
    summing s = {.data = pass->data,
                 .sums = sums,
                 .cancel = pass->cancel,
                 .parts = parts < 1           ? 1
                          : parts < MAX_PARTS ? parts
                                              : MAX_PARTS,
                 .width = p + 2};
    tm_status status = make(sums, &s, pass->team, err);
    free(s.blocks);
    free(s.triangles);
    if (status == TM_OK)
        *out = sums;
    else
        normal_equations_free(sums);
    return status;
}

/* ---- certificates --------------------------------------------------------------------------- */

/* Values computed from the weights: r = y - Xw. */
typedef struct residual_sums {
    double *products; /* p: x_j'r */
    double yr, rr;
    double size;    /* |y| + sum_j |w_j| |x_j|, an upper bound of |r| */
    double error;   /* error bound of products, relative to |x_j|, |y| or `size` */
    double penalty; /* of the answer; its squared part is squares / 2 */
    double squares;
    double shift, shift_error; /* difference of the intercept from the optimal one; error bound of
                                * that */
} residual_sums;

/* Whether the sums suffice: squared loss, no unpenalised features, limits that are 0 or
 * infinite. */
static bool sums_suffice(const normal_equations *sums, const tm_problem *problem,
                         const feature_penalty *q)
{
    const loss *l = loss_find(problem->loss, NULL);
    bool fits = l && l->quadratic && !problem->groups && problem->intercept == sums->intercept &&
                problem->lambda > 0 && penalty_count_free(q, sums->p) == 0;
    for (size_t j = 0; fits && j < sums->p; j++) {
        double lower = penalty_lower(q, j), upper = penalty_upper(q, j);
        fits = (lower == 0 || isinf(lower)) && (upper == 0 || isinf(upper));
    }
    return fits;
}

static void add_weight(const normal_equations *sums, const feature_penalty *q, size_t j, double w,
                       residual_sums *r)
{
    const double *column = sums->products + j * sums->p;
    for (size_t k = 0; k < sums->p; k++)
        r->products[k] -= w * column[k];
    r->yr -= w * sums->xy[j];
    r->size += fabs(w) * sums->lengths[j];
    r->penalty += penalty_value(q, j, w);
    r->squares += penalty_square(q, j) * w * w;
}

static void find_residual(const normal_equations *sums, const certificate_item *item,
                          const feature_penalty *q, residual_sums *r)
{
    const double *w = item->w;
    size_t p = sums->p, count = 0;
    double fitted = sums->mean - item->b, magnitudes = fabs(sums->mean) + fabs(item->b);
    memcpy(r->products, sums->xy, p * sizeof *r->products);
    r->yr = sums->yy;
    r->size = sums->length;
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p), count++) {
        add_weight(sums, q, j, w[j], r);
        fitted -= w[j] * sums->means[j];
        magnitudes += fabs(w[j] * sums->means[j]);
    }
    r->rr = r->yr;
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        r->rr -= w[j] * r->products[j];
    r->rr = fmax(r->rr, 0);
    double own = 2 * (double)(count + 4) * UNIT;
    r->error = sums->rounding + own;
    /* The means have the same relative error as the sums of the columns. */
    if (sums->intercept) {
        r->shift = fabs(fitted);
        r->shift_error = own * magnitudes + r->error * r->size / sqrt(sums->total);
    }
}

/* The greatest scale that keeps every product, including its error, within its constraint; the
 * squared penalty's rows are added to the products. */
static double most_scale(const normal_equations *sums, const feature_penalty *q, const double *w,
                         const residual_sums *r)
{
    double most = INFINITY;
    for (size_t j = 0; j < sums->p; j++) {
        double square = penalty_square(q, j) * w[j], c = r->products[j] -= square;
        double off = r->error * (sums->lengths[j] * r->size + fabs(square));
        double greatest =
            fmax(penalty_upper(q, j) > 0 ? c + off : 0, penalty_lower(q, j) < 0 ? off - c : 0);
        if (greatest > 0 && !penalty_excludes(q, j))
            most = fmin(most, penalty_threshold(q, j) / greatest);
    }
    return (1 - r->error) * most;
}

/* A lower bound of the dual value, and an upper bound of the primal value. */
static tm_certificate bound(const residual_sums *r, double total, double scale, double off)
{
    double primal = r->rr / 2 + r->penalty + total * r->shift * r->shift / 2;
    double dual = scale * r->yr - scale * scale * (r->rr + r->squares) / 2;
    tm_certificate c = {.primal = primal + off + r->error * primal,
                        .dual =
                            dual - fabs(scale) * (1 + fabs(scale)) * off - r->error * fabs(dual)};
    c.gap = c.primal - c.dual;
    return c;
}

bool normal_equations_certify(const normal_equations *sums, certificate_item *item, double allowed)
{
    const tm_problem *problem = &item->problem;
    feature_penalty q = {problem->lambda, problem->factors, problem->ridge, problem->lower,
                         problem->upper};
    residual_sums r = {.products = item->products};
    if (!sums_suffice(sums, problem, &q))
        return false;
    find_residual(sums, item, &q, &r);
    double most = most_scale(sums, &q, item->w, &r), rr = r.rr + r.squares;
    /* With limits, negative scales would have other constraints. */
    double least = q.lower || q.upper ? 0 : -most;
    double scale = rr > 0 ? fmin(fmax(r.yr / rr, least), most) : 0, size = fabs(scale);
    double off =
        r.error * r.size * r.size + sums->total * r.shift_error * (r.shift + r.shift_error);
    item->certificate = bound(&r, sums->total, scale, off);
    return off * (1 + size * (1 + size)) <= allowed;
}
