/* When a cancelled certificate is abandoned. The answer of a stopped run should still be certified,
 * so that work of at most this duration is finished; longer work ends with TM_ECANCELLED. */
#ifndef BASE_CANCEL_GRACE_H
#define BASE_CANCEL_GRACE_H

#include "base/clock.h"

#include "tamis/cancel.h"

#include <stdbool.h>

#define PATIENCE_SECONDS 0.25

/* From here on certificates of the token's work are finished whatever they take: processes that run
 * it in lockstep must not ask their clocks. */
void cancel_keep_step(tm_cancel *token);
bool cancel_keeps_step(const tm_cancel *token);

/* True when `cancel` (or NULL) is set and the work that began at `began` (clock_now) has used up
 * its grace period. May be called from any thread; never sleeps. */
static inline bool cancel_grace_is_over(const tm_cancel *cancel, double began)
{
    return cancel && tm_cancel_is_set(cancel) && !cancel_keeps_step(cancel) &&
           clock_now() - began > PATIENCE_SECONDS;
}

#endif
