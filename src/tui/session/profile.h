/* What a data set is like, column by column, found on a thread of its own: two passes over the data
 * are too much for a frame. */
#ifndef TUI_SESSION_PROFILE_H
#define TUI_SESSION_PROFILE_H

#include "tamis/facts.h"

#include <stdbool.h>

typedef struct profile {
    size_t p;
    double *correlations; /* p values, with the response; 0 where it or the column is constant */
    size_t *order;        /* p columns by |correlation|, descending; then as in the data */
    size_t *twins;        /* p: the first column of the same values, or the column itself */
    size_t constants;     /* columns of one value */
    size_t duplicates;    /* others that repeat an earlier column */
    uint64_t nonzeros;
    double low, high; /* of all values, zeros included */
    tm_warnings warnings;
} profile;

typedef struct profiler profiler;

/* Starts the work; `wake_fd` (an eventfd) is written when it ends. A reference to `data` is kept.
 */
tm_status profiler_start(profiler **out, const tm_dataset *data, int wake_fd, tm_error *err);
/* false while it works. Then *result is the profile, the profiler's, or NULL with *err. */
bool profiler_ended(const profiler *w, const profile **result, tm_error *err);
/* Stops the work, waits for that (milliseconds), frees the profile. */
void profiler_free(profiler *w);

#endif
