/* Structured problems on graphs by cut pursuit (Landrieu and Obozinski 2017): the working set is a
 * partition of the features into connected components of one weight each. The small problem over
 * the components is solved to its optimum; then the slope at each feature must be balanced by a
 * flow along the edges within its component, of at most lambda times their weights. The flow is the
 * dual point. Where there is none, a minimum cut tells how the component splits. Features with a
 * penalty of their own are joined to one more node, whose component has weight 0. */
#ifndef SOLVE_STRUCTURE_CUT_PURSUIT_H
#define SOLVE_STRUCTURE_CUT_PURSUIT_H

#include "model/certificate/graph.h"
#include "solve/common/progress.h"

typedef struct cut_pursuit cut_pursuit;

/* The terms are edges. The data, what `terms` points to and the certifier must outlive it. */
tm_status cut_pursuit_new(cut_pursuit **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err);
void cut_pursuit_free(cut_pursuit *c);

/* Forgets the partition: components of the graph, and what is joined to 0. */
void cut_pursuit_reset(cut_pursuit *c);
/* The partition by the values of w: connected features of one value. b is the intercept beside
 * them. */
void cut_pursuit_start(cut_pursuit *c, const double *w, double b);

typedef struct structure_end {
    bool converged, stalled;
    size_t rounds;
} structure_end;

/* Solves to a gap of `target`, from the partition as it is. */
tm_status cut_pursuit_solve(cut_pursuit *c, double lambda, double target, size_t max_rounds,
                            solve_progress *progress, structure_end *end, tm_error *err);

/* The answer: p weights, the intercept, and a value for each term, |v_k| about lambda at most. */
const double *cut_pursuit_weights(const cut_pursuit *c);
double cut_pursuit_intercept(const cut_pursuit *c);
double *cut_pursuit_dual(cut_pursuit *c);
/* Components of one weight, without what is joined to 0. */
size_t cut_pursuit_components(const cut_pursuit *c);

/* The least lambda at which a flow balances the products q of the null model. */
tm_status cut_pursuit_lambda_max(cut_pursuit *c, const double *q, double *lambda_max,
                                 tm_error *err);

#endif
