/* What a generator of synthetic data offers to synth.c: one file each. */
#ifndef DATA_GENERATOR_H
#define DATA_GENERATOR_H

#include "tamis/synth.h"

/* Table rows of the parameters and the function that makes the data, for each generator. */
enum { SAIF_PARAMS = 5 };
extern const tm_param_info saif_params[SAIF_PARAMS];
tm_status saif_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel, tm_error *err);

#endif
