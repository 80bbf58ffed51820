#include "solve/lasso_state.h"

#include "base/memory.h"
#include "model/residual.h"
#include "solve/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

/* The length of column j as the problem sees it. */
static double column_norm(const lasso_state *s, size_t j)
{
    double squares = tm_dataset_deviations(s->data)[j];
    if (!s->intercept)
        squares += (double)s->n * s->means[j] * s->means[j];
    return sqrt(squares);
}

static void find_scales(lasso_state *s, bool standardize)
{
    for (size_t j = 0; j < s->p; j++) {
        s->norms[j] = column_norm(s, j);
        bool scaled = standardize && s->norms[j] > 0;
        s->factors[j] = scaled ? s->norms[j] / sqrt((double)s->n) : 1;
    }
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Scores of all features against y; their greatest is lambda_max. */
static tm_status find_lambda_max(lasso_state *s, solve_progress *progress, tm_error *err)
{
    double *scores = mem_array(s->p, sizeof *scores);
    if (!scores)
        return tm_fail_memory(err, "lambda_max");
    lasso_state_reset(s);
    if (!lasso_products_all(s, progress)) {
        free(scores);
        return tm_fail(err, TM_ECANCELLED, "cancelled while looking for lambda_max");
    }
    memcpy(s->xy, s->xr, s->p * sizeof *s->xy);
    for (size_t j = 0; j < s->p; j++)
        scores[j] = fabs(s->xy[j]) / s->factors[j];
    qsort(scores, s->p, sizeof *scores, compare_reals);
    s->median = scores[s->p / 2];
    s->greatest = scores[s->p - 1];
    s->lambda_max = s->greatest;
    s->solved_lambda = s->lambda_max;
    free(scores);
    return TM_OK;
}

static bool allocate(lasso_state *s)
{
    s->norms = mem_array(s->p, sizeof *s->norms);
    s->factors = mem_array(s->p, sizeof *s->factors);
    s->y = mem_array(s->n, sizeof *s->y);
    s->xy = mem_array(s->p, sizeof *s->xy);
    s->w = mem_zeros(s->p, sizeof *s->w);
    s->r = mem_array(s->n, sizeof *s->r);
    s->xr = mem_array(s->p, sizeof *s->xr);
    s->active = mem_array(s->p, sizeof *s->active);
    s->in_active = mem_zeros(s->p, sizeof *s->in_active);
    return s->norms && s->factors && s->y && s->xy && s->w && s->r && s->xr && s->active &&
           s->in_active;
}

tm_status lasso_state_new(lasso_state **out, const tm_dataset *data, bool intercept,
                          bool standardize, solve_progress *progress, tm_error *err)
{
    *out = NULL;
    lasso_state *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->data = tm_dataset_ref(data);
    s->x = tm_dataset_x(data);
    s->means = tm_dataset_means(data);
    s->n = tm_dataset_rows(data);
    s->p = tm_dataset_cols(data);
    s->intercept = intercept;
    tm_status status = allocate(s) ? TM_OK : tm_fail_memory(err, "the solver");
    if (status == TM_OK) {
        find_scales(s, standardize);
        residual_null(data, intercept, s->y, &s->mean);
        s->yy = residual_squares(s->y, s->n);
        status = find_lambda_max(s, progress, err);
    }
    if (status != TM_OK) {
        lasso_state_free(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

void lasso_state_free(lasso_state *s)
{
    if (!s)
        return;
    tm_dataset_unref(s->data);
    free(s->norms);
    free(s->factors);
    free(s->y);
    free(s->xy);
    free(s->w);
    free(s->r);
    free(s->xr);
    free(s->active);
    free(s->in_active);
    gram_free(s->gram);
    free(s);
}

/* ---- the iterate --------------------------------------------------------------------------- */

void lasso_state_reset(lasso_state *s)
{
    memset(s->w, 0, s->p * sizeof *s->w);
    memcpy(s->r, s->y, s->n * sizeof *s->r);
    s->shift = 0;
}

void lasso_state_refresh(lasso_state *s)
{
    residual_of(s->data, s->w, 0, s->r);
    if (s->intercept)
        residual_centre(s->r, s->n);
    s->shift = 0;
}

double lasso_state_intercept(const lasso_state *s)
{
    double b = s->mean;
    for (size_t j = 0; s->intercept && j < s->p; j++)
        b -= s->w[j] * s->means[j];
    return b;
}

/* Changes w_j by d and the residual with it. */
static void move_weight(lasso_state *s, size_t j, double d)
{
    s->w[j] += d;
    tm_matrix_axpy(s->x, j, -d, s->r);
    if (s->intercept)
        s->shift += d * s->means[j];
}

/* x_j'(r + shift), where the entries of a centred residual sum to zero: what rounding has left of
 * r's sum is not looked for here, lasso_state_refresh takes it away. */
static double product(const lasso_state *s, size_t j)
{
    double value = tm_matrix_dot(s->x, j, s->r);
    return s->intercept ? value + s->shift * (double)s->n * s->means[j] : value;
}

/* ---- the active set ------------------------------------------------------------------------ */

void lasso_activate(lasso_state *s, size_t j)
{
    if (s->in_active[j] || s->norms[j] == 0)
        return;
    s->in_active[j] = true;
    s->active[s->active_count++] = j;
}

void lasso_activate_support(lasso_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = 0; j < s->p; j++)
        if (s->w[j] != 0)
            lasso_activate(s, j);
}

void lasso_activate_all(lasso_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = 0; j < s->p; j++)
        lasso_activate(s, j);
}

size_t lasso_drop(lasso_state *s, bool (*drop)(const lasso_state *s, size_t j, const void *payload),
                  const void *payload)
{
    size_t kept = 0, before = s->active_count;
    for (size_t k = 0; k < before; k++) {
        size_t j = s->active[k];
        if (!drop(s, j, payload)) {
            s->active[kept++] = j;
            continue;
        }
        s->in_active[j] = false;
        if (s->w[j] != 0) {
            move_weight(s, j, -s->w[j]);
            s->w[j] = 0;
        }
    }
    s->active_count = kept;
    return before - kept;
}

/* ---- coordinate minimisation --------------------------------------------------------------- */

static double soft_threshold(double value, double threshold)
{
    if (value > threshold)
        return value - threshold;
    return value < -threshold ? value + threshold : 0;
}

double lasso_epoch(lasso_state *s, solve_progress *progress)
{
    double greatest = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        double square = s->norms[j] * s->norms[j];
        double target = s->w[j] + product(s, j) / square;
        double d = soft_threshold(target, s->lambda * s->factors[j] / square) - s->w[j];
        if (d != 0) {
            move_weight(s, j, d);
            greatest = fmax(greatest, fabs(d) * s->norms[j]);
        }
        progress->columns++;
        progress->updates++;
        if (progress_work(progress, 2 * s->n))
            break;
    }
    s->epochs++;
    return greatest;
}

bool lasso_stalled(const lasso_state *s, double greatest_change)
{
    return greatest_change <= 1e-16 * sqrt(s->yy);
}

/* ---- products and gaps --------------------------------------------------------------------- */

bool lasso_products_active(lasso_state *s, solve_progress *progress)
{
    for (size_t k = 0; k < s->active_count; k++) {
        s->xr[s->active[k]] = product(s, s->active[k]);
        progress->columns++;
        if (progress_work(progress, s->n))
            return false;
    }
    return true;
}

bool lasso_products_all(lasso_state *s, solve_progress *progress)
{
    /* Of r alone: with the intercept the sum of r + shift is zero, so this is -n shift but for
     * rounding, and one correction serves both. */
    double left = s->intercept ? residual_sum(s->r, s->n) : 0;
    /* Blocks small enough that a pass over a huge matrix still answers a cancel at once. */
    size_t block = s->n < 65536 ? 65536 / s->n + 1 : 1;
    for (size_t from = 0; from < s->p; from += block) {
        size_t count = s->p - from < block ? s->p - from : block;
        tm_matrix_dot_range(s->x, from, count, s->r, s->xr + from);
        progress->columns += count;
        if (progress_work(progress, (uint64_t)count * s->n))
            return false;
    }
    for (size_t j = 0; s->intercept && j < s->p; j++)
        s->xr[j] = s->norms[j] == 0 ? 0 : s->xr[j] - s->means[j] * left;
    return true;
}

double lasso_greatest_active(const lasso_state *s)
{
    double greatest = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        greatest = fmax(greatest, fabs(s->xr[j]) / s->factors[j]);
    }
    return greatest;
}

double lasso_greatest_all(const lasso_state *s)
{
    double greatest = 0;
    for (size_t j = 0; j < s->p; j++)
        greatest = fmax(greatest, fabs(s->xr[j]) / s->factors[j]);
    return greatest;
}

static ball_plane plane_of(const lasso_state *s)
{
    ball_plane plane = {0, 0, s->yy};
    for (size_t i = 0; i < s->n; i++) {
        double r = s->r[i] + s->shift;
        plane.rr += r * r;
        plane.ry += r * s->y[i];
    }
    return plane;
}

lasso_gap lasso_gap_of(const lasso_state *s, double greatest)
{
    lasso_gap g = {.plane = plane_of(s)};
    double penalty = 0;
    for (size_t k = 0; k < s->active_count; k++)
        penalty += s->factors[s->active[k]] * fabs(s->w[s->active[k]]);
    g.primal = g.plane.rr / 2 + s->lambda * penalty;
    double most = greatest > 0 ? s->lambda / greatest : INFINITY;
    g.scale = g.plane.rr > 0 ? fmin(fmax(g.plane.ry / g.plane.rr, -most), most) : 0;
    g.dual = g.scale * g.plane.ry - g.scale * g.scale * g.plane.rr / 2;
    g.gap = g.primal - g.dual;
    return g;
}

double lasso_gap_widened(const lasso_state *s, const lasso_gap *g)
{
    /* Sums over n terms lose up to about n roundings. */
    double lost = 1e-14 + 1e-16 * (double)s->n;
    return fmax(g->gap, 0) + lost * (g->primal + g->plane.yy);
}

screen_features lasso_features(const lasso_state *s)
{
    return (screen_features){s->xr, s->xy, s->norms, s->factors, s->p};
}
