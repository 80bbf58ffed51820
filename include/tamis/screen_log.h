/* Screen logs: which features (or samples: tm_method_item) a solver looked at, step by step, and
 * what it did with each, and why.
 *
 * A log is filled by the run whose monitor names it (tm_monitor.log) and read when that run has
 * ended. It is bounded: when half of its room is used up, features that stay where they are leave
 * no records any more; when all is, nothing does. Steps are bounded the same way. */
#ifndef TAMIS_SCREEN_LOG_H
#define TAMIS_SCREEN_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tm_screen_action {
    TM_SCREEN_KEPT,      /* stays where it was */
    TM_SCREEN_STARTED,   /* among those the run begins to work on */
    TM_SCREEN_ADDED,     /* added: worked on from now on */
    TM_SCREEN_DELETED,   /* no longer worked on; may come back */
    TM_SCREEN_CERTIFIED, /* proven inactive at this lambda: out for good */
    TM_SCREEN_ACTIONS,
} tm_screen_action;

/* "kept", "started", "added", "deleted", "certified". */
const char *tm_screen_action_name(tm_screen_action action);

/* One feature in one step. */
typedef struct tm_screen_record {
    /* Over the step's region, of |x_j'theta| / f_j: below 1 the feature is inactive. Of a sample
     * 1 + c_i - y_i z_i: below 1 it is no support vector. */
    double bound;
    uint32_t feature; /* or sample, from 0 */
    uint32_t action;  /* a tm_screen_action */
} tm_screen_record;

/* With two samples the dual is a plane, and a step's region can be drawn in it. */
typedef struct tm_screen_plane {
    bool known;
    double centre[2]; /* of the ball */
    double theta[2];  /* the feasible dual point that the step is made from */
    /* The half-space normal'theta <= offset that cuts the ball; normal = 0: none. */
    double normal[2], offset;
} tm_screen_plane;

typedef struct tm_screen_step {
    const char *what;         /* what was done and on which grounds; static text */
    uint32_t point;           /* of the path, from 0: what is certified is certified at one point */
    double lambda, C;         /* NaN where the method has none */
    double primal, dual, gap; /* of the problem the solver is working on; NaN: not known here */
    double radius;            /* of the ball; NaN: the step used none */
    double delta;             /* SAIF's factor of the radius for ADD; 1: the whole ball */
    size_t active; /* features worked on after the step; a certificate leaves them as they are */
    size_t added, removed; /* changes of this step, also those without records */
    size_t first, count;   /* its records */
    tm_screen_plane plane;
} tm_screen_step;

typedef struct tm_screen_log tm_screen_log;

/* Room for so many records (and a sixteenth as many steps, at least 64); NULL when memory ran out.
 * Memory is taken as it is needed: 16 bytes a record. */
tm_screen_log *tm_screen_log_new(size_t room);
void tm_screen_log_free(tm_screen_log *log);

size_t tm_screen_log_steps(const tm_screen_log *log, const tm_screen_step **steps);
const tm_screen_record *tm_screen_log_records(const tm_screen_log *log);
/* Records and steps that found no room. */
uint64_t tm_screen_log_missed(const tm_screen_log *log);

#endif
