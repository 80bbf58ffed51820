/* Structured problems whose terms are not edges: trend filtering and matrices D from files. Few
 * columns go into one dense problem, many into one with a band (wide.h). */
#ifndef SOLVE_STRUCTURE_ROWS_H
#define SOLVE_STRUCTURE_ROWS_H

#include "solve/structure/cut_pursuit.h"

typedef struct rows_solver rows_solver;

/* TM_EUSAGE when terms of many columns have no band (wide_new). The arguments must outlive it. */
tm_status rows_solver_new(rows_solver **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err);
void rows_solver_free(rows_solver *r);

/* The answer at lambda_max and above. */
typedef struct rows_null {
    const double *w; /* p; must outlive the solver */
    double b, lambda_max;
} rows_null;

void rows_solver_set_null(rows_solver *r, const rows_null *null);
tm_status rows_solver_solve(rows_solver *r, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err);
/* The same as those of cut_pursuit. */
const double *rows_solver_weights(const rows_solver *r);
double rows_solver_intercept(const rows_solver *r);
const double *rows_solver_dual(const rows_solver *r);
tm_status rows_solver_lambda_max(rows_solver *r, const double *q, double *lambda_max,
                                 solve_progress *progress, tm_error *err);

#endif
