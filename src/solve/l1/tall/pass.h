/* One pass over the rows of tall data for several points: their losses and gradients, and the
 * second-order model of one of them, from a sample of the rows. */
#ifndef SOLVE_L1_TALL_PASS_H
#define SOLVE_L1_TALL_PASS_H

#include "solve/l1/core/state.h"

typedef struct tall_point {
    const double *w; /* p */
    double b;
    double loss, left, total; /* receive the loss, the sum of the dual variables, and that of the
                               * second derivatives */
    double *products;         /* p: receives the uncentred products with the dual variables */
} tall_point;

/* The Hessian of the loss at one point, centred with its weighted means when there is an
 * intercept. */
typedef struct tall_model {
    double *products; /* p x p */
    double *means;    /* p; zeros without an intercept */
    double total;     /* that of the point */
    size_t at;   /* the number of the point that the next pass computes it at; count: it is kept */
    size_t rows; /* of each tile, TILE_ROWS at most, a multiple of 8: the sample */
} tall_model;

typedef struct tall_pass tall_pass;

/* TM_ENOMEM. */
tm_status tall_pass_new(tall_pass **out, const l1_state *s, tm_error *err);
void tall_pass_free(tall_pass *pass);
/* `count` <= TILE_VECTORS. The result does not depend on the number of threads. Returns false when
 * the run was cancelled meanwhile. */
bool tall_pass_run(tall_pass *pass, tall_point *points, size_t count, tall_model *model,
                   solve_progress *progress);

#endif
