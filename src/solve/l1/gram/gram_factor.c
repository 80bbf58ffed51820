#include "solve/l1/gram/gram_factor.h"

#include "base/memory.h"
#include "base/numeric/cholesky.h"
#include "solve/l1/gram/tuning.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

gram_factor *gram_factor_open(void)
{
    return calloc(1, sizeof(gram_factor));
}

void gram_factor_free(gram_factor *factor)
{
    if (!factor)
        return;
    free(factor->matrix);
    free(factor->support);
    free(factor);
}

void gram_factor_forget(gram_factor *factor)
{
    factor->count = 0;
}

tm_status gram_factor_reserve(gram_factor *factor, size_t most, tm_error *err)
{
    if (most <= factor->leading)
        return TM_OK;
    /* The sets of the problems that follow are often a little larger. */
    size_t leading = factor->leading == 0 ? most : most + most / 4;
    double *matrix = mem_array(leading * leading, sizeof *matrix);
    size_t *support = realloc(factor->support, leading * sizeof *support);
    if (support)
        factor->support = support;
    if (!matrix || !support) {
        free(matrix);
        return tm_fail_memory(err, "the working set");
    }
    for (size_t b = 0; b < factor->count; b++)
        memcpy(matrix + b * leading, factor->matrix + b * factor->leading,
               factor->count * sizeof *matrix);
    free(factor->matrix);
    factor->matrix = matrix;
    factor->leading = leading;
    return TM_OK;
}

/* ---- a new factor -------------------------------------------------------------------------- */

/* The entries of column b of the scaled matrix from row `from` on, where q->right holds the inverse
 * lengths: scaled to a unit diagonal, badly scaled features do not look dependent. */
static void load_entries(set_problem *q, size_t b, size_t from, size_t to)
{
    const gram_factor *f = q->factor;
    const double *column = gram_set_column(q, f->support[b]);
    double *out = f->matrix + b * f->leading;
    for (size_t a = from; a < to; a++)
        out[a] = column[f->support[a]] * q->right[a] * q->right[b];
    if (q->p->ridge && b >= from && b < to)
        out[b] = 1;
}

static void load_lengths(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = 1 / gram_factor_norm(q, a);
}

static void load_matrix(set_problem *q, size_t count)
{
    load_lengths(q, count);
    for (size_t b = 0; b < count; b++)
        load_entries(q, b, b, count);
}

/* Cholesky without pivoting of the features from place `from` to `to`: whether all columns are
 * independent; its pivots are the factor's diagonal. */
static bool factorise_unpivoted(set_problem *q, size_t from, size_t to)
{
    const gram_factor *f = q->factor;
    double *block = f->matrix + from * f->leading + from;
    lapack_int n = (lapack_int)(to - from), leading = (lapack_int)f->leading;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, block, leading) != 0)
        return false;
    for (size_t a = 0; a < to - from; a++) {
        double pivot = block[a * f->leading + a];
        if (!(pivot * pivot > DEPENDENT))
            return false;
    }
    return true;
}

size_t gram_factor_new(set_problem *q, size_t count, bool expect_dependent)
{
    gram_factor *f = q->factor;
    lapack_int n = (lapack_int)count, rank = 0;
    f->count = 0;
    load_matrix(q, count);
    if (!expect_dependent) {
        if (factorise_unpivoted(q, 0, count))
            return f->count = count;
        load_matrix(q, count);
    }
    if (LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, f->matrix, (lapack_int)f->leading, q->order,
                            &rank, DEPENDENT, q->pivoting) < 0)
        return 0;
    for (size_t a = 0; a < count; a++)
        q->spare[a] = f->support[q->order[a] - 1];
    memcpy(f->support, q->spare, count * sizeof *f->support);
    return f->count = (size_t)rank;
}

/* ---- its use and its changes --------------------------------------------------------------- */

bool gram_factor_solve(set_problem *q)
{
    const gram_factor *f = q->factor;
    for (size_t a = 0; a < f->count; a++)
        q->right[a] /= gram_factor_norm(q, a);
    bool solved = cholesky_solve(f->matrix, f->count, f->leading, q->right);
    for (size_t a = 0; a < f->count; a++)
        q->right[a] /= gram_factor_norm(q, a);
    return solved;
}

void gram_factor_remove(set_problem *q, size_t gone)
{
    gram_factor *f = q->factor;
    double *m = f->matrix;
    size_t below = (f->count - gone - 1) * sizeof *m;
    for (size_t b = 0; b < gone; b++)
        memmove(m + b * f->leading + gone, m + b * f->leading + gone + 1, below);
    for (size_t b = gone; b + 1 < f->count; b++) {
        double *column = m + b * f->leading + b + 1, *next = column + f->leading;
        double radius = hypot(*column, *next), c = *column / radius, s = *next / radius;
        cblas_drot((int)(f->count - b - 1), column, 1, next, 1, c, s);
        memmove(column - 1, column, (f->count - b - 1) * sizeof *m);
    }
    f->count--;
    memmove(f->support + gone, f->support + gone + 1, (f->count - gone) * sizeof *f->support);
}

/* With [L11 0; L21 L22] the factor of [G11 .; G21 G22]: L21 = G21 L11^-T, and L22 is the factor of
 * G22 - L21 L21'. */
bool gram_factor_append(set_problem *q, size_t more)
{
    gram_factor *f = q->factor;
    size_t count = f->count, all = count + more;
    double *l21 = f->matrix + count, *l22 = l21 + count * f->leading;
    load_lengths(q, all);
    for (size_t b = 0; b < all; b++)
        load_entries(q, b, b < count ? count : b, all);
    int rows = (int)more, inner = (int)count, leading = (int)f->leading;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, inner, 1,
                f->matrix, leading, l21, leading);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, inner, -1, l21, leading, 1, l22,
                leading);
    if (!factorise_unpivoted(q, count, all))
        return false;
    f->count = all;
    return true;
}
