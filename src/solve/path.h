/* A path that is being run: shared by its loop (path.c) and the points that it solves together
 * (batch.c). */
#ifndef SOLVE_PATH_H
#define SOLVE_PATH_H

#include "solve/solver.h"
#include "solve/tuning.h"

typedef struct pending {
    solve_answer answer;
    solve_cost cost;
    tm_certificate certificate;
    double *weights, *products; /* p */
    double *predictions;        /* n, or NULL */
} pending;

typedef struct path {
    tm_solver *solver;
    tm_params *params;
    const tm_grid *grid;
    size_t lambda_axis; /* the axis that is passed to the solver as a number; grid->axes: none */
    pending batch[MAX_BATCH];
    size_t batch_size; /* points that may be waiting for a certificate, or for their predictions; 0:
                        * the method allows none */
    tm_path_point *point;
    void *payload;
    bool ended;
} path;

/* Sets the parameters of point k. */
tm_status path_set_point(path *q, size_t k, tm_error *err);
/* Passes point k on to its new owner, with its predictions (or NULL), and ends the path if a
 * parameter says so. */
tm_status path_hand_over(path *q, tm_solution *solution, const double *predictions, size_t k,
                         tm_error *err);
/* Solves and hands over point k by itself. */
tm_status path_solve_one(path *q, size_t k, tm_error *err);

/* Reserves memory for points that are solved together, if the method allows it. TM_ENOMEM. */
tm_status batch_new(path *q, tm_error *err);
void batch_free(path *q);
/* One step along the path from point *k on: several points, or one by itself. */
tm_status batch_advance(path *q, size_t *k, tm_error *err);

#endif
