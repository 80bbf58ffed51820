#include "solve/l1/core/gram_factor.h"
#include "solve/l1/core/tuning.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* The lower triangle of G_SS, scaled to a unit diagonal so that badly scaled features do not look
 * dependent. */
static void load_matrix(set_problem *q, size_t count)
{
    for (size_t a = 0; a < count; a++)
        q->right[a] = 1 / gram_factor_norm(q, a);
    for (size_t b = 0; b < count; b++) {
        const double *column = gram_set_column(q, q->support[b]);
        for (size_t a = b; a < count; a++)
            q->matrix[b * count + a] = column[q->support[a]] * q->right[a] * q->right[b];
        if (q->p->ridge)
            q->matrix[b * count + b] = 1;
    }
}

/* Whether Cholesky without pivoting found all columns independent; its pivots are the factor's
 * diagonal. */
static bool factorise_unpivoted(set_problem *q, size_t count)
{
    lapack_int n = (lapack_int)count;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, q->matrix, n) != 0)
        return false;
    for (size_t a = 0; a < count; a++) {
        double pivot = q->matrix[a * count + a];
        if (!(pivot * pivot > DEPENDENT))
            return false;
    }
    return true;
}

size_t gram_factor_new(set_problem *q, size_t count, bool expect_dependent)
{
    lapack_int n = (lapack_int)count, rank = 0;
    load_matrix(q, count);
    if (!expect_dependent) {
        if (factorise_unpivoted(q, count))
            return count;
        load_matrix(q, count);
    }
    if (LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', n, q->matrix, n, q->order, &rank, DEPENDENT) < 0)
        return 0;
    for (size_t a = 0; a < count; a++)
        q->spare[a] = q->support[q->order[a] - 1];
    memcpy(q->support, q->spare, count * sizeof *q->support);
    return (size_t)rank;
}

bool gram_factor_solve(set_problem *q, size_t leading, size_t rank)
{
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= gram_factor_norm(q, a);
    lapack_int info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, 1, q->matrix,
                                          (lapack_int)leading, q->right, (lapack_int)rank);
    for (size_t a = 0; a < rank; a++)
        q->right[a] /= gram_factor_norm(q, a);
    return info == 0;
}

void gram_factor_remove(set_problem *q, size_t leading, size_t count, size_t gone)
{
    double *m = q->matrix;
    size_t below = (count - gone - 1) * sizeof *m;
    for (size_t b = 0; b < gone; b++)
        memmove(m + b * leading + gone, m + b * leading + gone + 1, below);
    for (size_t b = gone; b + 1 < count; b++) {
        double *column = m + b * leading + b + 1, *next = column + leading;
        double radius = hypot(*column, *next), c = *column / radius, s = *next / radius;
        cblas_drot((int)(count - b - 1), column, 1, next, 1, c, s);
        memmove(column - 1, column, (count - b - 1) * sizeof *m);
    }
    memmove(q->support + gone, q->support + gone + 1, (count - gone - 1) * sizeof *q->support);
}
