/* The internals of a tm_solver, shared by single solves and paths. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "model/certificate/normal_equations.h"
#include "model/certificate/product_bounds.h"
#include "solve/common/method.h"
#include "solve/refit.h"
#include "solve/shift.h"

#include "tamis/debias.h"

struct tm_solver {
    const tm_method *method;
    tm_dataset *data;  /* the data to solve on */
    tm_dataset *whole; /* the data that models refer to: `data`, or what the method has made from
                        * it */
    data_shift *shift; /* the shift applied to it; NULL: `data` is the caller's */
    void *work;
    solve_progress progress;
    bool begun;             /* the first solve is charged with the cost of init */
    double *products;       /* p: the certificate's x_j'r; NULL: the method has a place for them */
    product_bounds *past;   /* from certificates so far; NULL until they are useful */
    size_t ahead;           /* points of a path that follow this one */
    normal_equations *sums; /* used for certificates where possible; or NULL */
    double tol, max_seconds;
    const char *loss;          /* for models; NULL: none of the table's */
    tm_debias_options debias;  /* no debiasing when C is 0 */
    refit refit;               /* for a method that only selects */
    bool scored;               /* points of a path will be scored on the rows they were solved on */
    const double *predictions; /* while a point is handed over: its predictions of these rows, if
                                * they are known; else NULL */
    char early[200];           /* see tm_solver_early; "" */
};

/* The cost of a solve; between solver_begin and solver_spent the counters at its start. */
typedef struct solve_cost {
    double seconds;
    uint64_t columns, updates;
} solve_cost;

/* tm_solver_update with lambda as a number instead of in the parameters; NAN when the method has
 * none. */
tm_status solver_update_at(tm_solver *solver, const tm_params *params, double lambda,
                           tm_error *err);
/* Starts the clock and the limits of one solve. */
void solver_begin(tm_solver *solver, solve_cost *cost);
void solver_spent(const tm_solver *solver, solve_cost *cost);
/* Whether the gap is within the tolerance. A dual value above the objective is rounding error: a
 * small excess is harmless, with a larger one the certificate proves nothing. */
bool solver_is_met(const tm_solver *solver, const tm_certificate *certificate);
/* Whether max_deviance or max_features ends a path with this solution. */
bool solver_path_ends(const tm_params *params, const tm_solution *solution);
/* Solves and certifies. When the certificate is above the tolerance although the method has
 * converged by its own estimate, it continues: its gap may differ by rounding, and a method that
 * needs certificates has not checked all features yet. */
tm_status solver_solve_and_certify(tm_solver *solver, solve_answer *answer,
                                   tm_certificate *certificate, tm_error *err);
/* Makes the solution from a certified answer and reports the point. */
tm_status solver_finish(tm_solver *solver, const solve_answer *answer,
                        const tm_certificate *certificate, const solve_cost *cost,
                        tm_solution *solution, tm_error *err);

#endif
