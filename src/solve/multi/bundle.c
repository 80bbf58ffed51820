#include "solve/multi/bundle.h"

#include "base/memory.h"
#include "base/numeric/blas.h"
#include "base/threads/parallel.h"
#include "solve/multi/tuning.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- labelings ----------------------------------------------------------------------------- */

static shared_labeling *share_copy(const labeling *yhat)
{
    shared_labeling *held = calloc(1, sizeof *held);
    if (!held)
        return NULL;
    held->references = 1;
    held->u = mem_array(yhat->count, sizeof *held->u);
    held->rows = mem_array(yhat->count, sizeof *held->rows);
    if (!held->u || !held->rows) {
        free(held->u);
        free(held->rows);
        free(held);
        return NULL;
    }
    if (yhat->count > 0) {
        memcpy(held->u, yhat->u, yhat->count * sizeof *held->u);
        memcpy(held->rows, yhat->rows, yhat->count * sizeof *held->rows);
    }
    held->value = (labeling){yhat->loss, yhat->count, held->rows, held->u};
    return held;
}

static void release(shared_labeling *held)
{
    if (!held || --held->references > 0)
        return;
    free(held->u);
    free(held->rows);
    free(held);
}

static bool same_labeling(const labeling *a, const labeling *b)
{
    return a->count == b->count && a->loss == b->loss &&
           (a->count == 0 || (memcmp(a->rows, b->rows, a->count * sizeof *a->rows) == 0 &&
                              memcmp(a->u, b->u, a->count * sizeof *a->u) == 0));
}

static void scatter(const labeling *yhat, double *u, size_t n)
{
    memset(u, 0, n * sizeof *u);
    for (size_t e = 0; e < yhat->count; e++)
        u[yhat->rows[e]] = yhat->u[e];
}

/* ---- construction -------------------------------------------------------------------------- */

tm_status bundle_init(bundle *b, labeler *l, size_t n, const bundle_columns *from, tm_error *err)
{
    *b = (bundle){.labeler = l, .from = *from, .n = n, .planes_most = SIZE_MAX};
    tm_status begun = blas_begin(err);
    if (begun != TM_OK)
        return begun;
    b->v = mem_zeros(n, sizeof *b->v);
    b->u = mem_array(n, sizeof *b->u);
    b->best.v = mem_zeros(n, sizeof *b->best.v);
    b->trial.v = mem_array(n, sizeof *b->trial.v);
    return b->v && b->u && b->best.v && b->trial.v ? TM_OK : tm_fail_memory(err, "labelings");
}

static void clear_groups(bundle *b)
{
    for (size_t t = 0; t < b->group_count; t++) {
        free(b->groups[t].columns);
        free(b->groups[t].Q);
    }
    b->group_count = 0;
}

static void free_plane(bundle_plane *plane)
{
    release(plane->yhat);
    free(plane->a);
}

void bundle_free(bundle *b)
{
    clear_groups(b);
    bundle_forget(b);
    free(b->planes);
    free(b->groups);
    free(b->best.weights);
    free(b->trial.weights);
    free(b->dual.sum);
    free(b->dual.shares);
    free(b->dual.from_zero);
    free(b->dual.from_one);
    free(b->v);
    free(b->u);
    free(b->best.v);
    free(b->trial.v);
}

static void forget_weights(bundle *b)
{
    for (size_t j = 0; j < b->column_count; j++)
        b->best.weights[j] = 0;
    for (size_t i = 0; b->best.v && i < b->n; i++)
        b->best.v[i] = 0;
    b->best.norm = 0;
}

void bundle_forget(bundle *b)
{
    forget_weights(b);
    while (b->plane_count > 0)
        free_plane(&b->planes[--b->plane_count]);
}

void bundle_clear_columns(bundle *b)
{
    clear_groups(b);
    forget_weights(b);
    b->column_count = 0;
    b->dual.C = 0;
}

/* ---- columns ------------------------------------------------------------------------------- */

static bool grow(double **array, size_t room)
{
    double *grown = realloc(*array, (room ? room : 1) * sizeof *grown);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static bool reserve_columns(bundle *b, size_t count)
{
    if (count <= b->column_room)
        return true;
    size_t room = count > 2 * b->column_room ? count : 2 * b->column_room;
    bool grown = grow(&b->best.weights, room) && grow(&b->trial.weights, room) &&
                 grow(&b->dual.sum, room) && grow(&b->dual.shares, room) &&
                 grow(&b->dual.from_zero, room) && grow(&b->dual.from_one, room);
    for (size_t k = 0; grown && k < b->plane_count; k++)
        grown = grow(&b->planes[k].a, room);
    if (grown)
        b->column_room = room;
    return grown;
}

typedef struct dots_job {
    const bundle *b;
    size_t from;
    double *out;
} dots_job;

static void dots_range(size_t from, size_t to, void *payload)
{
    const dots_job *job = payload;
    job->b->from.dots(job->b->from.owner, job->from + from, to - from, job->b->u, job->out + from);
}

/* Computes the plane's a on the columns from .. column_count - 1. */
static void find_a(bundle *b, bundle_plane *plane, size_t from, solve_progress *progress)
{
    size_t count = b->column_count - from;
    scatter(&plane->yhat->value, b->u, b->n);
    dots_job job = {b, from, plane->a + from};
    parallel_groups(count, count < BUNDLE_SHARE_FROM ? NULL : progress->team, dots_range, &job);
    for (size_t j = from; j < b->column_count; j++)
        plane->a[j] /= (double)b->n;
    progress->columns += count;
    progress_work(progress, count * 64);
}

tm_status bundle_set_columns(bundle *b, size_t count, solve_progress *progress, tm_error *err)
{
    size_t from = b->column_count;
    if (!reserve_columns(b, count))
        return tm_fail_memory(err, "the columns of labelings");
    b->column_count = count;
    for (size_t j = from; j < count; j++)
        b->best.weights[j] = b->dual.shares[j] = b->dual.from_zero[j] = b->dual.from_one[j] = 0;
    for (size_t k = 0; k < b->plane_count; k++)
        find_a(b, &b->planes[k], from, progress);
    return TM_OK;
}

/* ---- groups -------------------------------------------------------------------------------- */

static double group_product(const bundle *b, const bundle_group *t, size_t i, size_t k)
{
    const double *x = b->planes[i].a, *y = b->planes[k].a;
    double sum = 0;
    if (!t->columns)
        return cblas_ddot((int)t->count, x, 1, y, 1);
    for (size_t c = 0; c < t->count; c++)
        sum += x[t->columns[c]] * y[t->columns[c]];
    return sum;
}

static void fill_plane(bundle *b, bundle_group *t, size_t k)
{
    for (size_t i = 0; i <= k; i++) {
        double product = group_product(b, t, i, k);
        t->Q[k * b->plane_room + i] = t->Q[i * b->plane_room + k] = product;
    }
}

tm_status bundle_add_group(bundle *b, const size_t *columns, size_t count, tm_error *err)
{
    if (b->group_count == b->group_room) {
        size_t room = b->group_room ? 2 * b->group_room : 8;
        bundle_group *grown = realloc(b->groups, room * sizeof *grown);
        if (!grown)
            return tm_fail_memory(err, "the groups");
        b->groups = grown;
        b->group_room = room;
    }
    bundle_group *t = &b->groups[b->group_count];
    *t = (bundle_group){.count = count};
    t->Q = mem_array(b->plane_room * b->plane_room, sizeof *t->Q);
    t->columns = columns ? mem_array(count, sizeof *t->columns) : NULL;
    if (!t->Q || (columns && !t->columns)) {
        free(t->Q);
        free(t->columns);
        return tm_fail_memory(err, "the groups");
    }
    if (columns)
        memcpy(t->columns, columns, count * sizeof *columns);
    b->group_count++;
    for (size_t k = 0; k < b->plane_count; k++)
        fill_plane(b, t, k);
    return TM_OK;
}

tm_status bundle_take_all(bundle *b, size_t B, tm_error *err)
{
    clear_groups(b);
    if (B != b->dual.B)
        b->dual.C = 0;
    b->dual.B = B;
    return b->column_count > B ? TM_OK : bundle_add_group(b, NULL, b->column_count, err);
}

/* ---- planes -------------------------------------------------------------------------------- */

/* Moves the products of the first `from` planes into a matrix of size `to`. */
static bool widen(double **Q, size_t from, size_t to)
{
    double *wide = mem_array(to * to, sizeof *wide);
    for (size_t k = 0; wide && k < from; k++)
        memcpy(wide + k * to, *Q + k * from, from * sizeof *wide);
    if (wide) {
        free(*Q);
        *Q = wide;
    }
    return wide != NULL;
}

static tm_status reserve_planes(bundle *b, tm_error *err)
{
    size_t from = b->plane_room, room = from ? 2 * from : 32;
    if (b->plane_count < from)
        return TM_OK;
    bundle_plane *grown = realloc(b->planes, room * sizeof *grown);
    bool done = grown != NULL;
    if (grown)
        b->planes = grown;
    for (size_t t = 0; done && t < b->group_count; t++)
        done = widen(&b->groups[t].Q, from, room);
    b->plane_room = room; /* after a failure only bundle_free may be called */
    return done ? TM_OK : tm_fail_memory(err, "labelings");
}

static bool is_known(const bundle *b, const labeling *yhat)
{
    for (size_t k = 0; k < b->plane_count; k++)
        if (same_labeling(&b->planes[k].yhat->value, yhat))
            return true;
    return false;
}

static tm_status add_plane(bundle *b, const labeling *yhat, solve_progress *progress, tm_error *err)
{
    tm_status status = reserve_planes(b, err);
    if (status != TM_OK)
        return status;
    bundle_plane *plane = &b->planes[b->plane_count];
    *plane =
        (bundle_plane){.yhat = share_copy(yhat), .a = mem_array(b->column_room, sizeof(double))};
    if (!plane->yhat || !plane->a) {
        free_plane(plane);
        return tm_fail_memory(err, "labelings");
    }
    b->plane_count++;
    find_a(b, plane, 0, progress);
    for (size_t t = 0; t < b->group_count; t++)
        fill_plane(b, &b->groups[t], b->plane_count - 1);
    return TM_OK;
}

/* Moves the last plane to the place of plane k. */
static void drop_plane(bundle *b, size_t k)
{
    size_t last = --b->plane_count, room = b->plane_room;
    free_plane(&b->planes[k]);
    b->planes[k] = b->planes[last];
    for (size_t t = 0; t < b->group_count; t++) {
        double *Q = b->groups[t].Q;
        memcpy(Q + k * room, Q + last * room, (last + 1) * sizeof *Q);
        Q[k * room + k] = Q[last * room + last];
        for (size_t i = 0; i < last; i++)
            Q[i * room + k] = Q[k * room + i];
    }
}

void bundle_drop_idle(bundle *b, double above_zero, int most_idle)
{
    double total = bundle_multiplier_sum(b);
    for (size_t k = 0; k < b->plane_count; k++) {
        bundle_plane *plane = &b->planes[k];
        plane->idle = plane->alpha > above_zero * total ? 0 : plane->idle + 1;
    }
    for (size_t k = b->plane_count; k-- > 0;)
        if (b->planes[k].idle > most_idle && b->plane_count > 1)
            drop_plane(b, k);
}

/* ---- risk ---------------------------------------------------------------------------------- */

void bundle_predict(bundle *b, const double *weights, solve_progress *progress)
{
    memset(b->v, 0, b->n * sizeof *b->v);
    for (size_t j = 0; j < b->column_count; j++)
        if (weights[j] != 0) {
            b->from.axpy(b->from.owner, j, weights[j], b->v);
            progress->columns++;
        }
    progress_work(progress, b->column_count * 64);
}

tm_status bundle_add_worst(bundle *b, double *risk, solve_progress *progress, tm_error *err)
{
    labeling worst = labeler_worst(b->labeler, b->v);
    *risk = fmax(labeling_value(&worst, b->v), 0) / (double)b->n;
    progress_work(progress, b->n * 8);
    if (is_known(b, &worst))
        return TM_OK;
    return add_plane(b, &worst, progress, err);
}

/* ---- data for a lower bound ---------------------------------------------------------------- */

void bundle_witness_free(bundle_witness *w)
{
    for (size_t k = 0; k < w->count; k++)
        release(w->held[k]);
    free(w->held);
    free(w->labelings);
    free(w->alpha);
    *w = (bundle_witness){0};
}

tm_status bundle_take_witness(const bundle *b, bundle_witness *out, tm_error *err)
{
    bundle_witness w = {.held = mem_array(b->plane_count, sizeof *w.held),
                        .labelings = mem_array(b->plane_count, sizeof *w.labelings),
                        .alpha = mem_array(b->plane_count, sizeof *w.alpha)};
    if (!w.held || !w.labelings || !w.alpha) {
        bundle_witness_free(&w);
        return tm_fail_memory(err, "labelings");
    }
    for (size_t k = 0; k < b->plane_count; k++) {
        if (!(b->planes[k].alpha > 0))
            continue;
        w.held[w.count] = b->planes[k].yhat;
        w.labelings[w.count] = b->planes[k].yhat->value;
        w.alpha[w.count++] = b->planes[k].alpha;
        b->planes[k].yhat->references++;
    }
    bundle_witness_free(out);
    *out = w;
    return TM_OK;
}

double bundle_combine(const bundle *b, double *s)
{
    double loss = 0;
    memset(s, 0, b->n * sizeof *s);
    for (size_t k = 0; k < b->plane_count; k++) {
        const labeling *yhat = &b->planes[k].yhat->value;
        double alpha = b->planes[k].alpha / (double)b->n;
        loss += alpha * yhat->loss;
        for (size_t e = 0; e < yhat->count; e++)
            s[yhat->rows[e]] += alpha * yhat->u[e];
    }
    return loss;
}

double bundle_multiplier_sum(const bundle *b)
{
    double sum = 0;
    for (size_t k = 0; k < b->plane_count; k++)
        sum += b->planes[k].alpha;
    return sum;
}
