/* The certificate of a structured problem (docs/structure.md):
 *
 *     min sum_i s_i l(y_i, o_i + x_i'w + b) + lambda (|D w|_1 + sum_j own_j |w_j|)
 *
 * A dual point is a vector of dual variables a together with v and s such that |v_k| <= lambda,
 * |s_j| <= lambda own_j and D'v + s = X'a. a is made from the weights, the solver hands over a
 * candidate for v, and everything about both is recomputed: v is completed so that D'v + s = X'a,
 * and a, v and s are scaled together until they are within their limits. |x_j'a| <= lambda |D_j|_1
 * is not sufficient: D'v = X'a may still have no solution within the limits. */
#ifndef MODEL_CERTIFICATE_GRAPH_H
#define MODEL_CERTIFICATE_GRAPH_H

#include "base/threads/team.h"
#include "model/penalty/graph_dual.h"

#include "tamis/certificate.h"

/* A workspace for certificates of one problem at any lambda. */
typedef struct graph_certifier graph_certifier;

/* Weights as a point: the primal value, the dual variables and their products. */
typedef struct graph_point {
    double primal;
    double *z, *a;  /* n: the predictions, and the dual variables at the optimum of the unpenalised
                     * part */
    double *q;      /* p: X'a */
    bool bounds;    /* a lies in the domain of the dual; otherwise only 0 is a dual point */
    size_t columns; /* columns read: p, or 0 when the weights are those of the point before */
} graph_point;

/* The data, the graph and `own` must outlive it. Errors as for graph_kernel_new. */
tm_status graph_certifier_new(graph_certifier **out, const tm_dataset *data, const char *loss_id,
                              const graph_terms *terms, const tm_cancel *cancel, tm_error *err);
void graph_certifier_free(graph_certifier *c);
graph_kernel *graph_certifier_kernel(graph_certifier *c);
graph_dual *graph_certifier_dual(graph_certifier *c);
const samples *graph_certifier_samples(const graph_certifier *c);

/* The point at the weights w (p) and b; threads share the pass for q without changing a bit. Only
 * the primal value depends on lambda: the same weights again cost no pass. */
const graph_point *graph_certifier_point(graph_certifier *c, double lambda, const double *w,
                                         double b, thread_team *team);
/* The columns read for the last point. */
size_t graph_certifier_columns(const graph_certifier *c);
/* X'a of the last point. */
const double *graph_certifier_products(const graph_certifier *c);
/* The multiple of the point's dual variables that gave the last bound. */
double graph_certifier_scale(const graph_certifier *c);
/* The lower bound that the last point gives with the candidate v (one value for each term; NaN
 * counts as 0), which is completed in place. */
double graph_certifier_bound(graph_certifier *c, double lambda, double *v);
/* Whether the last point has had a bound, and the bound with the same candidate at another lambda,
 * which reads neither graph nor columns. */
bool graph_certifier_bounded(const graph_certifier *c);
double graph_certifier_bound_again(graph_certifier *c, double lambda);

/* The answer to certify. */
typedef struct graph_answer {
    double lambda; /* at 0 only v = 0 is within the limits */
    const double *w;
    double b;
    const double *v; /* one value for each term; NULL: the candidate is zero */
} graph_answer;

tm_status graph_certify(tm_certificate *out, graph_certifier *c, const graph_answer *answer,
                        thread_team *team, tm_error *err);

#endif
