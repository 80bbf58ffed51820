/* Runs of the explore view that are kept for comparison with later ones: those that the user has
 * pinned, and the last few others, which are drawn faintly. */
#ifndef TUI_PINS_PINS_H
#define TUI_PINS_PINS_H

#include "tamis/job.h"

enum {
    PINS_MAX = 6,   /* together with the form's run and a script's, as many as can be told apart */
    GHOSTS_MAX = 3, /* more would clutter the plots */
    PIN_LABEL = 48,
};

typedef struct pin {
    tm_job *solve;         /* a reference */
    tm_job *path;          /* a reference; NULL: there was none, or it is still to be started */
    char label[PIN_LABEL]; /* "A saif" */
    int colour;            /* the same in every plot */
} pin;

typedef struct pins {
    pin at[PINS_MAX]; /* oldest first */
    size_t count;
    unsigned named;             /* number of pins so far, which gives the letters */
    tm_job *ghosts[GHOSTS_MAX]; /* references, newest first */
    size_t ghost_count;
} pins;

/* Removes all pins. */
void pins_clear(pins *p);
/* Keeps a run and its path (or NULL) under a letter and this name; *added (without a colour yet) is
 * owned by the pins. TM_EUSAGE when PINS_MAX are kept already. */
tm_status pins_add(pins *p, const tm_job *solve, const tm_job *path, const char *name, pin **added,
                   tm_error *err);
/* Sets the path of a pinned run that had none. */
void pins_set_path(pins *p, const tm_job *solve, const tm_job *path);
/* The index of the pin whose run or path is this job; PINS_MAX if there is none. */
size_t pins_find(const pins *p, const tm_job *job);
void pins_remove(pins *p, size_t i);
/* Keeps a run that a newer one has replaced as a faint one, unless it is pinned. */
void pins_fade(pins *p, const tm_job *solve);

#endif
