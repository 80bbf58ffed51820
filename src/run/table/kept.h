/* What a sweep keeps of a cell besides its numbers, as bytes that a store saves unchanged. */
#ifndef RUN_TABLE_KEPT_H
#define RUN_TABLE_KEPT_H

#include "tamis/sweep_table.h"

typedef struct kept_cell {
    const tm_model *model;
    const tm_dataset *train; /* the training rows */
    const tm_dataset *rows;  /* the rows to predict */
    const tm_dataset *data;  /* all rows with all columns, to which the support refers */
} kept_cell;

/* `keep` has bits of tm_sweep_keep. *out is owned by the caller; free it with kept_unref. */
tm_status kept_make(tm_kept **out, unsigned keep, const kept_cell *cell, tm_error *err);
/* Restores it from the bytes of kept_bytes. NULL if they are incomplete, or memory ran out. */
tm_kept *kept_from_bytes(const void *bytes, size_t size);
const void *kept_bytes(const tm_kept *kept, size_t *size);
/* NULL is allowed and returned as such. Any thread. */
const tm_kept *kept_ref(const tm_kept *kept);
void kept_unref(const tm_kept *kept);

#endif
