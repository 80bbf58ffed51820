/* Safe screening of structured problems on graphs: from any point and its duality gap to a smaller
 * problem with the same optimum, and back (SAIF sections 3.3.2 and 3.3.5). */
#ifndef SOLVE_STRUCTURE_SCREENING_REDUCED_H
#define SOLVE_STRUCTURE_SCREENING_REDUCED_H

#include "solve/structure/screening/bounds.h"

/* Features that are proven equal become one, whose column is the sum of theirs; features that are
 * proven 0 are left out. Edges that become parallel are merged, and their weights added. */
typedef struct reduced_problem {
    size_t p; /* features of the problem that it is made from */
    tm_dataset *data;
    tm_graph *graph;
    double *own;     /* count; NULL: none */
    uint32_t *group; /* p: the group of each feature; UINT32_MAX: 0 */
    size_t count;
    size_t rejected; /* terms and penalties of single features that are proven 0 */
} reduced_problem;

void reduced_clear(reduced_problem *r);
/* Groups the features by what the bounds prove at this lambda. Reads no column. */
tm_status reduced_prove(reduced_problem *r, const bounds *b, const graph_terms *terms,
                        double lambda, tm_error *err);
/* Makes the smaller problem; reads each column once. Requires a group. */
tm_status reduced_build(reduced_problem *r, const tm_dataset *data, const samples *of,
                        const graph_terms *terms, tm_error *err);

/* Converts weights of the groups to weights of the features, and back. */
void reduced_lift(const reduced_problem *r, const double *small, double *w);
void reduced_lower(const reduced_problem *r, const double *w, double *small);

#endif
