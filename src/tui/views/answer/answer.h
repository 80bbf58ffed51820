/* The explore view's answer: features by weight, status and cost, and how it differs from the run
 * that was pinned last. */
#ifndef TUI_VIEWS_ANSWER_ANSWER_H
#define TUI_VIEWS_ANSWER_ANSWER_H

#include "tui/shell/app.h"

enum { ANSWER_FEATURES = 64 }; /* maximum number of rows of weights */

void answer_draw(app *a, terminal *t, rect area);
/* Writes "test 0.93", or with another metric "auc 0.97"; empty when it is not known. */
void answer_score(app *a, char *out, size_t size);

#endif
