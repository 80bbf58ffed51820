#include "model/penalty/rows_factor.h"

#include "base/memory.h"
#include "model/penalty/tuning.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rows_factor {
    const tm_graph *graph;
    size_t p, m, rank;
    double *qr;  /* p x m, column-major: R above, reflections below the diagonal */
    double *tau; /* min(p, m) */
    int *pivots; /* m: column k of R is term pivots[k], counted from 1 */
};

bool rows_factor_fits(const tm_graph *graph)
{
    size_t p = tm_graph_features(graph);
    return p <= MAX_DENSE && tm_graph_terms(graph) <= MAX_DENSE_ROWS * p;
}

void rows_factor_free(rows_factor *f)
{
    if (!f)
        return;
    free(f->qr);
    free(f->tau);
    free(f->pivots);
    free(f);
}

static void fill(rows_factor *f, const tm_graph *graph)
{
    for (size_t t = 0; t < f->m; t++) {
        const double *values;
        size_t count;
        const uint32_t *features = tm_graph_term(graph, t, &values, &count);
        for (size_t i = 0; i < count; i++)
            f->qr[t * f->p + features[i]] += values[i];
    }
}

/* LAPACKE would print where it has no memory; here and in multiply_q it is given. */
static bool find_reflections(rows_factor *f)
{
    lapack_int p = (lapack_int)f->p, m = (lapack_int)f->m;
    double room = 0;
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, p, m, f->qr, p, f->pivots, f->tau, &room, -1);
    double *work = mem_array((size_t)room, sizeof *work);
    bool done = work && LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, p, m, f->qr, p, f->pivots, f->tau,
                                            work, (lapack_int)room) == 0;
    free(work);
    return done;
}

static bool factorise(rows_factor *f)
{
    size_t least = f->p < f->m ? f->p : f->m, most = f->p + f->m - least;
    if (!find_reflections(f))
        return false;
    double limit = least > 0 ? RANK_LOST * DBL_EPSILON * (double)most * fabs(f->qr[0]) : 0;
    while (f->rank < least && fabs(f->qr[f->rank * (f->p + 1)]) > limit)
        f->rank++;
    return true;
}

rows_factor *rows_factor_new(const tm_graph *graph)
{
    rows_factor *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->graph = graph;
    f->p = tm_graph_features(graph);
    f->m = tm_graph_terms(graph);
    f->qr = mem_zeros(f->p * f->m, sizeof *f->qr);
    f->tau = mem_array(f->p < f->m ? f->p : f->m, sizeof *f->tau);
    f->pivots = mem_zeros(f->m, sizeof *f->pivots);
    if (f->qr && f->tau && f->pivots) {
        fill(f, graph);
        if (f->m == 0 || factorise(f))
            return f;
    }
    rows_factor_free(f);
    return NULL;
}

size_t rows_factor_null_count(const rows_factor *f)
{
    return f->p - f->rank;
}

/* Overwrites values (p) with Q values, or Q'values; false when memory ran out. */
static bool multiply_q(const rows_factor *f, char how, double *values, size_t columns)
{
    lapack_int p = (lapack_int)f->p, count = (lapack_int)columns, rank = (lapack_int)f->rank;
    if (rank == 0 || count == 0)
        return true;
    double room = 0;
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', how, p, count, rank, f->qr, p, f->tau, values, p,
                        &room, -1);
    double *work = mem_array((size_t)room, sizeof *work);
    bool done = work && LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', how, p, count, rank, f->qr, p,
                                            f->tau, values, p, work, (lapack_int)room) == 0;
    free(work);
    return done;
}

/* D w, with products and sums that lose nothing to a double. */
static void multiply_exactly(const rows_factor *f, const double *w, double *out)
{
    for (size_t k = 0; k < f->rank; k++) {
        const double *values;
        size_t count;
        long double sum = 0;
        const uint32_t *at = tm_graph_term(f->graph, (size_t)f->pivots[k] - 1, &values, &count);
        for (size_t i = 0; i < count; i++)
            sum += (long double)values[i] * w[at[i]];
        out[k] = (double)sum;
    }
}

/* Subtracts from w the shortest vector with the same D w: an error of Q is smooth where D is nearly
 * singular, so that it matters to what is nearly a multiple of w. `room`: p. */
static bool refine(const rows_factor *f, double *w, double *room)
{
    lapack_int p = (lapack_int)f->p, rank = (lapack_int)f->rank;
    for (int round = 0; rank > 0 && round < REFINEMENTS; round++) {
        memset(room, 0, f->p * sizeof *room);
        multiply_exactly(f, w, room);
        if (LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', rank, 1, f->qr, p, room, p) != 0 ||
            !multiply_q(f, 'N', room, 1))
            return false;
        for (size_t j = 0; j < f->p; j++)
            w[j] -= room[j];
    }
    return true;
}

double *rows_factor_null_space(const rows_factor *f)
{
    size_t count = rows_factor_null_count(f);
    double *basis = mem_zeros(f->p * count, sizeof *basis);
    double *room = mem_array(f->p, sizeof *room);
    bool made = basis && room;
    for (size_t k = 0; made && k < count; k++)
        basis[k * f->p + f->rank + k] = 1;
    made = made && multiply_q(f, 'N', basis, count);
    for (size_t k = 0; made && k < count; k++)
        made = refine(f, basis + k * f->p, room);
    free(room);
    if (made)
        return basis;
    free(basis);
    return NULL;
}

void rows_factor_solve(const rows_factor *f, double *rest, double *v)
{
    lapack_int p = (lapack_int)f->p, rank = (lapack_int)f->rank;
    if (rank == 0 || !multiply_q(f, 'T', rest, 1) ||
        LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, f->qr, p, rest, p) != 0)
        return;
    for (size_t k = 0; k < f->rank; k++)
        v[f->pivots[k] - 1] += rest[k];
}
