/* The options of a session. */
#ifndef TUI_SESSION_OPTIONS_H
#define TUI_SESSION_OPTIONS_H

#include "tamis/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Callbacks that record the runs of scripts. */
typedef struct session_recorder {
    tm_store *store;                                   /* where sweeps are recorded */
    void (*started)(const tm_job *job, void *payload); /* called on any thread */
    void (*sweep)(void *payload); /* called on the UI thread when runs have news; records what has
                                   * ended */
    void *payload;
} session_recorder;

typedef struct session_options {
    int jobs;                         /* worker threads; 0: one for each core */
    uint64_t seed;                    /* seed of splits and generators */
    const session_recorder *recorder; /* or NULL; must outlive the session */
    tm_store *store;                  /* whose runs are shown, or NULL; must outlive the session */
    bool sandbox;                     /* scripts are untrusted and run in the sandbox */
    bool utf8;                        /* printed plots use UTF-8 */
    size_t columns;                   /* width of printed plots */
} session_options;

#endif
