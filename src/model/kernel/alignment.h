/* The certificate of structured kernel selection (docs/kernels.md):
 *
 *     min over a >= 0 of  sum_m max(0, n - Z_m'a) + lambda sum_i a_i + lambda2 |D a|^2
 *
 * Z has a row for each of n samples and a column for each feature (data/pairs/alignment); the rows
 * of D are the graph's terms. Any alpha and v with
 *
 *     0 <= alpha <= 1,   Z'alpha - D'v <= lambda
 *
 * prove the lower bound n sum alpha - |v|^2 / (4 lambda2). A method hands over weights, a candidate
 * for alpha, and a vector whose differences give v; alpha and v are scaled together by the best
 * feasible factor. */
#ifndef MODEL_KERNEL_ALIGNMENT_H
#define MODEL_KERNEL_ALIGNMENT_H

#include "data/pairs/alignment.h"

#include "tamis/certificate.h"
#include "tamis/graph.h"

typedef struct alignment_problem {
    const alignment *of;
    const tm_graph *graph;
    double lambda, lambda2; /* lambda is positive, lambda2 nonnegative */
} alignment_problem;

typedef struct alignment_claim {
    const double *a;     /* p weights; negative ones count as 0 */
    const double *alpha; /* n: a candidate */
    const double *flow;  /* p: v = 2 lambda2 D flow */
} alignment_claim;

/* TM_ENOMEM. */
tm_status certificate_alignment(tm_certificate *out, const alignment_problem *problem,
                                const alignment_claim *claim, tm_error *err);

/* Shared by the certificate and the solvers. z[m] = Z_m'a, n values. */
void alignment_margins(const alignment *of, const double *a, double *z);
/* q[i] = sum_m alpha_m Z_mi, p values. */
void alignment_products(const alignment *of, const double *alpha, double *q);
/* slopes += 2 lambda2 D'D w; returns |D w|^2. */
double alignment_add_slopes(const alignment_problem *problem, const double *w, double *slopes);
/* The primal value at a, whose margins are z. */
double alignment_primal(const alignment_problem *problem, const double *a, const double *z);
/* The best bound over multiples of (alpha, v) with products q = Z'alpha - D'v, where `squares` is
 * lambda2 |D flow|^2 = |v|^2 / (4 lambda2). */
double alignment_bound(const alignment_problem *problem, const double *alpha, const double *q,
                       double squares);

#endif
