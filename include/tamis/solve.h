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
    TM_EVENT_POINT, /* one lambda is done; primal, dual and gap are those of the certificate */
} tm_event_kind;

#define TM_NO_FEATURE UINT64_MAX
#define TM_NO_COUNT UINT64_MAX /* a count of what the run does not have */

/* One step of a run, as stored in its trace. */
typedef struct tm_event {
    tm_event_kind kind;
    uint32_t point; /* index along the path, from 0 */
    double seconds; /* since the run began, without pauses */
    double lambda;
    double primal;    /* for the problem the solver is working on */
    double dual;      /* the best proven lower bound so far */
    double gap;       /* primal minus a proven lower bound on the optimum of the whole problem, also
                       * while saif works on some of the features */
    uint64_t columns; /* cumulative over the run */
    uint64_t updates;
    uint64_t active;   /* features in the active set */
    uint64_t screened; /* features certified inactive or never added: p - active */
    uint64_t feature;  /* for ADD by a method that adds features one by one: the feature (from 0;
                        * for a source of groups the group); otherwise TM_NO_FEATURE */
    double score;      /* the score it was selected by; NaN otherwise */
    double inner_gap;  /* gap of the inner problem, in two-level methods; NaN otherwise */
    /* Where the terms of a graph are screened, of the lambda that is being solved; TM_NO_COUNT
     * elsewhere: */
    uint64_t rejected;   /* terms (edges, and the l1 terms of single features) proven zero */
    uint64_t aggregated; /* features proven equal to another one or 0: columns less to work on */
} tm_event;

/* The fraction of the features (or samples) that are left out. */
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
    TM_MAX_ITER,  /* ended by max_iter, max_seconds or rounding, above that gap */
    TM_CANCELLED, /* cancelled; the solution is the last one reached */
} tm_outcome;

const char *tm_outcome_name(tm_outcome outcome); /* "converged", "max_iter", "cancelled" */

/* The reason that a solve ended as TM_MAX_ITER. */
typedef enum tm_stop {
    TM_STOP_NONE,     /* it converged, or was cancelled */
    TM_STOP_ITER,     /* max_iter */
    TM_STOP_SECONDS,  /* max_seconds */
    TM_STOP_ROUNDING, /* rounding: more iterations do not lower the gap */
    TM_STOP_RULE,     /* the method's own rule: T, features, change, or that of a screen that is not
                       * safe */
} tm_stop;

const char *tm_stop_name(tm_stop stop); /* NULL, "max_iter", "max_seconds", "rounding", "rule" */

/* A model that was retrained on the selected features (tamis/debias.h). */
typedef struct tm_retrained {
    double C; /* NaN: it was not retrained */
    tm_certificate certificate;
} tm_retrained;

/* Results of screening. */
typedef struct tm_screening {
    uint64_t screened; /* p minus the features in the solver's active set at the end, or n minus the
                        * samples (tm_method_item) */
    double rejection;  /* screened / p */
    double power;      /* screened / features with zero weight */
    uint64_t support;  /* for a method that screens samples: number of support vectors */
} tm_screening;

/* One answer, with the certificate's values instead of the solver's own. */
typedef struct tm_solution {
    tm_outcome outcome;
    tm_stop stop;
    double lambda, lambda_max; /* NaN for methods without lambda */
    double B, C;               /* for methods that have them; NaN otherwise */
    double primal, dual, gap;
    double null_objective; /* objective at w = 0, to which tol is relative */
    double seconds;        /* of this solve, including the certificate, without pauses */
    uint64_t columns;      /* column products of this solve, including the certificate's */
    uint64_t updates;      /* coordinate updates */
    uint64_t epochs;       /* passes of coordinate updates over the active set; 0: not counted */
    double passes;         /* columns / p */
    uint64_t active;       /* features in the solver's active set at the end */
    tm_screening screening;
    double explained; /* l1 methods: explained fraction of the null model's loss; else NaN */
    tm_retrained retrained;
    tm_model *model; /* owned by the caller: freed with tm_solution_clear */
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
/* Starts the next solve from this model (whose columns are those of the data set). */
tm_status tm_solver_warm(tm_solver *solver, const tm_model *model, tm_error *err);
/* TM_OK also when it ended early: see solution->outcome. */
tm_status tm_solver_solve(tm_solver *solver, tm_solution *solution, tm_error *err);
/* Called for each point of a path, in order; the callee owns the solution. An error ends the
 * path. */
typedef tm_status tm_path_point(tm_solution *solution, size_t k, void *payload, tm_error *err);
/* Solves for each of the lambdas, greatest first, and calls `point` for each in the order of the
 * list: points can arrive in bursts, also because several may be certified together. */
tm_status tm_solver_path(tm_solver *solver, const tm_params *params, const double *lambdas,
                         size_t count, tm_path_point *point, void *payload, tm_error *err);

/* The points of a run: for each point the values of the `axes` parameters `names`. */
enum { TM_GRID_AXES = 2 };
typedef struct tm_grid {
    size_t count, axes;
    const char *names[TM_GRID_AXES];
    double *values; /* count x axes, point by point */
} tm_grid;

#define TM_GRID_INIT                                                                               \
    {                                                                                              \
        0                                                                                          \
    }

/* The first parameter whose list makes up a path (TM_PARAM_PATH); NULL: there is none. */
const char *tm_path_param(const tm_params *params);

/* The points requested by `params`: with a lambda those of tm_lambda_grid, otherwise all
 * combinations of the values of the path parameters, with the first of them as the outermost loop.
 * lambda_max is ignored by methods without lambda. Freed with tm_grid_clear. */
tm_status tm_grid_make(tm_grid *out, const tm_params *params, double lambda_max, tm_error *err);
void tm_grid_clear(tm_grid *grid);
/* Solves the points in order, as tm_solver_path does. */
tm_status tm_solver_run(tm_solver *solver, const tm_params *params, const tm_grid *grid,
                        tm_path_point *point, void *payload, tm_error *err);

/* The reason that the last tm_solver_run ended before the last point, as a sentence ("the path ends
 * after 37 of 100 lambdas: ..."); NULL when it did not. Valid while the solver lives. */
const char *tm_solver_early(const tm_solver *solver);
double tm_solver_lambda_max(const tm_solver *solver);
double tm_solver_null_objective(const tm_solver *solver);
void tm_solver_free(tm_solver *solver);

/* The values of lambda requested by `params`: `lambda` as given, in its order, or `lambda_ratio`
 * times lambda_max, or `lambdas` values geometric down to lambda_min_ratio. *out is malloc'ed and
 * freed by the caller. */
tm_status tm_lambda_grid(double **out, size_t *count, const tm_params *params, double lambda_max,
                         tm_error *err);

#endif
