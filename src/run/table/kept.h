/* What a sweep keeps of a cell besides its numbers, as bytes that a store takes as they are. */
#ifndef RUN_TABLE_KEPT_H
#define RUN_TABLE_KEPT_H

#include "tamis/sweep_table.h"

typedef struct kept_cell {
    const tm_model *model;
    const tm_dataset *train; /* what it was fitted to */
    const tm_dataset *rows;  /* what is predicted */
    const tm_dataset *data;  /* all rows with all columns: the support is of these */
} kept_cell;

/* `keep` are bits of tm_sweep_keep. *out is the caller's, for kept_unref. */
tm_status kept_make(tm_kept **out, unsigned keep, const kept_cell *cell, tm_error *err);
/* From bytes that kept_bytes gave. NULL when they are not whole, or memory ran out. */
tm_kept *kept_from_bytes(const void *bytes, size_t size);
const void *kept_bytes(const tm_kept *kept, size_t *size);
/* NULL is taken and given back as such. Any thread. */
const tm_kept *kept_ref(const tm_kept *kept);
void kept_unref(const tm_kept *kept);

#endif
