/* Synthetic data: a table of generators named after the works they come from, deterministic given
 * the seed. */
#ifndef TAMIS_SYNTH_H
#define TAMIS_SYNTH_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/params.h"

typedef struct tm_synth_info {
    const char *id;      /* "saif" */
    const char *summary; /* one line */
    const char *source;  /* work and section */
    const tm_param_info *params;
    size_t param_count;
} tm_synth_info;

/* The generators in their order; NULL past the end. */
const tm_synth_info *tm_synth_at(size_t i);
/* NULL and an error naming the closest known generator when there is no such id. */
const tm_synth_info *tm_synth_find(const char *id, tm_error *err);

/* A new data set from generator `info`, which must be in this table, with parameters made by
 * tm_params_new from info->params. `cancel` (or NULL) is polled while numbers are drawn:
 * TM_ECANCELLED. */
tm_status tm_synth_make(tm_dataset **out, const tm_synth_info *info, const tm_params *params,
                        tm_cancel *cancel, tm_error *err);

#endif
