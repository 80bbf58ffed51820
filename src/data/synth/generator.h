/* What each generator of synthetic data offers to synth.c: the rows of its parameters, and the
 * function that makes the data. */
#ifndef DATA_SYNTH_GENERATOR_H
#define DATA_SYNTH_GENERATOR_H

#include "tamis/synth.h"

typedef tm_status make_function(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                tm_error *err);

enum {
    SAIF_PARAMS = 5,
    FGM_PARAMS = 6,
    FGM_SHIFT_PARAMS = 7,
    FGM_GROUP_PARAMS = 7,
    MSLR_PARAMS = 7,
    MSLR_SCALE_PARAMS = 7,
    GFL_PARAMS = 10,
    CORRAL_PARAMS = 5,
    XOR_PARAMS = 6,
};

extern const tm_param_info saif_params[SAIF_PARAMS], fgm_params[FGM_PARAMS],
    fgm_shift_params[FGM_SHIFT_PARAMS], fgm_group_params[FGM_GROUP_PARAMS],
    mslr_params[MSLR_PARAMS], mslr_scale_params[MSLR_SCALE_PARAMS], gfl_params[GFL_PARAMS],
    corral_params[CORRAL_PARAMS], xor_params[XOR_PARAMS];

make_function saif_make, fgm_make, fgm_shift_make, fgm_group_make, mslr_make, mslr_scale_make,
    gfl_make, corral_make, xor_make;

#endif
