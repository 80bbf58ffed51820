/* The cutting-plane engine (FGM algorithm 1): a feature source offers units, the worst-case
 * analysis selects the B units that violate the dual constraints most as a new group, the master
 * problem is solved over all groups so far, and this repeats until the bounds meet. `fgm`, `mslr`
 * and `fsmulti` share it.
 *
 * They differ in an inner problem with three operations. All bounds come from `certify`, which
 * computes both from the source, the weights and the intercept alone by a routine of src/model. The
 * best bounds so far are kept: the upper bound is that of the answer, the lower bound holds for any
 * answer. */
#ifndef SOLVE_FGM_CUTTING_PLANE_H
#define SOLVE_FGM_CUTTING_PLANE_H

#include "solve/common/method.h"
#include "solve/fgm/feature_cache.h"

/* One group: a worst-case choice, as indices into cache.units. */
typedef struct plane {
    size_t count;
    size_t *units;
    size_t columns; /* columns of all its units */
} plane;

typedef struct bounds {
    double upper, lower;
    tm_pick *best; /* capacity B: the units with the greatest violation, in descending order */
    size_t count;
} bounds;

typedef struct cutting_plane cutting_plane;

typedef struct inner_ops {
    /* The master problem is over all combinations of the units, not only over the planes, so that a
     * group of known units adds nothing to it. */
    bool unions;
    /* The factor applied to `share` (the fraction of the gap that master problems are solved to)
     * when only a more accurate solution can help; it is undone when units are added. 0: the factor
     * is INNER_FALL, and permanent. */
    double share_fall;
    /* A group has been added: plane number cp->plane_count - 1, whose columns are in the cache.
     * NULL: nothing to do. */
    tm_status (*add)(void *inner, cutting_plane *cp, tm_error *err);
    /* Solves the master problem over the planes so far, starting from the present weights, to an
     * absolute error of about `target`: sets cp->weights (of the cached columns) and cp->intercept.
     * May end early when the run must stop. */
    tm_status (*solve)(void *inner, cutting_plane *cp, double target, solve_progress *progress,
                       tm_error *err);
    /* Computes both bounds for cp->weights and cp->intercept, and the units to add next. One pass
     * over the source, charged to `progress`. TM_ECANCELLED when the pass was cancelled. */
    tm_status (*certify)(void *inner, cutting_plane *cp, solve_progress *progress, bounds *out,
                         tm_error *err);
} inner_ops;

/* Stopping criteria besides the gap. */
typedef struct plane_limits {
    size_t rounds;   /* at most this many groups; SIZE_MAX: no limit */
    size_t features; /* at most this many units: the last group is truncated to what is still
                      * allowed */
    double change;   /* stop when a round lowers the upper bound by at most this fraction of the
                      * first one; 0: never */
    double inner;    /* master problems are solved to this fraction of the gap */
} plane_limits;

/* The limits given by the parameters T, features, inner_tol and, if the method has it, change. */
plane_limits plane_limits_of(const tm_params *params);

/* The weights of the best upper bound, for the first `count` cached columns; later columns have
 * none. */
typedef struct plane_answer {
    double *weights;
    size_t count;
    double intercept;
} plane_answer;

struct cutting_plane {
    tm_source *source;
    size_t n, B;
    feature_cache cache;
    plane *planes;
    size_t plane_count, plane_room;
    uint64_t generation; /* changes when planes are removed or split, not when one is added */
    double *weights;     /* of cache.columns; resized with the cache */
    size_t weight_room;
    double intercept;
    plane_limits limits;
    plane_answer answer;
    double upper, lower;
    double first;                     /* the first upper bound of the run */
    bool converged, stalled, limited; /* the bounds met; nothing more can be added, or, from
                                       * ops->solve, rounding kept it from its target; a limit
                                       * ended the run */
    bounds next;
};

tm_status cutting_plane_init(cutting_plane *cp, tm_source *source, size_t B, tm_error *err);
void cutting_plane_free(cutting_plane *cp);
/* Removes all planes, features, weights and bounds. */
void cutting_plane_clear(cutting_plane *cp);
/* For another problem on the same planes (another C): resets only the bounds. */
void cutting_plane_restart(cutting_plane *cp);
/* Changes B: larger planes are split into planes of at most B units. */
tm_status cutting_plane_set_B(cutting_plane *cp, size_t B, tm_error *err);

/* Adds `count` units (at most B) as one group; units not yet in the cache are generated and
 * cached. */
tm_status cutting_plane_add(cutting_plane *cp, const tm_pick *units, size_t count, tm_error *err);

/* Runs until upper - lower <= target, a limit, a stall, or until the run must stop; cp->converged,
 * stalled or limited then tell which. May be called again with a smaller target. */
tm_status cutting_plane_run(cutting_plane *cp, const inner_ops *ops, void *inner, double target,
                            solve_progress *progress, tm_error *err);

#endif
