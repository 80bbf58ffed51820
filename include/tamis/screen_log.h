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

/* Where a step's region lies among the dual points: vectors of one entry for each sample, in the
 * scale in which feature j asks for |x_j'theta| <= f_j, the log's. With sample weights s_i entry i
 * is divided by sqrt(s_i), so that lengths and products are the usual ones with columns times
 * sqrt(s_i), and with an intercept columns are centred. NULL: not known here, or the log had no
 * room. */
typedef struct tm_screen_dual {
    const double *theta;  /* the feasible dual point that the step is made from */
    const double *centre; /* of the ball */
    const double *normal; /* of the half-space normal'theta <= offset that cuts it; NULL: none */
    double offset;
} tm_screen_dual;

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
    tm_screen_dual at;
} tm_screen_step;

typedef struct tm_screen_log tm_screen_log;

/* Room for so many records (and a sixteenth as many steps, at least 64); NULL when memory ran out.
 * Memory is taken as it is needed: 16 bytes a record, and as much again for dual points. */
tm_screen_log *tm_screen_log_new(size_t room);
void tm_screen_log_free(tm_screen_log *log);

size_t tm_screen_log_steps(const tm_screen_log *log, const tm_screen_step **steps);
const tm_screen_record *tm_screen_log_records(const tm_screen_log *log);
/* Products with columns that the run had computed when step number `step` (from 0) began: what
 * events of its trace count, too. */
uint64_t tm_screen_log_columns(const tm_screen_log *log, size_t step);
/* Records and steps that found no room. */
uint64_t tm_screen_log_missed(const tm_screen_log *log);
/* Feature j's f_j, and 1 or -1 where its weight can have this sign alone, so that the constraint is
 * sign x_j'theta <= f_j, else 0. 1 and 0 where the run has not said. */
double tm_screen_log_factor(const tm_screen_log *log, size_t j);
int tm_screen_log_sign(const tm_screen_log *log, size_t j);

#endif
