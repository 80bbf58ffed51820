/* Structured problems on graphs by cut pursuit (Landrieu and Obozinski 2017): the working set is a
 * partition of the features into connected components, each with one weight. The small problem over
 * the components is solved to optimality; then the gradient at each feature must be balanced by a
 * flow along the edges within its component, of at most lambda times their weights. The flow is the
 * dual point. If there is none, a minimum cut shows how the component splits. Features with a
 * penalty of their own are joined to an additional node, whose component has weight 0. */
#ifndef SOLVE_STRUCTURE_CUT_PURSUIT_H
#define SOLVE_STRUCTURE_CUT_PURSUIT_H

#include "model/certificate/graph.h"
#include "solve/structure/term_log.h"

typedef struct cut_pursuit cut_pursuit;

/* Requires terms that are edges. The data, what `terms` points to and the certifier must outlive
 * it. */
tm_status cut_pursuit_new(cut_pursuit **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err);
void cut_pursuit_free(cut_pursuit *c);

/* Resets the partition to the components of the graph, and those joined to 0. */
void cut_pursuit_reset(cut_pursuit *c);
/* Sets the partition by the values of w: connected features of equal value. b is the intercept that
 * belongs to them. */
void cut_pursuit_start(cut_pursuit *c, const double *w, double b);

/* Records the edges between components in this log, which must outlive it; NULL: none. */
void cut_pursuit_log(cut_pursuit *c, term_log *log);
/* Records those at present: when a solve begins, or after a step with this name. */
void cut_pursuit_log_start(cut_pursuit *c, solve_progress *progress);
void cut_pursuit_log_change(cut_pursuit *c, solve_progress *progress, const char *what);

typedef struct structure_end {
    bool converged, stalled;
    size_t rounds;
} structure_end;

/* One round: the small problem, flows, a certificate, and splits where flows do not balance it.
 * cut_pursuit_begin precedes the first at a lambda. */
void cut_pursuit_begin(cut_pursuit *c, solve_progress *progress);
tm_status cut_pursuit_round(cut_pursuit *c, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err);
/* Solves to a gap of `target`, starting from the present partition. */
tm_status cut_pursuit_solve(cut_pursuit *c, double lambda, double target, size_t max_rounds,
                            solve_progress *progress, structure_end *end, tm_error *err);

/* From the answer at lambda `from` towards one at `to`. */
typedef struct cut_way {
    double from, to;
    size_t max_rounds;
} cut_way;
/* When `to` is far below `from`: one round at each of a few lambdas between, which nothing
 * certifies. Sets end->rounds. */
tm_status cut_pursuit_approach(cut_pursuit *c, const cut_way *way, double target,
                               solve_progress *progress, structure_end *end, tm_error *err);

/* The answer: p weights, the intercept, and a value v_k for each term, whose |v_k| is at most about
 * lambda. */
const double *cut_pursuit_weights(const cut_pursuit *c);
double cut_pursuit_intercept(const cut_pursuit *c);
double *cut_pursuit_dual(cut_pursuit *c);
/* The gap of the last round. */
double cut_pursuit_gap(const cut_pursuit *c);
/* The number of components, without the one of weight 0. */
size_t cut_pursuit_components(const cut_pursuit *c);

/* The least lambda for which a flow balances the products q of the null model. */
tm_status cut_pursuit_lambda_max(cut_pursuit *c, const double *q, double *lambda_max,
                                 tm_error *err);

#endif
