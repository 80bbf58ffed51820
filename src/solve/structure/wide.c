#include "solve/structure/wide.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/structure/tuning.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct listed_rows {
    size_t *starts;
    uint32_t *cols;
    double *values;
} listed_rows;

struct wide_system {
    const tm_matrix *x; /* NULL: the identity */
    size_t n, p, band;
    wide_rows terms;
    bool direct; /* the rows of X are in the band */
    bool intercept;
    uint32_t *place;           /* p: where each feature is in the order of the band */
    listed_rows listed;        /* the rows of X, if direct */
    const double *h, *weights; /* of the last factorisation */
    double *matrix;            /* (band + 1) x p */
    double *rows;              /* p x n: rows of sqrt(H) X, and of the band's inverse times them */
    double *solved, *core;     /* p x n; n x n */
    double *border, *pull;     /* p: X'h, and the inverse times it */
    double corner;             /* what is left of sum h for the intercept */
    double *scratch;           /* 5 p + 2 n */
};

void wide_free(wide_system *s)
{
    if (!s)
        return;
    free(s->place);
    free(s->listed.starts);
    free(s->listed.cols);
    free(s->listed.values);
    free(s->matrix);
    free(s->rows);
    free(s->solved);
    free(s->core);
    free(s->border);
    free(s->scratch);
    free(s);
}

/* ---- rows of X ------------------------------------------------------------------------------- */

/* The rows of a sparse X, when none has many entries. */
static bool list_rows(wide_system *s)
{
    if (!s->x || !tm_matrix_is_sparse(s->x))
        return true;
    double dummy;
    const uint32_t *rows;
    const double *values;
    size_t *starts = mem_zeros(s->n + 2, sizeof *starts), most = 0;
    s->listed.cols = mem_array(tm_matrix_nnz(s->x), sizeof *s->listed.cols);
    s->listed.values = mem_array(tm_matrix_nnz(s->x), sizeof *s->listed.values);
    s->listed.starts = starts;
    if (!starts || !s->listed.cols || !s->listed.values)
        return false;
    for (size_t j = 0; j < s->p; j++) {
        size_t count = tm_matrix_entries(s->x, j, &dummy, &rows, &values);
        for (size_t k = 0; k < count; k++)
            if (++starts[rows[k] + 2] > most)
                most = starts[rows[k] + 2];
    }
    for (size_t i = 0; i < s->n; i++)
        starts[i + 2] += starts[i + 1];
    for (size_t j = 0; j < s->p; j++) {
        size_t count = tm_matrix_entries(s->x, j, &dummy, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            s->listed.cols[starts[rows[k] + 1]] = (uint32_t)j;
            s->listed.values[starts[rows[k] + 1]++] = values[k];
        }
    }
    s->direct = most <= MAX_ROW_ENTRIES;
    return true;
}

static wide_rows direct_rows(const wide_system *s)
{
    return (wide_rows){s->direct && s->x ? s->n : 0, s->listed.starts, s->listed.cols,
                       s->listed.values};
}

/* ---- the order of the features --------------------------------------------------------------- */

static size_t rows_band(const wide_rows *t, const uint32_t *place)
{
    size_t band = 0;
    for (size_t k = 0; k < t->count; k++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++) {
            uint32_t at = place[t->cols[i]];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        if (least < most && most - least > band)
            band = most - least;
    }
    return band;
}

/* The rows that each feature stands in; rows of the terms first, then those of X. */
typedef struct incidence {
    wide_rows of[2];
    size_t *starts, *at;
    unsigned char *visited; /* rows */
} incidence;

static bool find_incidence(incidence *t, const wide_system *s)
{
    t->of[0] = s->terms;
    t->of[1] = direct_rows(s);
    size_t rows = t->of[0].count + t->of[1].count, entries = 0;
    for (size_t f = 0; f < 2; f++)
        entries += t->of[f].count ? t->of[f].starts[t->of[f].count] : 0;
    t->starts = mem_zeros(s->p + 2, sizeof *t->starts);
    t->at = mem_array(entries, sizeof *t->at);
    t->visited = mem_zeros(rows, 1);
    if (!t->starts || !t->at || !t->visited)
        return false;
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; t->of[f].count && i < t->of[f].starts[t->of[f].count]; i++)
            t->starts[t->of[f].cols[i] + 2]++;
    for (size_t j = 0; j < s->p; j++)
        t->starts[j + 2] += t->starts[j + 1];
    for (size_t f = 0; f < 2; f++)
        for (size_t k = 0; k < t->of[f].count; k++)
            for (size_t i = t->of[f].starts[k]; i < t->of[f].starts[k + 1]; i++)
                t->at[t->starts[t->of[f].cols[i] + 1]++] = k + f * t->of[0].count;
    return true;
}

/* Breadth-first order from feature `from`; returns how many features were found. */
static size_t spread(incidence *t, uint32_t from, uint32_t *order, unsigned char *found)
{
    size_t count = 0;
    order[count++] = from;
    found[from] = 1;
    for (size_t next = 0; next < count; next++)
        for (size_t r = t->starts[order[next]]; r < t->starts[order[next] + 1]; r++) {
            size_t row = t->at[r], f = row >= t->of[0].count;
            if (t->visited[row])
                continue;
            t->visited[row] = 1;
            const wide_rows *of = &t->of[f];
            size_t k = row - f * t->of[0].count;
            for (size_t i = of->starts[k]; i < of->starts[k + 1]; i++)
                if (!found[of->cols[i]]) {
                    found[of->cols[i]] = 1;
                    order[count++] = of->cols[i];
                }
        }
    return count;
}

/* Cuthill and McKee's order: breadth first, from a feature that is far from others; the second
 * search begins where the first ended. */
static bool find_order(wide_system *s)
{
    incidence t = {0};
    uint32_t *order = mem_array(s->p, sizeof *order);
    unsigned char *found = mem_zeros(s->p, 1);
    bool enough = order && found && find_incidence(&t, s);
    size_t done = 0, rows = enough ? t.of[0].count + t.of[1].count : 0;
    for (size_t j = 0; enough && j < s->p; j++)
        if (!found[j])
            done += spread(&t, (uint32_t)j, order + done, found);
    uint32_t *second = s->place; /* place[] is set only at the end */
    if (enough) {
        memset(found, 0, s->p);
        memset(t.visited, 0, rows);
        done = 0;
    }
    for (size_t k = s->p; enough && k-- > 0;)
        if (!found[order[k]])
            done += spread(&t, order[k], second + done, found);
    if (enough) {
        memcpy(order, second, s->p * sizeof *order);
        for (size_t k = 0; k < s->p; k++)
            s->place[order[k]] = (uint32_t)k;
    }
    free(order);
    free(found);
    free(t.starts);
    free(t.at);
    free(t.visited);
    return enough;
}

static size_t band_of(const wide_system *s)
{
    wide_rows x = direct_rows(s);
    size_t terms = rows_band(&s->terms, s->place), rows = rows_band(&x, s->place);
    return terms > rows ? terms : rows;
}

/* The order of the data, unless another has a narrower band. */
static bool choose_order(wide_system *s)
{
    for (size_t j = 0; j < s->p; j++)
        s->place[j] = (uint32_t)j;
    s->band = band_of(s);
    size_t given = s->band;
    if (given <= NARROW)
        return true;
    if (!find_order(s))
        return false;
    s->band = band_of(s);
    for (size_t j = 0; given <= s->band && j < s->p; j++)
        s->place[j] = (uint32_t)j;
    s->band = given <= s->band ? given : s->band;
    return true;
}

/* ---- construction ---------------------------------------------------------------------------- */

static bool fits(size_t count, size_t length)
{
    return count == 0 || length <= WIDE_ROOM / count;
}

static tm_status allocate(wide_system *s, tm_error *err)
{
    size_t p = s->p, n = s->n;
    if (!fits(p, s->band + 1))
        return tm_fail(err, TM_EUSAGE,
                       "the terms of D join features up to %zu places apart in the best order "
                       "found, too far for %zu features",
                       s->band, p);
    if (!s->direct && (!fits(p, n) || !fits(n, n)))
        return tm_fail(err, TM_EUSAGE,
                       "terms that are not edges of a graph, with rows of X that have more than "
                       "%d entries, may have at most %zu values of X, not %zu x %zu",
                       MAX_ROW_ENTRIES, WIDE_ROOM, n, p);
    s->matrix = mem_array(p, (s->band + 1) * sizeof *s->matrix);
    s->border = mem_zeros(2 * p, sizeof *s->border);
    s->scratch = mem_zeros(5 * p + 2 * n, sizeof *s->scratch);
    bool enough = s->matrix && s->border && s->scratch;
    s->pull = s->border + p;
    if (enough && !s->direct) {
        s->rows = mem_array(p, n * sizeof *s->rows);
        s->solved = mem_array(p, n * sizeof *s->solved);
        s->core = mem_array(n, n * sizeof *s->core);
        enough = s->rows && s->solved && s->core;
    }
    return enough ? TM_OK : tm_fail_memory(err, "the normal equations");
}

tm_status wide_new(wide_system **out, const tm_matrix *x, size_t n, size_t p,
                   const wide_rows *terms, tm_error *err)
{
    wide_system *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return tm_fail_memory(err, "the normal equations");
    s->x = x;
    s->n = n;
    s->p = p;
    s->terms = *terms;
    s->direct = !x;
    s->place = mem_array(p, sizeof *s->place);
    tm_status status = s->place && list_rows(s) && choose_order(s)
                           ? TM_OK
                           : tm_fail_memory(err, "the normal equations");
    if (status == TM_OK)
        status = allocate(s, err);
    if (status == TM_OK)
        *out = s;
    else
        wide_free(s);
    return status;
}

/* ---- products -------------------------------------------------------------------------------- */

void wide_multiply(const wide_system *s, const double *c, double *z)
{
    for (size_t j = 0; j < s->p; j++) {
        if (c[j] == 0)
            continue;
        if (s->x)
            tm_matrix_axpy(s->x, j, c[j], z);
        else
            z[j] += c[j];
    }
}

void wide_transposed(const wide_system *s, const double *a, double *out)
{
    if (s->x)
        tm_matrix_dot_range(s->x, 0, s->p, a, out);
    else
        memcpy(out, a, s->p * sizeof *out);
}

/* out = (X'HX + D'WD) c, features in the data's order. */
static void multiply_all(wide_system *s, const double *c, double *out)
{
    const wide_rows *t = &s->terms;
    double *z = s->scratch + 5 * s->p;
    memset(z, 0, s->n * sizeof *z);
    wide_multiply(s, c, z);
    for (size_t i = 0; i < s->n; i++)
        z[i] *= s->h[i];
    wide_transposed(s, z, out);
    for (size_t k = 0; k < t->count; k++) {
        double sum = 0;
        for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
            sum += t->values[i] * c[t->cols[i]];
        sum /= s->weights[k];
        for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
            out[t->cols[i]] += sum * t->values[i];
    }
}

/* ---- the factor ------------------------------------------------------------------------------ */

static void add_row(wide_system *s, const wide_rows *t, size_t k, double scale)
{
    for (size_t i = t->starts[k]; i < t->starts[k + 1]; i++)
        for (size_t l = t->starts[k]; l < t->starts[k + 1]; l++) {
            size_t row = s->place[t->cols[i]], col = s->place[t->cols[l]];
            if (row >= col)
                s->matrix[col * (s->band + 1) + row - col] += scale * t->values[i] * t->values[l];
        }
}

static void fill_band(wide_system *s)
{
    wide_rows x = direct_rows(s);
    memset(s->matrix, 0, s->p * (s->band + 1) * sizeof *s->matrix);
    for (size_t k = 0; k < s->terms.count; k++)
        add_row(s, &s->terms, k, 1 / s->weights[k]);
    for (size_t i = 0; i < x.count; i++)
        add_row(s, &x, i, s->h[i]);
    for (size_t j = 0; !s->x && j < s->p; j++)
        s->matrix[s->place[j] * (s->band + 1)] += s->h[j];
}

/* Rows that are not in the band, scaled; the mean of their squares for each feature. */
static double fill_rows(wide_system *s)
{
    double sum = 0;
    for (size_t j = 0; j < s->p; j++) {
        double *column = s->scratch + 5 * s->p;
        tm_matrix_column(s->x, j, column);
        for (size_t i = 0; i < s->n; i++) {
            double value = sqrt(s->h[i]) * column[i];
            s->rows[i * s->p + s->place[j]] = value;
            sum += value * value;
        }
    }
    return sum / (double)s->p;
}

static void solve_band(const wide_system *s, double *right, size_t count)
{
    LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)s->p, (lapack_int)s->band,
                        (lapack_int)count, s->matrix, (lapack_int)s->band + 1, right,
                        (lapack_int)s->p);
}

static bool factorise_core(wide_system *s)
{
    memcpy(s->solved, s->rows, s->p * s->n * sizeof *s->solved);
    solve_band(s, s->solved, s->n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)s->n, (int)s->n, (int)s->p, 1,
                s->rows, (int)s->p, s->solved, (int)s->p, 0, s->core, (int)s->n);
    for (size_t i = 0; i < s->n; i++)
        s->core[i * (s->n + 1)] += 1;
    return normal_factorise(s->core, s->n);
}

/* An approximate solution; `right` and `out` in the data's order. */
static void precondition(wide_system *s, const double *right, double *out)
{
    double *inner = s->scratch + 4 * s->p, *rest = s->scratch + 5 * s->p + s->n;
    for (size_t j = 0; j < s->p; j++)
        inner[s->place[j]] = right[j];
    solve_band(s, inner, 1);
    if (!s->direct) {
        for (size_t j = 0; j < s->p; j++)
            out[s->place[j]] = right[j];
        cblas_dgemv(CblasColMajor, CblasTrans, (int)s->p, (int)s->n, 1, s->solved, (int)s->p, out,
                    1, 0, rest, 1);
        normal_solve(s->core, s->n, rest);
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->p, (int)s->n, -1, s->solved, (int)s->p,
                    rest, 1, 1, inner, 1);
    }
    for (size_t j = 0; j < s->p; j++)
        out[j] = inner[s->place[j]];
}

static double dot(const double *a, const double *b, size_t count)
{
    return cblas_ddot((int)count, a, 1, b, 1);
}

/* Conjugate gradients, preconditioned by the factor: a few steps, of which the first is nearly
 * enough. Overwrites `right`. */
static void solve_features(wide_system *s, double *right)
{
    size_t p = s->p;
    double *x = s->scratch, *z = x + p, *d = z + p, *product = d + p;
    double first = dot(right, right, p), before = 0;
    memset(x, 0, p * sizeof *x);
    for (int step = 0; step < MAX_CORRECTIONS && first > 0; step++) {
        precondition(s, right, z);
        double now = dot(right, z, p);
        if (!(now > 0))
            break;
        for (size_t j = 0; j < p; j++)
            d[j] = z[j] + (step > 0 ? now / before * d[j] : 0);
        multiply_all(s, d, product);
        double curvature = dot(d, product, p);
        if (!(curvature > 0))
            break;
        cblas_daxpy((int)p, now / curvature, d, 1, x, 1);
        cblas_daxpy((int)p, -now / curvature, product, 1, right, 1);
        before = now;
        if (dot(right, right, p) <= CORRECTED * CORRECTED * first)
            break;
    }
    memcpy(right, x, p * sizeof *x);
}

/* The intercept as one more row and column. */
static void find_border(wide_system *s)
{
    double total = 0;
    for (size_t i = 0; i < s->n; i++)
        total += s->h[i];
    wide_transposed(s, s->h, s->border);
    memcpy(s->pull, s->border, s->p * sizeof *s->pull);
    solve_features(s, s->pull);
    s->corner = fmax(total - dot(s->border, s->pull, s->p), CORNER * total);
}

bool wide_factorise(wide_system *s, const double *h, const double *weights, bool intercept)
{
    double greatest = 0, more = 0;
    s->h = h;
    s->weights = weights;
    s->intercept = intercept;
    double mean = s->direct ? 0 : fill_rows(s);
    for (int round = 0; round < MAX_WIDE_SHIFTS; round++, more = fmax(100 * more, MIN_SHIFT)) {
        fill_band(s);
        for (size_t j = 0; j < s->p; j++)
            greatest = fmax(greatest, s->matrix[j * (s->band + 1)]);
        double shift = more * greatest + (s->direct ? 0 : ROW_SHIFT * mean);
        for (size_t j = 0; j < s->p; j++)
            s->matrix[j * (s->band + 1)] += shift;
        if (!isfinite(greatest) || (!(greatest > 0) && !(shift > 0)))
            return false;
        if (LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)s->p, (lapack_int)s->band,
                                s->matrix, (lapack_int)s->band + 1) != 0)
            continue;
        if (!s->direct && !factorise_core(s))
            continue;
        if (intercept)
            find_border(s);
        return true;
    }
    return false;
}

void wide_solve(wide_system *s, double *right)
{
    solve_features(s, right);
    if (!s->intercept)
        return;
    double *b = right + s->p; /* border'(inverse r) = pull'r, from the solution */
    *b = s->corner > 0 ? (*b - dot(s->border, right, s->p)) / s->corner : 0;
    cblas_daxpy((int)s->p, -*b, s->pull, 1, right, 1);
}

uint64_t wide_work(const wide_system *s)
{
    uint64_t band = s->band + 1, rows = s->direct ? 0 : s->n;
    return s->p * (band * band + 2 * rows * band + rows * rows);
}
