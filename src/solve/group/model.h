/* The second-order model of the loss that block coordinate descent works on, and the update of one
 * block. */
#ifndef SOLVE_GROUP_MODEL_H
#define SOLVE_GROUP_MODEL_H

#include "solve/group/state.h"

struct group_model {
    double *h, *r, *dz; /* n */
    double *column;     /* n: a column, or what a block does to the predictions */
    double total;       /* sum of h */
    double shift;       /* the residual is r + shift h */
    double *means;      /* members: of the unscaled columns, weighted by h */
    double *before;     /* members: u at the start */
    double *
        *grams; /* blocks: size^2, of the scaled centred columns weighted by h; NULL: not made */
    double *bounds;   /* blocks: at least the greatest eigenvalue of that matrix; of a large
                             block a guess that grows when it is found too small */
    uint64_t *made;   /* blocks: the model for which gram and bound were made */
    uint64_t number;  /* of this model */
    int unproven;     /* steps in a row accepted below the objective's rounding */
    double *iterates; /* the working set's values after each epoch, see group_newton.c */
    size_t iterates_room, iterates_count; /* members an iterate may have; iterates kept */
};

bool group_model_new(group_model **out, const group_state *s);
void group_model_free(group_model *m, const group_state *s);

/* The model at the iterate. False when told to stop. */
bool group_model_build(group_state *s, solve_progress *progress);
/* Minimises over block b of u while the others stay; returns the change |d| |X_b|. */
double group_model_update(group_state *s, size_t b, solve_progress *progress);

#endif
