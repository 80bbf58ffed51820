/* The certificate of structured kernel selection (docs/kernels.md):
 *
 *     min over a >= 0 of  sum_m max(0, n - Z_m'a) + lambda sum_i a_i + lambda2 |D a|^2
 *
 * Z has a row for each of n samples and a column for each feature (data/pairs/alignment), D the
 * graph's terms. Any alpha and v with
 *
 *     0 <= alpha <= 1,   Z'alpha - D'v <= lambda
 *
 * prove the lower bound n sum alpha - |v|^2 / (4 lambda2). A method hands over weights, a candidate
 * for alpha, and a vector whose differences give v; both are scaled together by what is best among
 * the feasible. */
#ifndef MODEL_KERNEL_ALIGNMENT_H
#define MODEL_KERNEL_ALIGNMENT_H

#include "data/pairs/alignment.h"

#include "tamis/certificate.h"
#include "tamis/graph.h"

typedef struct alignment_problem {
    const alignment *of;
    const tm_graph *graph;
    double lambda, lambda2; /* above 0; at least 0 */
} alignment_problem;

typedef struct alignment_claim {
    const double *a;     /* p weights; those below 0 count as 0 */
    const double *alpha; /* n: a candidate */
    const double *flow;  /* p: v = 2 lambda2 D flow */
} alignment_claim;

/* TM_ENOMEM. */
tm_status certificate_alignment(tm_certificate *out, const alignment_problem *problem,
                                const alignment_claim *claim, tm_error *err);

/* What the certificate and the solvers compute alike. z[m] = Z_m'a, n values. */
void alignment_margins(const alignment *of, const double *a, double *z);
/* q[i] = sum_m alpha_m Z_mi, p values. */
void alignment_products(const alignment *of, const double *alpha, double *q);
/* slopes += lambda2 2 D'D w, and |D w|^2 is returned. */
double alignment_add_slopes(const alignment_problem *problem, const double *w, double *slopes);
/* The primal value at a with the margins z. */
double alignment_primal(const alignment_problem *problem, const double *a, const double *z);
/* The best bound along (alpha, v) with the products q = Z'alpha - D'v, of which `squares` is
 * lambda2 |D flow|^2 = |v|^2 / (4 lambda2). */
double alignment_bound(const alignment_problem *problem, const double *alpha, const double *q,
                       double squares);

#endif
