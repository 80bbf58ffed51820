/* The screen log of structured problems: its items are the terms of |D w|_1, in order, and after
 * them the features if they have penalties of their own. */
#ifndef SOLVE_STRUCTURE_TERM_LOG_H
#define SOLVE_STRUCTURE_TERM_LOG_H

#include "model/certificate/graph.h"
#include "solve/common/screen_log.h"
#include "solve/structure/flow/partition.h"
#include "solve/structure/screening/bounds.h"

typedef struct term_log {
    const tm_dataset *data;
    graph_certifier *certifier; /* not its own */
    graph_terms terms;
    size_t count;          /* items */
    size_t active;         /* edges between components */
    bounds *bounds_on;     /* the certificate's; NULL: not made yet */
    unsigned char *places; /* count: whether an edge joins two components, or is proven not to */
    double bounds[];       /* 2 count, and the places after them */
} term_log;

/* The items, without those of features: as many as the graph has terms. */
void term_log_fill(const tm_graph *graph, tm_screen_item *items);

/* The data, what `terms` points to and the certifier must outlive it. */
tm_status term_log_new(term_log **out, const tm_dataset *data, const graph_terms *terms,
                       graph_certifier *certifier, tm_error *err);
void term_log_free(term_log *log);
/* Sets the items of the progress's log, which refers to them from then on. */
tm_status term_log_items(const term_log *log, solve_progress *progress, tm_error *err);

/* In all functions below the log may be NULL: nothing is recorded. */

/* The edges between components when a solve begins. */
void term_log_start(term_log *log, solve_progress *progress, const partition *a);
/* Terms whose bounds over a gap's ball (a value for each item) prove that they are zero, and the
 * others. */
void term_log_screening(term_log *log, solve_progress *progress, const dual_ball *ball, double gap,
                        double lambda, const double *low, const double *high);
/* Edges that have come to join two components or ceased to, and, when there are flows (a value for
 * each edge of the partition), how much of its bound each edge carries. */
void term_log_change(term_log *log, solve_progress *progress, const tm_screen_step *step,
                     double lambda, const partition *a, const double *flow);
/* The number of items that are not 0 for the weights w; edges are 0 when both ends are equal. */
size_t term_log_nonzero(const term_log *log, const double *w);
/* As the last step of a solve: every term against the ball of the certificate, which is that of the
 * certifier's last point; for terms that are not edges the multipliers at the answer. `v` is the
 * solver's candidate (NULL: zero), `active` the number of items worked on. */
tm_status term_log_certificate(term_log *log, solve_progress *progress,
                               const tm_certificate *certificate, double lambda, const double *v,
                               size_t active, tm_error *err);

#endif
