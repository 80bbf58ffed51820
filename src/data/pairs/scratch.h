/* Bytes that are written once, by several threads, and then only read: in memory, or beyond a limit
 * in a temporary file that vanishes when the process ends. */
#ifndef DATA_PAIRS_SCRATCH_H
#define DATA_PAIRS_SCRATCH_H

#include "base/page_budget.h"

typedef struct scratch scratch;

/* Uses a file when `size` bytes are more than `most`: in the folder named by TMPDIR, else in
 * /var/tmp. TM_EIO when it cannot be created, or the disk is full. */
tm_status scratch_new(scratch **out, size_t size, double most, tm_error *err);
/* Writes `count` bytes at `from`; threads may write disjoint ranges at once. */
tm_status scratch_write(scratch *s, size_t from, const void *bytes, size_t count, tm_error *err);
/* Makes what was written readable; of a file at most `most` bytes stay resident. Frees the scratch,
 * also on failure. */
tm_status scratch_finish(page_budget **out, scratch *s, tm_error *err);
/* Frees it without finishing; NULL is allowed. */
void scratch_free(scratch *s);

#endif
