#include "solve/l1_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/residual.h"
#include "solve/gram.h"
#include "solve/l1_sequential.h"
#include "solve/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

/* The length of column j as the problem sees it. */
static double column_norm(const l1_state *s, size_t j)
{
    double squares = tm_dataset_deviations(s->data)[j];
    if (!s->intercept)
        squares += (double)s->n * s->means[j] * s->means[j];
    return sqrt(squares);
}

static void find_scales(l1_state *s, bool standardize)
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
static tm_status find_lambda_max(l1_state *s, solve_progress *progress, tm_error *err)
{
    double *scores = mem_array(s->p, sizeof *scores);
    if (!scores)
        return tm_fail_memory(err, "lambda_max");
    l1_state_reset(s);
    if (!l1_products_all(s, progress)) {
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

static void find_null_model(l1_state *s)
{
    if (s->loss->quadratic) {
        residual_null(s->data, s->intercept, s->y, &s->null_intercept);
        s->yy = residual_squares(s->y, s->n);
        s->null_objective = s->yy / 2;
        return;
    }
    memset(s->z, 0, s->n * sizeof *s->z);
    if (s->intercept)
        s->null_intercept = loss_best_shift(s->loss, s->response, s->z, s->n, 0);
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = s->null_intercept;
    loss_dual_variables(s->loss, s->response, s->z, s->n, s->y);
    s->yy = residual_squares(s->y, s->n);
    s->null_objective = loss_sum(s->loss, s->response, s->z, s->n);
}

static bool allocate(l1_state *s)
{
    s->norms = mem_array(s->p, sizeof *s->norms);
    s->factors = mem_array(s->p, sizeof *s->factors);
    s->y = mem_array(s->n, sizeof *s->y);
    s->xy = mem_array(s->p, sizeof *s->xy);
    s->w = mem_zeros(s->p, sizeof *s->w);
    s->r = mem_array(s->n, sizeof *s->r);
    s->xr = mem_array(s->p, sizeof *s->xr);
    s->z = mem_array(s->loss->quadratic ? 0 : s->n, sizeof *s->z);
    s->active = mem_array(s->p, sizeof *s->active);
    s->in_active = mem_zeros(s->p, sizeof *s->in_active);
    if (!s->loss->quadratic && !l1_model_new(&s->model, s->n, s->p))
        return false;
    return s->norms && s->factors && s->y && s->xy && s->w && s->r && s->xr && s->z && s->active &&
           s->in_active;
}

tm_status l1_state_new(l1_state **out, const tm_dataset *data, const loss *l, bool intercept,
                       bool standardize, solve_progress *progress, tm_error *err)
{
    *out = NULL;
    l1_state *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the solver");
    s->data = tm_dataset_ref(data);
    s->x = tm_dataset_x(data);
    s->means = tm_dataset_means(data);
    s->n = tm_dataset_rows(data);
    s->p = tm_dataset_cols(data);
    s->intercept = intercept;
    s->loss = l;
    s->response = tm_dataset_y(data);
    tm_status status = response_check(data, l, err);
    if (status == TM_OK && !allocate(s))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK) {
        find_scales(s, standardize);
        find_null_model(s);
        status = find_lambda_max(s, progress, err);
    }
    if (status != TM_OK) {
        l1_state_free(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

void l1_state_free(l1_state *s)
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
    free(s->z);
    l1_model_free(s->model);
    free(s->active);
    free(s->in_active);
    gram_free(s->gram);
    l1_earlier_free(s->earlier);
    free(s->whole_set);
    free(s);
}

/* ---- the iterate --------------------------------------------------------------------------- */

void l1_state_reset(l1_state *s)
{
    memset(s->w, 0, s->p * sizeof *s->w);
    memcpy(s->r, s->y, s->n * sizeof *s->r);
    s->shift = 0;
    s->b = s->null_intercept;
    for (size_t i = 0; !s->loss->quadratic && i < s->n; i++)
        s->z[i] = s->b;
}

static void refresh_predictions(l1_state *s)
{
    residual_of(s->data, s->w, 0, s->z);
    for (size_t i = 0; i < s->n; i++)
        s->z[i] = s->response[i] - s->z[i];
    s->b = s->intercept ? loss_best_shift(s->loss, s->response, s->z, s->n, s->b) : 0;
    for (size_t i = 0; i < s->n; i++)
        s->z[i] += s->b;
    loss_dual_variables(s->loss, s->response, s->z, s->n, s->r);
}

void l1_state_refresh(l1_state *s)
{
    s->shift = 0;
    if (!s->loss->quadratic) {
        refresh_predictions(s);
        return;
    }
    residual_of(s->data, s->w, 0, s->r);
    if (s->intercept)
        residual_centre(s->r, s->n);
}

double l1_state_intercept(const l1_state *s)
{
    if (!s->loss->quadratic)
        return s->b;
    double b = s->null_intercept;
    for (size_t j = 0; s->intercept && j < s->p; j++)
        b -= s->w[j] * s->means[j];
    return b;
}

/* Changes w_j by d and the residual, or the predictions, with it. */
static void move_weight(l1_state *s, size_t j, double d)
{
    s->w[j] += d;
    if (!s->loss->quadratic) {
        tm_matrix_axpy(s->x, j, d, s->z);
        return;
    }
    tm_matrix_axpy(s->x, j, -d, s->r);
    if (s->intercept)
        s->shift += d * s->means[j];
}

/* x_j'(r + shift), where the entries of a centred residual sum to zero: what rounding has left of
 * r's sum is not looked for here, l1_state_refresh takes it away. */
static double product(const l1_state *s, size_t j)
{
    double value = tm_matrix_dot(s->x, j, s->r);
    return s->intercept ? value + s->shift * (double)s->n * s->means[j] : value;
}

/* ---- the active set ------------------------------------------------------------------------ */

void l1_activate(l1_state *s, size_t j)
{
    if (s->in_active[j] || s->norms[j] == 0)
        return;
    s->in_active[j] = true;
    s->active[s->active_count++] = j;
}

void l1_activate_support(l1_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = 0; j < s->p; j++)
        if (s->w[j] != 0)
            l1_activate(s, j);
}

void l1_activate_all(l1_state *s)
{
    s->active_count = 0;
    memset(s->in_active, 0, s->p * sizeof *s->in_active);
    for (size_t j = 0; j < s->p; j++)
        l1_activate(s, j);
}

size_t l1_drop(l1_state *s, bool (*drop)(const l1_state *s, size_t j, const void *payload),
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

bool l1_shrinks_out(l1_state *s, size_t j, double product)
{
    double limit = s->lambda * s->factors[j], w = s->w[j];
    double beyond = w == 0 ? fabs(product) - limit : fabs(product - copysign(limit, w));
    s->violation = fmax(s->violation, beyond / s->factors[j]);
    double slack = s->violation_before / (double)s->n * s->factors[j];
    return s->shrinks && w == 0 && fabs(product) < limit - slack;
}

static double epoch(l1_state *s, solve_progress *progress)
{
    double greatest = 0;
    size_t kept = 0, k = 0;
    s->violation = 0;
    for (; k < s->active_count; k++) {
        size_t j = s->active[k];
        double square = s->norms[j] * s->norms[j], xr = product(s, j);
        if (l1_shrinks_out(s, j, xr))
            s->in_active[j] = false;
        else
            s->active[kept++] = j;
        double target = s->w[j] + xr / square;
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
    for (k++; k < s->active_count; k++)
        s->active[kept++] = s->active[k];
    s->active_count = kept;
    s->violation_before = s->violation;
    s->epochs++;
    return greatest;
}

double l1_sweep(l1_state *s, long epochs, solve_progress *progress)
{
    if (!s->loss->quadratic)
        return l1_newton_sweep(s, epochs, progress);
    double change = 0;
    for (long k = 0; k < epochs && s->epochs < s->max_iter && !progress->stopped; k++)
        change = epoch(s, progress);
    return change;
}

bool l1_stalled(const l1_state *s, double greatest_change)
{
    return greatest_change <= 1e-16 * sqrt(s->yy);
}

/* ---- products and gaps --------------------------------------------------------------------- */

bool l1_products_active(l1_state *s, solve_progress *progress)
{
    for (size_t k = 0; k < s->active_count; k++) {
        s->xr[s->active[k]] = product(s, s->active[k]);
        progress->columns++;
        if (progress_work(progress, s->n))
            return false;
    }
    return true;
}

/* A stretch of columns, and who takes it: threads share it in groups of columns. */
typedef struct product_pass {
    const l1_state *s;
    const double *v; /* n */
    double *out;     /* p */
    size_t from, count;
} product_pass;

/* Products are taken four columns at a time; whole groups make them independent of the threads. */
enum { GROUP = 64 };

static void pass_groups(size_t from, size_t to, void *payload)
{
    const product_pass *pass = payload;
    size_t first = from * GROUP, last = to * GROUP < pass->count ? to * GROUP : pass->count;
    tm_matrix_dot_range(pass->s->x, pass->from + first, last - first, pass->v,
                        pass->out + pass->from + first);
}

/* Columns between two looks at the cancel token: some ten milliseconds when they stream from memory, so
 * that making threads costs little. */
static size_t stretch_columns(const l1_state *s, int threads)
{
    size_t average = (size_t)(tm_matrix_nnz(s->x) / s->p) + 1;
    size_t columns = ((size_t)1 << 23) / average * (size_t)threads / GROUP * GROUP;
    return columns < GROUP ? GROUP : columns;
}

bool l1_products_of(l1_state *s, const double *v, double *out, solve_progress *progress)
{
    /* The correction for what v sums to. */
    double left = s->intercept ? residual_sum(v, s->n) : 0;
    bool small = tm_matrix_nnz(s->x) < ((uint64_t)1 << 20);
    int threads = small ? 1 : progress->threads;
    size_t stretch = stretch_columns(s, threads);
    for (size_t from = 0; from < s->p; from += stretch) {
        product_pass pass = {s, v, out, from, s->p - from < stretch ? s->p - from : stretch};
        parallel_ranges((pass.count + GROUP - 1) / GROUP, threads, pass_groups, &pass);
        progress->columns += pass.count;
        if (progress_work(progress, (uint64_t)pass.count * s->n))
            return false;
    }
    for (size_t j = 0; s->intercept && j < s->p; j++)
        out[j] = s->norms[j] == 0 ? 0 : out[j] - s->means[j] * left;
    return true;
}

/* Of r alone: with the intercept the sum of r + shift is zero, so that r's is -n shift but for rounding, and
 * one correction serves both. */
bool l1_products_all(l1_state *s, solve_progress *progress)
{
    return l1_products_of(s, s->r, s->xr, progress);
}

double l1_greatest_active(const l1_state *s)
{
    double greatest = 0;
    for (size_t k = 0; k < s->active_count; k++) {
        size_t j = s->active[k];
        greatest = fmax(greatest, fabs(s->xr[j]) / s->factors[j]);
    }
    return greatest;
}

double l1_greatest_all(const l1_state *s)
{
    double greatest = 0;
    for (size_t j = 0; j < s->p; j++)
        greatest = fmax(greatest, fabs(s->xr[j]) / s->factors[j]);
    return greatest;
}

static ball_plane plane_of(const l1_state *s)
{
    ball_plane plane = {0, 0, s->yy};
    for (size_t i = 0; i < s->n; i++) {
        double r = s->r[i] + s->shift;
        plane.rr += r * r;
        plane.ry += r * s->y[i];
    }
    return plane;
}

static double loss_value(const l1_state *s, const ball_plane *plane)
{
    return s->loss->quadratic ? plane->rr / 2 : loss_sum(s->loss, s->response, s->z, s->n);
}

/* For the squared loss y'r and r'r are known already; rounding would see more in y than in y - mean. */
static void find_dual(const l1_state *s, double most, l1_gap *g)
{
    const ball_plane *plane = &g->plane;
    if (s->loss->quadratic) {
        g->scale = plane->rr > 0 ? fmin(fmax(plane->ry / plane->rr, -most), most) : 0;
        g->dual = g->scale * plane->ry - g->scale * g->scale * plane->rr / 2;
        return;
    }
    g->scale = s->loss->scale(s->response, s->r, s->n, most);
    g->dual = loss_dual_sum(s->loss, s->response, s->r, g->scale, s->n);
}

l1_gap l1_gap_of(const l1_state *s, double greatest)
{
    l1_gap g = {.plane = plane_of(s)};
    double penalty = 0;
    for (size_t k = 0; k < s->active_count; k++)
        penalty += s->factors[s->active[k]] * fabs(s->w[s->active[k]]);
    g.primal = loss_value(s, &g.plane) + s->lambda * penalty;
    find_dual(s, greatest > 0 ? s->lambda / greatest : INFINITY, &g);
    g.gap = g.primal - g.dual;
    return g;
}

double l1_dual_at(const l1_state *s, const double *a, double greatest, double *scale)
{
    double most = greatest > 0 ? s->lambda / greatest : INFINITY;
    if (!s->loss->quadratic) {
        *scale = s->loss->scale(s->response, a, s->n, most);
        return loss_dual_sum(s->loss, s->response, a, *scale, s->n);
    }
    double aa = residual_squares(a, s->n), ay = 0;
    for (size_t i = 0; i < s->n; i++)
        ay += a[i] * s->y[i];
    *scale = aa > 0 ? fmin(fmax(ay / aa, -most), most) : 0;
    return *scale * ay - *scale * *scale * aa / 2;
}

double l1_dual_value(const l1_state *s, const double *a)
{
    if (!s->loss->quadratic)
        return loss_dual_sum(s->loss, s->response, a, 1, s->n);
    double value = 0;
    for (size_t i = 0; i < s->n; i++)
        value += a[i] * (s->y[i] - a[i] / 2);
    return value;
}

void l1_dual_of_predictions(const l1_state *s, double *v)
{
    if (s->loss->quadratic) {
        if (s->intercept)
            residual_centre(v, s->n);
        return;
    }
    double b = s->intercept ? loss_best_shift(s->loss, s->response, v, s->n, 0) : 0;
    for (size_t i = 0; i < s->n; i++)
        v[i] = -s->loss->slope(s->response[i], v[i] + b);
}

/* What rounding may have hidden of a difference of objectives: sums over n terms lose up to about n
 * roundings. */
static double lost_by_rounding(const l1_state *s, const l1_gap *g)
{
    return (1e-14 + 1e-16 * (double)s->n) * (g->primal + 2 * s->null_objective);
}

ball l1_gap_ball(const l1_state *s, const l1_gap *g)
{
    double gap = fmax(g->gap, 0) + lost_by_rounding(s, g);
    return ball_from_gap(g->scale, s->loss->smoothness * gap, s->lambda);
}

ball l1_null_ball(const l1_state *s, const l1_gap *g)
{
    if (s->loss->quadratic)
        return ball_from_lambda_max(&g->plane, g->scale, s->lambda);
    double difference = fmax(s->null_objective - g->dual, 0) + lost_by_rounding(s, g);
    return ball_from_null_dual(s->loss->smoothness * difference, s->lambda);
}

screen_features l1_features(const l1_state *s)
{
    return (screen_features){s->xr, s->xy, s->norms, s->factors, s->p};
}
