/* Limits of run time for processes that work in lockstep. All must meet a limit at the same step,
 * and their clocks differ: limits are compared with the time that all have last been told. */
#ifndef BASE_CANCEL_TIME_H
#define BASE_CANCEL_TIME_H

#include "tamis/cancel.h"

/* From here on the token's work is told the time, which is 0 at first. Before the work begins. */
void cancel_await_time(tm_cancel *token);
void cancel_tell_time(tm_cancel *token, double seconds);
/* The time told last; negative: the work goes by a clock of its own. */
double cancel_told_time(const tm_cancel *token);

#endif
