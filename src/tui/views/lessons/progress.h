/* The user's progress in each lesson, in $XDG_STATE_HOME/tamis/progress, a line per lesson: the
 * step last read, the furthest step, the number of steps, the lesson's name. */
#ifndef TUI_VIEWS_LESSONS_PROGRESS_H
#define TUI_VIEWS_LESSONS_PROGRESS_H

#include <stddef.h>

typedef struct progress {
    size_t step, furthest, steps; /* counted from 1; 0: the lesson was not started */
} progress;

progress progress_of(const char *lesson);
/* The step at which to continue: the one last read, or the first if the lesson was finished. */
size_t progress_step(const char *lesson);
/* Records the progress. A failure to write is not reported, as the lesson can continue. */
void progress_note(const char *lesson, size_t step, size_t steps);

#endif
