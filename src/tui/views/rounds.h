/* The rounds of a cutting-plane method: upper and lower bounds, and when each feature was added. */
#ifndef TUI_VIEWS_ROUNDS_H
#define TUI_VIEWS_ROUNDS_H

#include "tamis/job.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

typedef struct rounds {
    pane pane;
    uint64_t seen; /* number of trace events in the figure */
    const tm_job *job;
    list rows; /* the features that were added */
} rounds;

/* Whether the run is a single solve that adds features round by round. */
bool rounds_has(const tm_job *job);
tm_status rounds_open(rounds *r, tm_error *err);
void rounds_close(rounds *r);
void rounds_draw(rounds *r, const tm_job *job, terminal *t, rect area, bool focus);

#endif
