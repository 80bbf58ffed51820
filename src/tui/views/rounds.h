/* The rounds of a cutting-plane method: upper and lower bound, and which features came in when. */
#ifndef TUI_VIEWS_ROUNDS_H
#define TUI_VIEWS_ROUNDS_H

#include "tamis/job.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"

typedef struct rounds {
    pane pane;
    uint64_t seen; /* events of the trace that the figure was made from */
    const tm_job *job;
    list rows; /* the features that came in */
} rounds;

/* Whether the run is one solve that takes features in round by round. */
bool rounds_has(const tm_job *job);
tm_status rounds_open(rounds *r, tm_error *err);
void rounds_close(rounds *r);
void rounds_draw(rounds *r, const tm_job *job, terminal *t, rect area, bool focus);

#endif
