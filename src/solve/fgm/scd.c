/* The master problem over the planes by smoothing coordinate descent in the dual (MSLR algorithms
 * 2 and 3), for the logistic loss without an intercept:
 *
 *     min over 0 < alpha < C of  max_h |X_h'(alpha * y)|^2 / 2
 *         + sum_i alpha_i log alpha_i + (C - alpha_i) log(C - alpha_i)
 *
 * The maximum is smoothed to 1/q log sum_h exp(q .) with increasing q; the objective is minimised
 * over each alpha_i in turn by Newton's method safeguarded by bisection. All planes share c =
 * X'(alpha * y) on the cached columns; a plane keeps the sum of its squares. The weights of the
 * planes in the smoothed maximum, lambda_h, give the primal point w_h = lambda_h c_h.
 *
 * The sharper the maximum, the shorter the steps that one coordinate at a time can take along its
 * ridge (the rate of MSLR theorem 3 falls with q^3): q is increased only when passes at the present
 * q make no more progress, and when many passes in a row no longer lower the gap, the best point so
 * far is returned. */
#include "solve/fgm/fgm.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "solve/fgm/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cached columns in row-major (CSR) form. */
typedef struct cached_rows {
    uint64_t *starts; /* n + 1 */
    uint64_t *fill;   /* n: next free entry of each row during construction */
    size_t *columns;  /* one for each entry */
    double *values;
    uint64_t room;
} cached_rows;

/* For each cached column, the planes that contain it. */
typedef struct memberships {
    size_t *starts, *planes;
    size_t room;
} memberships;

typedef struct plane_values {
    double *squares; /* |c_h|^2 */
    double *a, *b;   /* curvature and derivative along a coordinate */
    double *lambda;  /* the plane's weight in the smoothed maximum */
    size_t room;
} plane_values;

typedef struct scd {
    size_t n, column_room;
    cached_rows rows;
    memberships planes_of;
    plane_values by_plane;
    double *alpha;              /* n */
    double *c;                  /* one for each cached column */
    double *weights, *z, *dual; /* the best primal point */
    double q;                   /* the q that the next solve starts with; 0: the first value */
    double C;                   /* the C that alpha belongs to; 0: there is no alpha yet */
} scd;

static tm_status init(void **work, const fgm_inner *inner, tm_error *err)
{
    scd *s = calloc(1, sizeof *s);
    *work = s;
    if (!s)
        return tm_fail_memory(err, "the master problem");
    s->n = inner->n;
    s->alpha = mem_array(s->n, sizeof *s->alpha);
    s->z = mem_array(2 * s->n, sizeof *s->z);
    s->rows.starts = mem_array(s->n + 1, sizeof *s->rows.starts);
    s->rows.fill = mem_array(s->n, sizeof *s->rows.fill);
    if (!s->alpha || !s->z || !s->rows.starts || !s->rows.fill)
        return tm_fail_memory(err, "the master problem");
    s->dual = s->z + s->n;
    return TM_OK;
}

static void finish(void *work)
{
    scd *s = work;
    if (!s)
        return;
    void *all[] = {s->rows.starts,
                   s->rows.fill,
                   s->rows.columns,
                   s->rows.values,
                   s->planes_of.starts,
                   s->planes_of.planes,
                   s->by_plane.squares,
                   s->by_plane.a,
                   s->by_plane.b,
                   s->by_plane.lambda,
                   s->alpha,
                   s->c,
                   s->weights,
                   s->z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(s);
}

/* ---- the cached columns in row-major form -------------------------------------------------- */

static bool resize(void **array, size_t count, size_t size)
{
    free(*array);
    *array = mem_array(count, size);
    return *array != NULL;
}

#define AGAIN(array, count) resize((void **)&(array), count, sizeof *(array))

static tm_status reserve(scd *s, const cutting_plane *cp, size_t of_count, tm_error *err)
{
    const feature_cache *cache = &cp->cache;
    uint64_t entries = 0;
    bool ok = true;
    for (size_t k = 0; k < cache->column_count; k++)
        entries += cache->columns[k].base != 0 ? s->n : cache->columns[k].count;
    if (entries > s->rows.room) {
        s->rows.room = 2 * entries;
        ok = AGAIN(s->rows.columns, s->rows.room) && AGAIN(s->rows.values, s->rows.room);
    }
    if (cache->column_count > s->column_room) {
        s->column_room = 2 * cache->column_count;
        ok = ok && AGAIN(s->c, s->column_room) && AGAIN(s->weights, s->column_room) &&
             AGAIN(s->planes_of.starts, s->column_room + 1);
    }
    if (of_count > s->planes_of.room) {
        s->planes_of.room = 2 * of_count;
        ok = ok && AGAIN(s->planes_of.planes, s->planes_of.room);
    }
    if (cp->plane_count > s->by_plane.room) {
        s->by_plane.room = 2 * cp->plane_count;
        ok = ok && AGAIN(s->by_plane.squares, s->by_plane.room) &&
             AGAIN(s->by_plane.a, s->by_plane.room) && AGAIN(s->by_plane.b, s->by_plane.room) &&
             AGAIN(s->by_plane.lambda, s->by_plane.room);
    }
    if (ok)
        return TM_OK;
    s->rows.room = 0;
    s->column_room = s->planes_of.room = s->by_plane.room = 0;
    return tm_fail_memory(err, "the master problem");
}

/* Calls use(row, value) for every nonzero entry of a column. */
static void each_entry(scd *s, const feature_cache *cache, size_t k,
                       void (*use)(scd *s, size_t row, size_t column, double value))
{
    const cached_column *c = &cache->columns[k];
    if (c->base == 0) {
        for (size_t e = 0; e < c->count; e++)
            if (c->values[e] != 0)
                use(s, c->rows ? c->rows[e] : e, k, c->values[e]);
        return;
    }
    for (size_t i = 0, e = 0; i < s->n; i++) {
        bool stored = e < c->count && c->rows[e] == i;
        double value = c->base + (stored ? c->values[e] : 0);
        e += stored;
        if (value != 0)
            use(s, i, k, value);
    }
}

static void count_entry(scd *s, size_t row, size_t column, double value)
{
    (void)column;
    (void)value;
    s->rows.starts[row + 1]++;
}

static void put_entry(scd *s, size_t row, size_t column, double value)
{
    s->rows.columns[s->rows.fill[row]] = column;
    s->rows.values[s->rows.fill[row]++] = value;
}

static void sort_by_row(scd *s, const feature_cache *cache)
{
    memset(s->rows.starts, 0, (s->n + 1) * sizeof *s->rows.starts);
    for (size_t k = 0; k < cache->column_count; k++)
        each_entry(s, cache, k, count_entry);
    for (size_t i = 0; i < s->n; i++)
        s->rows.starts[i + 1] += s->rows.starts[i];
    memcpy(s->rows.fill, s->rows.starts, s->n * sizeof *s->rows.fill);
    for (size_t k = 0; k < cache->column_count; k++)
        each_entry(s, cache, k, put_entry);
}

/* Lists the planes of each cached column. */
static void sort_planes(scd *s, const cutting_plane *cp)
{
    size_t columns = cp->cache.column_count;
    memset(s->planes_of.starts, 0, (columns + 1) * sizeof *s->planes_of.starts);
    for (int filling = 0; filling < 2; filling++) {
        for (size_t h = 0; h < cp->plane_count; h++)
            for (size_t u = 0; u < cp->planes[h].count; u++) {
                const cached_unit *unit = &cp->cache.units[cp->planes[h].units[u]];
                for (size_t k = unit->from; k < unit->from + unit->count; k++)
                    if (filling)
                        s->planes_of.planes[s->planes_of.starts[k]++] = h;
                    else
                        s->planes_of.starts[k + 1]++;
            }
        if (!filling)
            for (size_t k = 0; k < columns; k++)
                s->planes_of.starts[k + 1] += s->planes_of.starts[k];
    }
    memmove(s->planes_of.starts + 1, s->planes_of.starts, columns * sizeof *s->planes_of.starts);
    s->planes_of.starts[0] = 0;
}

/* Computes c and the planes' squared norms from alpha. */
static void find_products(scd *s, const cutting_plane *cp, const double *y)
{
    memset(s->by_plane.squares, 0, cp->plane_count * sizeof *s->by_plane.squares);
    memset(s->c, 0, cp->cache.column_count * sizeof *s->c);
    for (size_t i = 0; i < s->n; i++)
        for (uint64_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++)
            s->c[s->rows.columns[e]] += s->alpha[i] * y[i] * s->rows.values[e];
    for (size_t k = 0; k < cp->cache.column_count; k++)
        for (size_t o = s->planes_of.starts[k]; o < s->planes_of.starts[k + 1]; o++)
            s->by_plane.squares[s->planes_of.planes[o]] += s->c[k] * s->c[k];
}

/* ---- one coordinate ------------------------------------------------------------------------ */

typedef struct slopes {
    double first, second;
} slopes;

/* Derivatives of the smoothed maximum in z; stores the planes' weights in lambda. */
static slopes max_slopes(scd *s, size_t planes, double q, double z)
{
    double most = -INFINITY, sum = 0, first = 0, second = 0, squares = 0;
    for (size_t h = 0; h < planes; h++) {
        s->by_plane.lambda[h] =
            q * (s->by_plane.squares[h] / 2 + z * (s->by_plane.b[h] + z * s->by_plane.a[h] / 2));
        most = fmax(most, s->by_plane.lambda[h]);
    }
    for (size_t h = 0; h < planes; h++)
        sum += s->by_plane.lambda[h] = exp(s->by_plane.lambda[h] - most);
    for (size_t h = 0; h < planes; h++) {
        double slope = s->by_plane.a[h] * z + s->by_plane.b[h];
        s->by_plane.lambda[h] /= sum;
        first += s->by_plane.lambda[h] * slope;
        second += s->by_plane.lambda[h] * s->by_plane.a[h];
        squares += s->by_plane.lambda[h] * slope * slope;
    }
    return (slopes){first, second + q * fmax(squares - first * first, 0)};
}

/* The z that minimises over alpha_i + z (MSLR algorithm 3). The search variable is the distance Z
 * from the end of [0, C] that is nearer to the solution, so that the logarithm of a small distance
 * is not lost to rounding. */
static double best_move(scd *s, size_t planes, double q, double alpha, double C)
{
    double middle = C / 2 - alpha;
    bool low_end = max_slopes(s, planes, q, middle).first >= 0; /* the entropy's derivative, log(1),
                                                                 * is 0 there */
    double least = 0, most = C / 2, Z = low_end ? alpha : C - alpha;
    if (!(Z < most))
        Z = C / 4;
    for (int step = 0; step < MAX_ROOT_STEPS; step++) {
        double z = low_end ? Z - alpha : C - alpha - Z;
        slopes p = max_slopes(s, planes, q, z);
        double first = log(Z / (C - Z)) + (low_end ? p.first : -p.first);
        double second = C / (Z * (C - Z)) + p.second;
        double d = -first / second;
        *(d > 0 ? &least : &most) = Z;
        double next = Z + d;
        if (!(next > least) || !(next < most))
            next = least + (most - least) / 2;
        bool done = fabs(next - Z) <= ROOT_WIDTH * Z; /* the next pass changes it again */
        Z = next;
        if (done)
            break;
    }
    return low_end ? Z - alpha : C - alpha - Z;
}

static void move_coordinate(scd *s, size_t planes, double q, double C, double y, size_t i)
{
    memset(s->by_plane.a, 0, planes * sizeof *s->by_plane.a);
    memset(s->by_plane.b, 0, planes * sizeof *s->by_plane.b);
    for (uint64_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++) {
        size_t k = s->rows.columns[e];
        double x = s->rows.values[e];
        for (size_t o = s->planes_of.starts[k]; o < s->planes_of.starts[k + 1]; o++) {
            s->by_plane.a[s->planes_of.planes[o]] += x * x;
            s->by_plane.b[s->planes_of.planes[o]] += y * x * s->c[k];
        }
    }
    double z = best_move(s, planes, q, s->alpha[i], C);
    s->alpha[i] = fmin(fmax(s->alpha[i] + z, C * LEAST_ALPHA), C * MOST_ALPHA);
    for (uint64_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++)
        s->c[s->rows.columns[e]] += z * y * s->rows.values[e];
    for (size_t h = 0; h < planes; h++)
        s->by_plane.squares[h] =
            fmax(s->by_plane.squares[h] + z * (2 * s->by_plane.b[h] + z * s->by_plane.a[h]), 0);
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* The gap of the master problem at the primal point given by the planes' weights, in two parts: the
 * smoothing error, which a greater q lowers, and the slack of the Fenchel-Young inequality of each
 * row, which more passes lower. */
typedef struct gap_parts {
    double whole, smoothing;
} gap_parts;

static gap_parts find_gap(scd *s, const fgm_inner *inner, const cutting_plane *cp, double q)
{
    size_t planes = cp->plane_count;
    double most = 0, norms = 0, mean = 0, C = inner->problem.C, none = 0;
    memset(s->by_plane.a, 0, planes * sizeof *s->by_plane.a);
    memset(s->by_plane.b, 0, planes * sizeof *s->by_plane.b);
    max_slopes(s, planes, q, 0);
    for (size_t h = 0; h < planes; h++) {
        most = fmax(most, s->by_plane.squares[h]);
        mean += s->by_plane.lambda[h] * s->by_plane.squares[h];
        norms += s->by_plane.lambda[h] * sqrt(s->by_plane.squares[h]);
    }
    for (size_t k = 0; k < cp->cache.column_count; k++) {
        double share = 0;
        for (size_t o = s->planes_of.starts[k]; o < s->planes_of.starts[k + 1]; o++)
            share += s->by_plane.lambda[s->planes_of.planes[o]];
        s->weights[k] = share * s->c[k];
    }
    fgm_predict(cp, s->weights, s->z);
    double upper = norms * norms / 2 + fgm_loss(inner, s->z, &none, NULL);
    for (size_t i = 0; i < s->n; i++)
        s->dual[i] = s->alpha[i] * inner->y[i] / C;
    double lower = feature_dual(&inner->problem, inner->l, inner->y, s->dual, s->n, most / (C * C));
    return (gap_parts){upper - lower, (most + norms * norms) / 2 - mean};
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* Warm start of the dual variables: for another C they are scaled by the ratio of both. At the
 * first call they are those of the present weights. */
static void begin_at(scd *s, const fgm_inner *inner, const cutting_plane *cp)
{
    double C = inner->problem.C, none = 0;
    if (s->C == 0) {
        fgm_predict(cp, cp->weights, s->z);
        fgm_loss(inner, s->z, &none, s->dual);
    }
    for (size_t i = 0; i < s->n; i++) {
        double share = s->C == 0 ? inner->y[i] * s->dual[i] : s->alpha[i] / s->C;
        s->alpha[i] = C * fmin(fmax(share, FIRST_SHARE), 1 - FIRST_SHARE);
    }
    s->C = C;
}

static tm_status take_planes(scd *s, const fgm_inner *inner, cutting_plane *cp, tm_error *err)
{
    size_t of_count = 0;
    for (size_t h = 0; h < cp->plane_count; h++)
        of_count += cp->planes[h].columns;
    tm_status status = reserve(s, cp, of_count, err);
    if (status != TM_OK)
        return status;
    sort_by_row(s, &cp->cache);
    sort_planes(s, cp);
    begin_at(s, inner, cp);
    return TM_OK;
}

static void pass(scd *s, const fgm_inner *inner, const cutting_plane *cp, double q,
                 solve_progress *progress)
{
    find_products(s, cp, inner->y); /* recomputed, so that rounding errors do not accumulate */
    for (size_t i = 0; i < s->n && !progress->stopped; i++) {
        move_coordinate(s, cp->plane_count, q, inner->problem.C, inner->y[i], i);
        progress_work(progress,
                      3 * (s->rows.starts[i + 1] - s->rows.starts[i]) + 60 * cp->plane_count);
    }
    progress->updates += s->n;
}

/* Passes over all coordinates until the gap is at most `target` or decreases no more; cp->weights
 * receives the weights of the best primal point. Increases q when the smoothing contributes the
 * greater part of the gap. */
static void descend(scd *s, fgm_inner *inner, cutting_plane *cp, double target,
                    solve_progress *progress)
{
    double least = INFINITY, asked = INFINITY, q = s->q > 0 ? s->q : FIRST_Q;
    for (int idle = 0; idle < MAX_IDLE && inner->iterations_left > 0 && !progress->stopped;
         inner->iterations_left--) {
        pass(s, inner, cp, q, progress);
        gap_parts gap = find_gap(s, inner, cp, q);
        if (gap.whole < least) {
            least = gap.whole;
            memcpy(cp->weights, s->weights, cp->cache.column_count * sizeof *cp->weights);
        }
        if (gap.whole <= target)
            break;
        idle = least < WORTHWHILE * asked ? 0 : idle + 1;
        asked = idle == 0 ? least : asked;
        if (2 * gap.smoothing > gap.whole)
            q *= Q_GROWTH;
    }
    s->q = q / Q_GROWTH;
}

static tm_status solve(void *work, fgm_inner *inner, cutting_plane *cp, double target,
                       solve_progress *progress, tm_error *err)
{
    scd *s = work;
    if (cp->plane_count == 0)
        return TM_OK;
    tm_status status = take_planes(s, inner, cp, err);
    if (status == TM_OK)
        descend(s, inner, cp, target, progress);
    return status;
}

const fgm_master fgm_scd = {"scd", false, false, LOSS_LOGISTIC, init, solve, finish};
