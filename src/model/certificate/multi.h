/* The certificate of a multivariate measure's problem (docs/multi.md):
 *
 *     min 1/2 |w|^2_(B) + C R(w)      or, with the l1 norm,      min |w|_1 + C R(w)
 *
 * Any multipliers alpha >= 0 of labelings with sum alpha <= C prove the lower bound 1/n sum_k
 * alpha_k Delta_k - 1/2 (sum of the B greatest c_j^2), c = X' sum_k alpha_k u_k / n; with the l1
 * norm it is 1/n sum_k alpha_k Delta_k if no |c_j| is above 1. A solver hands over its labelings
 * and multipliers, and everything about them is recomputed from the data. */
#ifndef MODEL_CERTIFICATE_MULTI_H
#define MODEL_CERTIFICATE_MULTI_H

#include "base/threads/team.h"
#include "model/metric/multivariate_loss.h"
#include "tamis/certificate.h"

typedef struct multi_problem {
    measure measure;
    size_t B; /* >= 1; p: the Euclidean norm */
    double C;
    bool l1; /* the l1 norm, for any B */
} multi_problem;

/* An alpha counts as 0 if it is negative or its labeling is invalid; of all multiples of them the
 * one with the greatest bound is used. */
typedef struct multi_witness {
    size_t count;
    const labeling *labelings;
    const double *alpha;
} multi_witness;

/* w has p weights. The primal value is exact: it evaluates R by its own search. Costs p column
 * products. `threads` share the pass without changing a bit of the result. */
tm_status certificate_multi(tm_certificate *out, const tm_dataset *data,
                            const multi_problem *problem, const double *w,
                            const multi_witness *witness, thread_team *team, tm_error *err);

/* The greatest lower bound given by a multiple of the multipliers: t loss - t^2/2 squares for 0 <=
 * t <= C / sum, where loss = 1/n sum_k alpha_k Delta_k, squares is the sum of the B greatest c_j^2,
 * and sum = sum_k alpha_k. */
double multi_lower_bound(double loss, double squares, double sum, double C);
/* The same with the l1 norm: t loss for 0 <= t <= C / sum and t steepest <= 1, where steepest =
 * max_j |c_j|. */
double multi_lower_bound_l1(double loss, double steepest, double sum, double C);

#endif
