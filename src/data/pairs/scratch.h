/* Bytes that are written once, by several threads, and then only read: in memory, or above a limit
 * in a temporary file that is gone when the process ends. */
#ifndef DATA_PAIRS_SCRATCH_H
#define DATA_PAIRS_SCRATCH_H

#include "base/page_budget.h"

typedef struct scratch scratch;

/* In a file when `size` bytes are more than `most`: in the folder that TMPDIR names, else in
 * /var/tmp. TM_EIO when it cannot be made, or the disk has no room. */
tm_status scratch_new(scratch **out, size_t size, double most, tm_error *err);
/* `count` bytes at `from`; threads may write different places at once. */
tm_status scratch_write(scratch *s, size_t from, const void *bytes, size_t count, tm_error *err);
/* What was written; of a file at most `most` bytes stay resident. Frees the scratch, also on
 * failure. */
tm_status scratch_finish(page_budget **out, scratch *s, tm_error *err);
/* Without finishing; NULL is none. */
void scratch_free(scratch *s);

#endif
