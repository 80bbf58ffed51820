/* The cutting-plane engine (FGM algorithm 1): a feature source offers units, the worst-case
 * analysis picks the B that violate the dual most as a new group, the master problem is solved
 * over the groups so far, and so on until the bounds meet. `fgm`, `mslr` and `fsmulti` share it.
 *
 * What differs between them is an *inner* problem with three operations. Every bound comes from
 * `certify`, which computes both from the source, the weights and the intercept alone by a routine
 * of src/model. The best bounds so far are kept: the upper one belongs to the answer, the lower
 * one holds whatever the answer. */
#ifndef SOLVE_FGM_CUTTING_PLANE_H
#define SOLVE_FGM_CUTTING_PLANE_H

#include "solve/common/method.h"
#include "solve/fgm/feature_cache.h"

/* One group: a worst-case choice, as places in cache.units. */
typedef struct plane {
    size_t count;
    size_t *units;
    size_t columns; /* of all its units together */
} plane;

typedef struct bounds {
    double upper, lower;
    tm_pick *best; /* room for B: the units that violate most, in descending order */
    size_t count;
} bounds;

typedef struct cutting_plane cutting_plane;

typedef struct inner_ops {
    /* The master problem is over all combinations of the units, not over the planes alone: a group
     * of known units is nothing new to it. */
    bool unions;
    /* What the share of the gap that master problems are solved to is multiplied by where only a
     * better solution can help, until units come in. 0: by INNER_FALL, and for good. */
    double share_fall;
    /* A group has come in: plane number cp->plane_count - 1; its columns are in the cache. NULL:
     * nothing to do. */
    tm_status (*add)(void *inner, cutting_plane *cp, tm_error *err);
    /* Solves the master problem over the planes so far, from the weights before, to an absolute
     * error of about `target`: sets cp->weights (of the cached columns) and cp->intercept. May end
     * early when progress was told to stop. */
    tm_status (*solve)(void *inner, cutting_plane *cp, double target, solve_progress *progress,
                       tm_error *err);
    /* Both bounds for cp->weights and cp->intercept, and the units to take next. One pass over the
     * source, which it charges to `progress`. TM_ECANCELLED when the pass was cancelled. */
    tm_status (*certify)(void *inner, cutting_plane *cp, solve_progress *progress, bounds *out,
                         tm_error *err);
} inner_ops;

/* When to stop besides the gap. */
typedef struct plane_limits {
    size_t rounds;   /* at most this many groups; SIZE_MAX: any */
    size_t features; /* at this many units: the last group brings only as many as are missing */
    double change;   /* when a round lowers the upper bound by no more of the first; 0: never */
    double inner;    /* master problems are solved to this share of the gap */
} plane_limits;

/* What the parameters T, features, inner_tol and, where there is one, change say. */
plane_limits plane_limits_of(const tm_params *params);

/* The best upper bound's weights, for the first `count` cached columns; the others have none. */
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
    uint64_t generation; /* changes when planes go or are split, not when one is added */
    double *weights;     /* of cache.columns; kept as long as the cache has columns */
    size_t weight_room;
    double intercept;
    plane_limits limits;
    plane_answer answer;
    double upper, lower;
    double first;                     /* the upper bound that the run began with */
    bool converged, stalled, limited; /* bounds met; nothing more can come in; a limit ended it */
    bounds next;
};

tm_status cutting_plane_init(cutting_plane *cp, tm_source *source, size_t B, tm_error *err);
void cutting_plane_free(cutting_plane *cp);
/* Forgets planes, features, weights and bounds. */
void cutting_plane_clear(cutting_plane *cp);
/* Another problem on the same planes (another C): the bounds alone are forgotten. */
void cutting_plane_restart(cutting_plane *cp);
/* Another B: planes are split into ones of at most B units. */
tm_status cutting_plane_set_B(cutting_plane *cp, size_t B, tm_error *err);

/* Adds `count` units as one group (at most B of them); unknown ones are made and cached. */
tm_status cutting_plane_add(cutting_plane *cp, const tm_pick *units, size_t count, tm_error *err);

/* Runs until upper - lower <= target, a limit, a stall, or progress says stop; then cp->converged,
 * stalled or limited say which. May be called again with a smaller target. */
tm_status cutting_plane_run(cutting_plane *cp, const inner_ops *ops, void *inner, double target,
                            solve_progress *progress, tm_error *err);

#endif
