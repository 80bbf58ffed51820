/* Statistics of a data set's columns, computed on a thread of their own: two passes over the data
 * take too long for a frame. */
#ifndef TUI_SESSION_PROFILE_H
#define TUI_SESSION_PROFILE_H

#include "tamis/facts.h"

#include <stdbool.h>

typedef struct profile {
    size_t p;
    double *correlations; /* p correlations with the response; 0 where it or the column is
                           * constant */
    size_t *order;        /* p columns by |correlation|, descending; ties in column order */
    size_t *twins;        /* p entries: the first column with the same values, or the column
                           * itself */
    size_t constants;     /* number of constant columns */
    size_t duplicates;    /* number of other columns that repeat an earlier one */
    uint64_t nonzeros;
    double low, high; /* range of all values, zeros included */
    tm_warnings warnings;
} profile;

typedef struct profiler profiler;

/* Starts the work; `wake_fd` (an eventfd) is written when it ends. A reference to `data` is kept.
 */
tm_status profiler_start(profiler **out, const tm_dataset *data, int wake_fd, tm_error *err);
/* False while it works. At the end *result is the profile, owned by the profiler, or NULL with *err
 * set. */
bool profiler_ended(const profiler *w, const profile **result, tm_error *err);
/* Stops the work, waits for its end (milliseconds) and frees the profile. */
void profiler_free(profiler *w);

#endif
