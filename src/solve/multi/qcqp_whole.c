/* A step of the small problem computed from the whole system.
 *
 * Eliminating theta and the multipliers adds nu/rest to every entry of the matrix. When the sum of
 * beta is at its bound, this term dominates and the digits of the others are lost. The system
 * before the elimination,
 *
 *     H + lambda/beta    0      g'       1        of beta
 *           0            0     -1'       0        of theta
 *           g           -1   -s/mu       0        of mu
 *           1'           0      0     -rest/nu    of nu
 *
 * has only bounded entries off its diagonal. It is indefinite and larger, so that it costs more.
 * */
#include "solve/multi/qcqp_point.h"

#include "base/memory.h"
#include "solve/multi/qcqp.h"
#include "solve/multi/tuning.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void qcqp_whole_free(qcqp_whole *w)
{
    free(w->matrix);
    free(w->pivots);
    *w = (qcqp_whole){0};
}

bool qcqp_whole_new(qcqp_whole *w, const qcqp_point *x)
{
    size_t N = x->K + x->T + 2;
    *w = (qcqp_whole){.size = N,
                      .matrix = mem_array(2 * N * N + 4 * N, sizeof *w->matrix),
                      .pivots = mem_array(N, sizeof *w->pivots)};
    if (!w->matrix || !w->pivots) {
        qcqp_whole_free(w);
        return false;
    }
    w->factor = w->matrix + N * N;
    w->right = w->factor + N * N;
    w->scale = w->right + N;
    w->step = w->scale + N;
    w->error = w->step + N;
    return true;
}

static void whole_fill(const qcqp_point *x, qcqp_whole *w)
{
    size_t K = x->K, T = x->T, N = w->size, theta = K, nu = K + 1 + T;
    double *A = w->matrix;
    memset(A, 0, N * N * sizeof *A);
    for (size_t t = 0; t < T; t++)
        qcqp_add_matrix(x, t, x->mu[t], A, N);
    for (size_t k = 0; k < K; k++) {
        for (size_t t = 0; t < T; t++)
            A[k * N + K + 1 + t] = x->g[t * K + k];
        A[k * N + k] += x->lambda[k] / x->beta[k];
        A[k * N + nu] = 1;
    }
    for (size_t t = 0; t < T; t++) {
        A[theta * N + K + 1 + t] = -1;
        A[(K + 1 + t) * N + K + 1 + t] = -x->s[t] / x->mu[t];
    }
    A[nu * N + nu] = -x->rest / x->nu;
    for (size_t k = 0; k < N; k++)
        for (size_t i = k + 1; i < N; i++)
            A[i * N + k] = A[k * N + i];
}

/* Factorises the matrix with rows and columns scaled symmetrically so that no entry is much above
 * 1. */
bool qcqp_whole_factorise(const qcqp_point *x, qcqp_whole *w)
{
    size_t N = w->size;
    whole_fill(x, w);
    for (size_t k = 0; k < N; k++) {
        double greatest = w->matrix[k * N + k];
        for (size_t i = 0; k >= x->K && i < N; i++)
            greatest = fmax(greatest, fabs(w->matrix[k * N + i]) * (i < k ? w->scale[i] : 1));
        w->scale[k] = 1 / (k < x->K ? sqrt(greatest) : greatest);
    }
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < N; i++)
            w->factor[k * N + i] = w->matrix[k * N + i] * w->scale[i] * w->scale[k];
    /* With memory of its own: where there is none, LAPACKE would print that. */
    double room = 0;
    lapack_int n = (lapack_int)N;
    LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', n, w->factor, n, w->pivots, &room, -1);
    double *work = mem_array((size_t)room, sizeof *work);
    bool done = work && LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', n, w->factor, n, w->pivots, work,
                                            (lapack_int)room) == 0;
    free(work);
    return done;
}

/* Solves for w->right with iterative refinement. */
static void whole_solve(qcqp_whole *w)
{
    size_t N = w->size;
    lapack_int n = (lapack_int)N;
    memset(w->step, 0, N * sizeof *w->step);
    for (int round = 0; round <= QCQP_REFINEMENTS; round++) {
        for (size_t k = 0; k < N; k++) {
            long double left = w->right[k];
            for (size_t i = 0; i < N; i++)
                left -= (long double)w->matrix[k * N + i] * w->step[i];
            w->error[k] = w->scale[k] * (double)left;
        }
        LAPACKE_dsytrs(LAPACK_COL_MAJOR, 'L', n, 1, w->factor, n, w->pivots, w->error, n);
        for (size_t k = 0; k < N; k++)
            w->step[k] += w->scale[k] * w->error[k];
    }
}

/* The Newton step towards products of size tau, equivalent to find_step. */
void qcqp_whole_step(qcqp_point *x, qcqp_whole *w, double tau)
{
    size_t K = x->K, T = x->T, theta = K, nu = K + 1 + T;
    double total = 0;
    for (size_t k = 0; k < K; k++) {
        w->right[k] = qcqp_margin(x, k) - x->nu + tau / x->beta[k];
        for (size_t t = 0; t < T; t++)
            w->right[k] -= x->mu[t] * x->g[t * K + k];
    }
    for (size_t t = 0; t < T; t++) {
        total += x->mu[t];
        w->right[K + 1 + t] = x->s[t] - tau / x->mu[t] - x->r[t];
    }
    w->right[theta] = total - 1;
    w->right[nu] = x->rest - tau / x->nu;
    whole_solve(w);
    for (size_t k = 0; k < K; k++) {
        x->step.beta[k] = w->step[k];
        x->step.lambda[k] = (tau - x->lambda[k] * x->step.beta[k]) / x->beta[k] - x->lambda[k];
    }
    for (size_t t = 0; t < T; t++) {
        x->step.mu[t] = w->step[K + 1 + t];
        x->step.s[t] = (tau - x->s[t] * x->step.mu[t]) / x->mu[t] - x->s[t];
    }
    x->step.nu = w->step[nu];
    x->step.rest = (tau - x->rest * x->step.nu) / x->nu - x->rest;
}
