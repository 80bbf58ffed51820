/* Runs of the explore view that are kept to be compared with what comes after them: those that the
 * user has pinned, and the last few others, which fade behind. */
#ifndef TUI_PINS_PINS_H
#define TUI_PINS_PINS_H

#include "tamis/job.h"

enum {
    PINS_MAX = 6,   /* with the form's own run and a script's as many as can be told apart */
    GHOSTS_MAX = 3, /* more would be a haze */
    PIN_LABEL = 48,
};

typedef struct pin {
    tm_job *solve;         /* a reference */
    tm_job *path;          /* likewise; NULL: there was none, or it is still to be started */
    char label[PIN_LABEL]; /* "A saif" */
    int colour;            /* in every plot */
} pin;

typedef struct pins {
    pin at[PINS_MAX]; /* oldest first */
    size_t count;
    unsigned named;             /* counts pins, for their letters */
    tm_job *ghosts[GHOSTS_MAX]; /* references, newest first */
    size_t ghost_count;
} pins;

/* Forgets all of them. */
void pins_clear(pins *p);
/* Keeps a run and its path (or NULL) under a letter and this name; *added (without a colour yet) is
 * the pins' own. TM_EUSAGE: as many as can be told apart are kept. */
tm_status pins_add(pins *p, const tm_job *solve, const tm_job *path, const char *name, pin **added,
                   tm_error *err);
/* The path of a pinned run that had none. */
void pins_set_path(pins *p, const tm_job *solve, const tm_job *path);
/* The place of the pin whose run or path it is; PINS_MAX: of none. */
size_t pins_find(const pins *p, const tm_job *job);
void pins_remove(pins *p, size_t i);
/* A run that something newer has replaced, unless it is pinned. */
void pins_fade(pins *p, const tm_job *solve);

#endif
