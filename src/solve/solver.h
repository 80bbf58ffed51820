/* The inside of a tm_solver, shared by the single solve and the path. */
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
    tm_dataset *data;  /* that is solved on */
    tm_dataset *whole; /* that models are of: `data`, or what the method has made it from */
    data_shift *shift; /* what it is shifted by; NULL: the caller's data */
    void *work;
    solve_progress progress;
    bool begun;             /* the first solve is charged with what init cost */
    double *products;       /* p: the certificate's x_j'r */
    product_bounds *past;   /* of certificates so far; NULL until they can be of use */
    normal_equations *sums; /* that certificates are made from where they can; or NULL */
    double tol, max_seconds;
    const char *loss;         /* of models; NULL: none of the table's */
    tm_debias_options debias; /* C is 0: without */
    refit refit;              /* of a method that selects */
    char early[200];          /* see tm_solver_early; "" */
};

/* What a solve has cost: between solver_begin and solver_spent the values at its beginning. */
typedef struct solve_cost {
    double seconds;
    uint64_t columns, updates;
} solve_cost;

/* tm_solver_update with lambda as a number, not from the parameters; NAN where the method has none.
 */
tm_status solver_update_at(tm_solver *solver, const tm_params *params, double lambda,
                           tm_error *err);
/* Starts the clock and the limits of one solve. */
void solver_begin(tm_solver *solver, solve_cost *cost);
void solver_spent(const tm_solver *solver, solve_cost *cost);
/* Whether the gap is within the tolerance. A bound above the objective is rounding: a little of it
 * does no harm, more of it proves nothing. */
bool solver_is_met(const tm_solver *solver, const tm_certificate *certificate);
/* Whether max_deviance or max_features ends a path with this solution. */
bool solver_path_ends(const tm_params *params, const tm_solution *solution);
/* Solves, certifies, and when the certificate is above the tolerance although the method believed
 * itself done, asks it for more: its own gap may differ by rounding, and a method that needs
 * certificates has not seen all features yet. */
tm_status solver_solve_and_certify(tm_solver *solver, solve_answer *answer,
                                   tm_certificate *certificate, tm_error *err);
/* Makes the solution of a certified answer and reports the point. */
tm_status solver_finish(tm_solver *solver, const solve_answer *answer,
                        const tm_certificate *certificate, const solve_cost *cost,
                        tm_solution *solution, tm_error *err);

#endif
