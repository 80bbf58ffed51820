/* How far the user has come in each lesson: $XDG_STATE_HOME/tamis/progress, a line for each: the
 * step last read, the furthest one, how many there are, the lesson's name. */
#ifndef TUI_VIEWS_LESSONS_PROGRESS_H
#define TUI_VIEWS_LESSONS_PROGRESS_H

#include <stddef.h>

typedef struct progress {
    size_t step, furthest, steps; /* from 1; 0: the lesson was not begun */
} progress;

progress progress_of(const char *lesson);
/* Where to go on: the step last read, or the first one of a lesson that was read to its end. */
size_t progress_step(const char *lesson);
/* Nothing is said when it cannot be written: the lesson goes on. */
void progress_note(const char *lesson, size_t step, size_t steps);

#endif
