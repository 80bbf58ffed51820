/* Replay of a screen log: the state of every feature (or sample, group, edge) after any of its
 * steps. */
#ifndef TUI_SESSION_REPLAY_H
#define TUI_SESSION_REPLAY_H

#include "tamis/job.h"

typedef enum replay_place {
    PLACE_WAITING, /* not worked on and not excluded */
    PLACE_ACTIVE,  /* worked on */
    PLACE_OUT,     /* certified inactive at this point */
    PLACE_LIMIT,   /* certified to be at its limit at this point */
    PLACES,
} replay_place;

/* How many items are in each place. */
typedef struct replay_counts {
    size_t at[PLACES];
} replay_counts;

/* Those that no longer count as part of the problem. */
static inline size_t replay_certified(const replay_counts *c)
{
    return c->at[PLACE_OUT] + c->at[PLACE_LIMIT];
}

typedef struct replay {
    tm_job *job; /* a reference, or NULL; it has ended and has a log */
    const tm_screen_step *steps;
    const tm_screen_record *records;
    const tm_screen_log *log;
    replay_counts *after;  /* count: after each step */
    tm_item item;          /* what the records are */
    size_t count, p;       /* number of steps; number of items */
    size_t at;             /* the step shown */
    unsigned char *places; /* p values of replay_place, after step `at` */
    replay_counts now;     /* their numbers */
    /* the records of step `at` for display: changes first, then by descending bound; those of a
     * certificate by bound only */
    tm_screen_record *rows;
    size_t row_count;
} replay;

/* Whether the step shown is the certificate's, which follows any strategy. */
bool replay_at_certificate(const replay *r);
/* The display name of a record's item. */
const char *replay_label(const replay *r, const tm_screen_record *record, char *buffer,
                         size_t size);
/* Opens the log of an ended job at its first step. A log without steps is an empty replay. */
tm_status replay_open(replay *r, tm_job *job, tm_error *err);
void replay_close(replay *r);
/* The last step that was done when the run had computed so many products with columns and worked on
 * so many features: those that begin at the end of a pass are done a moment later. The first one
 * when none had begun. There must be steps. */
size_t replay_step_at(const replay *r, uint64_t columns, uint64_t active);
/* Goes to a step (the last one when there are fewer). */
tm_status replay_go(replay *r, size_t step, tm_error *err);

#endif
