/* What a session is opened with. */
#ifndef TUI_SESSION_OPTIONS_H
#define TUI_SESSION_OPTIONS_H

#include "tamis/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the runs of scripts are recorded. */
typedef struct session_recorder {
    tm_store *store;                                   /* for sweeps */
    void (*started)(const tm_job *job, void *payload); /* on any thread */
    void (*sweep)(void *payload); /* on the UI thread, when runs have news: records what ended */
    void *payload;
} session_recorder;

typedef struct session_options {
    int jobs;                         /* worker threads; 0: one for each core */
    uint64_t seed;                    /* of splits and generators */
    const session_recorder *recorder; /* or NULL; must outlive the session */
    tm_store *store;                  /* whose runs are shown, or NULL; must outlive the session */
    bool sandbox;                     /* scripts are not the user's own */
    bool utf8;                        /* of printed plots */
    size_t columns;                   /* the width of these */
} session_options;

#endif
