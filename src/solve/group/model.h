/* The second-order model of the loss that block coordinate descent minimises, and the update of one
 * block. */
#ifndef SOLVE_GROUP_MODEL_H
#define SOLVE_GROUP_MODEL_H

#include "solve/common/line_search.h"
#include "solve/group/state.h"

struct group_model {
    double *h, *r, *dz; /* n */
    double *column;     /* n: a column, or the change a block makes to the predictions */
    double total;       /* sum of h */
    double shift;       /* the residual is r + shift h */
    double *means;      /* members: means of the unscaled columns, weighted by h */
    double *before;     /* members: u when the model was made */
    double **grams;     /* blocks: size^2, of the scaled centred columns weighted by h; NULL: not
                         * computed */
    double *bounds;  /* blocks: upper bound of that matrix's greatest eigenvalue; for a large block
                      * an estimate that is raised when found too small */
    uint64_t *made;  /* blocks: the number of the model for which gram and bound were computed */
    uint64_t number; /* the number of this model */
    unproven_steps unproven;
    double *iterates;                     /* the working set's values after each epoch (newton.c) */
    size_t iterates_room, iterates_count; /* capacity for members of an iterate; number of iterates
                                           * stored */
    long joint, wait; /* the epoch of the last step on all nonzero groups, and epochs between two */
};

bool group_model_new(group_model **out, const group_state *s);
void group_model_free(group_model *m, const group_state *s);

/* Builds the model at the iterate. Returns false when the run must stop. */
bool group_model_build(group_state *s, solve_progress *progress);
/* The products x_m'(r + shift h) of member m, scaled. */
double group_model_product(const group_state *s, size_t m);
/* h (x - mean) scale, n values: products with columns are those of centred ones. */
void group_weighted_column(const group_state *s, size_t m, double *column);
/* Added to the diagonal of Gram matrices in case the rows' weights have nearly vanished: a small
 * fraction of the unweighted squared length. */
double group_least_curvature(const group_state *s, size_t m);

/* Minimises over block b of u with the others fixed; returns the change |d| |X_b|. */
double group_model_update(group_state *s, size_t b, solve_progress *progress);

#endif
