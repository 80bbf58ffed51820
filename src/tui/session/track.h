/* The features of a path in the order in which they entered it. Updated incrementally while the
 * path grows: an update costs only its new points. */
#ifndef TUI_SESSION_TRACK_H
#define TUI_SESSION_TRACK_H

#include "tamis/job.h"

typedef struct track_feature {
    size_t feature; /* from 0 */
    size_t entered; /* the point where its weight first was not zero */
    double peak;    /* the greatest |weight| so far */
} track_feature;

typedef struct track {
    tm_job *job; /* a reference, or NULL */
    const tm_point *points;
    size_t count;            /* points taken in */
    track_feature *features; /* in order of entry; those of one point by |weight| there,
                              * descending */
    size_t feature_count, capacity;
    size_t *places; /* p values: 1 + index in `features`, 0 for features that never entered */
} track;

#define TRACK_INIT                                                                                 \
    {                                                                                              \
        NULL, NULL, 0, NULL, 0, 0, NULL                                                            \
    }

/* Tracks this job (NULL: none) from now on; discards what was known of another. */
tm_status track_follow(track *t, tm_job *job, tm_error *err);
/* Processes the points that were finished since the last call. */
tm_status track_update(track *t, tm_error *err);
void track_clear(track *t);

/* The `most` features with the greatest peaks, descending, as indices into `features`; returns how
 * many. */
size_t track_strongest(const track *t, size_t *places, size_t most);

#endif
