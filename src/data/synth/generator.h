/* The interface of a generator of synthetic data: one generator in the file of its family, and one
 * row here. */
#ifndef DATA_SYNTH_GENERATOR_H
#define DATA_SYNTH_GENERATOR_H

#include "tamis/synth.h"

typedef struct generator {
    tm_synth_info info; /* must be first: tm_synth_make receives a pointer to it */
    tm_status (*make)(tm_dataset **out, const tm_params *params, tm_cancel *cancel, tm_error *err);
} generator;

/* The generators, in the order in which they are listed: `generator_ID`. */
#define GENERATORS(ROW)                                                                            \
    ROW(saif)                                                                                      \
    ROW(fgm)                                                                                       \
    ROW(fgm_shift)                                                                                 \
    ROW(fgm_group)                                                                                 \
    ROW(mslr)                                                                                      \
    ROW(mslr_scale)                                                                                \
    ROW(gfl)                                                                                       \
    ROW(gfl_logistic)                                                                              \
    ROW(gfl_sparse)                                                                                \
    ROW(gfl_tree)                                                                                  \
    ROW(sphere)                                                                                    \
    ROW(corral)                                                                                    \
    ROW(xor)                                                                                       \
    ROW(circle)

#define GENERATOR_EXTERN(id) extern const generator generator_##id;
GENERATORS(GENERATOR_EXTERN)

/* The members of a tm_synth_info for a table of parameters. */
#define GENERATOR_PARAMS(table) .params = (table), .param_count = sizeof(table) / sizeof(table)[0]

#endif
