/* Solving: init - update - solve - finish over an opaque workspace.
 *
 *     tm_solver_new       what is fixed: the data, intercept, standardize, the monitor
 *     tm_solver_update    what may change between solves: lambda, tol, screen, limits
 *     tm_solver_solve     from the last solution when `warm` is true
 *     tm_solver_free
 *
 * A solver belongs to one thread at a time. It reports to its monitor and polls the monitor's
 * cancel token at least every 50 ms of work. */
#ifndef TAMIS_SOLVE_H
#define TAMIS_SOLVE_H

#include "tamis/cancel.h"
#include "tamis/certificate.h"
#include "tamis/method.h"
#include "tamis/model.h"
#include "tamis/screen_log.h"

#include <stdint.h>

typedef enum tm_event_kind {
    TM_EVENT_CHECK, /* a duality gap was computed */
    TM_EVENT_ADD,   /* features entered the active set */
    TM_EVENT_DROP,  /* features left the active set (DEL, or screened out) */
    TM_EVENT_POINT, /* one lambda is done; primal, dual and gap are the certificate's */
} tm_event_kind;

#define TM_NO_FEATURE UINT64_MAX

/* One step of a run, as its trace keeps it. */
typedef struct tm_event {
    tm_event_kind kind;
    uint32_t point; /* index along the path, from 0 */
    double seconds; /* since the run began, pauses left out */
    double lambda;
    double primal; /* of the problem the solver is working on */
    double dual;   /* the best proven lower bound so far */
    double gap;    /* primal minus a proven lower bound on the whole problem's optimum, also while
                      saif works on a part of the features */
    uint64_t columns; /* cumulative over the run */
    uint64_t updates;
    uint64_t active;   /* features the solver is working on */
    uint64_t screened; /* features certified inactive or never added: p - active */
    uint64_t feature;  /* ADD by a method that takes features one by one: which (from 0; of a source
                          of groups: which group); TM_NO_FEATURE otherwise */
    double score;      /* the score it was taken for; NaN otherwise */
    double inner_gap;  /* of the layer below, in methods of two layers; NaN otherwise */
} tm_event;

/* The share of the features (or samples) that are left out. */
static inline double tm_event_rejection(const tm_event *event)
{
    return (double)event->screened / (double)(event->active + event->screened);
}

typedef struct tm_monitor {
    tm_cancel *cancel; /* or NULL */
    /* Called on the solver's thread; or NULL. */
    void (*event)(const tm_event *event, void *payload);
    void *payload;
    tm_screen_log *log; /* or NULL: filled by the strategies that screen */
} tm_monitor;

#define TM_MONITOR_INIT                                                                            \
    {                                                                                              \
        NULL, NULL, NULL, NULL                                                                     \
    }

typedef enum tm_outcome {
    TM_CONVERGED, /* the certified gap is at most tol times the null model's objective */
    TM_MAX_ITER,  /* stopped by max_iter or max_seconds, or by rounding, above that gap */
    TM_CANCELLED, /* stopped by the cancel token; the solution is the last one reached */
} tm_outcome;

const char *tm_outcome_name(tm_outcome outcome); /* "converged", "max_iter", "cancelled" */

/* What a solve that ends as TM_MAX_ITER was stopped by. */
typedef enum tm_stop {
    TM_STOP_NONE,     /* it converged, or was cancelled */
    TM_STOP_ITER,     /* max_iter */
    TM_STOP_SECONDS,  /* max_seconds */
    TM_STOP_ROUNDING, /* the limit of rounding: more iterations do not lower the gap */
    TM_STOP_RULE,     /* its own rule: T, features, change, or that of a screen that is not safe */
} tm_stop;

const char *tm_stop_name(tm_stop stop); /* NULL, "max_iter", "max_seconds", "rounding", "rule" */

/* A model that was retrained on the chosen features (tamis/debias.h). */
typedef struct tm_retrained {
    double C; /* NaN: it was not */
    tm_certificate certificate;
} tm_retrained;

/* What was left out. */
typedef struct tm_screening {
    uint64_t screened; /* p less the features the solver still worked on at the end, or n less the
                          samples (tm_method_item) */
    double rejection;  /* screened / p */
    double power;      /* screened / features with zero weight */
    uint64_t support;  /* of a method that screens samples: those that are support vectors */
} tm_screening;

/* One answer. The certificate's values, never the solver's own. */
typedef struct tm_solution {
    tm_outcome outcome;
    tm_stop stop;
    double lambda, lambda_max; /* NaN for methods without lambda */
    double B, C;               /* of methods that have them; NaN otherwise */
    double primal, dual, gap;
    double null_objective; /* objective at w = 0: what tol is relative to */
    double seconds;        /* of this solve, certificate included, pauses left out */
    uint64_t columns;      /* column products of this solve, the certificate's included */
    uint64_t updates;      /* coordinate updates */
    uint64_t epochs; /* passes of coordinate updates over the features worked on; 0: not counted */
    double passes;   /* columns / p */
    uint64_t active; /* features the solver still worked on at the end */
    tm_screening screening;
    double explained; /* l1 methods: share of the null model's loss that is gone; else NaN */
    tm_retrained retrained;
    tm_model *model; /* the caller's: free with tm_solution_clear */
} tm_solution;

#define TM_SOLUTION_INIT                                                                           \
    {                                                                                              \
        0                                                                                          \
    }
void tm_solution_clear(tm_solution *solution);

typedef struct tm_solver tm_solver;

/* Costs one pass over the data (lambda_max), which is charged to the first solve. The run's clock
 * starts here. `monitor` may be NULL; it is copied, and what it points to must outlive the solver.
 */
tm_status tm_solver_new(tm_solver **out, const tm_method *method, const tm_dataset *data,
                        const tm_params *params, const tm_monitor *monitor, tm_error *err);
tm_status tm_solver_update(tm_solver *solver, const tm_params *params, tm_error *err);
/* Start the next solve from this model (of the same data set's columns). */
tm_status tm_solver_warm(tm_solver *solver, const tm_model *model, tm_error *err);
/* TM_OK also when it stopped early: see solution->outcome. */
tm_status tm_solver_solve(tm_solver *solver, tm_solution *solution, tm_error *err);
/* What a path does with each point, in order; the solution is the callee's. An error ends the
 * path. */
typedef tm_status tm_path_point(tm_solution *solution, size_t k, void *payload, tm_error *err);
/* Solves for each of the lambdas, greatest first, and calls `point` for each in the order of the
 * list: points can arrive in bursts, also as several may be certified together. */
tm_status tm_solver_path(tm_solver *solver, const tm_params *params, const double *lambdas,
                         size_t count, tm_path_point *point, void *payload, tm_error *err);

/* The points of a run: values of the parameters `names`, `axes` values a point. */
enum { TM_GRID_AXES = 2 };
typedef struct tm_grid {
    size_t count, axes;
    const char *names[TM_GRID_AXES];
    double *values; /* count x axes, point after point */
} tm_grid;

#define TM_GRID_INIT                                                                               \
    {                                                                                              \
        0                                                                                          \
    }

/* The first parameter whose list makes a path (TM_PARAM_PATH); NULL: there is none. */
const char *tm_path_param(const tm_params *params);

/* The points that `params` ask for: with a lambda those of tm_lambda_grid, otherwise all
 * combinations of the values of the parameters whose lists are paths, the first of them outermost.
 * lambda_max is ignored by methods without lambda. Freed with tm_grid_clear. */
tm_status tm_grid_make(tm_grid *out, const tm_params *params, double lambda_max, tm_error *err);
void tm_grid_clear(tm_grid *grid);
/* Solves the points in order, as tm_solver_path does. */
tm_status tm_solver_run(tm_solver *solver, const tm_params *params, const tm_grid *grid,
                        tm_path_point *point, void *payload, tm_error *err);

/* Why the last tm_solver_run left out points at the end, a sentence ("the path ends after 37 of 100
 * lambdas:
 * ..."); NULL when it did not. Valid while the solver lives. */
const char *tm_solver_early(const tm_solver *solver);
double tm_solver_lambda_max(const tm_solver *solver);
double tm_solver_null_objective(const tm_solver *solver);
void tm_solver_free(tm_solver *solver);

/* The values of lambda that `params` asks for: `lambda` as given, in its order, or
 * `lambda_ratio` times lambda_max, or `lambdas` values geometric down to lambda_min_ratio.
 * *out is malloc'ed and the caller's. */
tm_status tm_lambda_grid(double **out, size_t *count, const tm_params *params, double lambda_max,
                         tm_error *err);

#endif
