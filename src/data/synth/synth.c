/* The table of generators. */
#include "base/text.h"
#include "data/synth/generator.h"

#include <string.h>

enum { SAIF, FGM, FGM_SHIFT, FGM_GROUP, MSLR, MSLR_SCALE, GFL, CORRAL, XOR, GENERATORS };

static const tm_synth_info infos[GENERATORS] = {
    [SAIF] = {"saif", "dense linear model: uniform features, a share of them with a coefficient",
              "SAIF (Ren 2017), section 2.4.1.1", saif_params, SAIF_PARAMS},
    [FGM] = {"fgm", "two classes, y = sign(Xw): normal features, k weights uniform in (0, 1)",
             "FGM (Tan 2014), section 8.2", fgm_params, FGM_PARAMS},
    [FGM_SHIFT] = {"fgm_shift", "the same with a shifted hyperplane, y = sign(Xw - b)",
                   "FGM (Tan 2014), section 8.3", fgm_shift_params, FGM_SHIFT_PARAMS},
    [FGM_GROUP] = {"fgm_group", "two classes decided by k groups of consecutive features",
                   "FGM (Tan 2014), section 8.6.1", fgm_group_params, FGM_GROUP_PARAMS},
    [MSLR] = {"mslr", "two classes, y = sign(Xw): normal features, k normal weights",
              "MSLR (Tan 2013), section IV-A", mslr_params, MSLR_PARAMS},
    [MSLR_SCALE] = {"mslr_scale", "the same with weights whose sizes differ, v^tau",
                    "MSLR (Tan 2013), section II-B", mslr_scale_params, MSLR_SCALE_PARAMS},
    [GFL] = {"gfl", "features joined by a random graph, on which the coefficients are constant",
             "SAIF (Ren 2017), section 3.3.7.1", gfl_params, GFL_PARAMS},
    [CORRAL] = {"corral", "bits: the class is (A0 and A1) or (B0 and B1), one feature misleads",
                "John, Kohavi, Pfleger (1994), section 2", corral_params, CORRAL_PARAMS},
    [XOR] = {"xor", "the class is the parity of k features, which no linear model learns",
             "MSLR (Tan 2013), section VI", xor_params, XOR_PARAMS},
};

static make_function *const makers[GENERATORS] = {
    [SAIF] = saif_make,
    [FGM] = fgm_make,
    [FGM_SHIFT] = fgm_shift_make,
    [FGM_GROUP] = fgm_group_make,
    [MSLR] = mslr_make,
    [MSLR_SCALE] = mslr_scale_make,
    [GFL] = gfl_make,
    [CORRAL] = corral_make,
    [XOR] = xor_make,
};

const tm_synth_info *tm_synths(size_t *count)
{
    *count = GENERATORS;
    return infos;
}

static const char *id_at(size_t i, const void *payload)
{
    (void)payload;
    return i < GENERATORS ? infos[i].id : NULL;
}

const tm_synth_info *tm_synth_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < GENERATORS; i++)
        if (strcmp(infos[i].id, id) == 0)
            return &infos[i];
    const char *closest = text_closest(id, id_at, NULL);
    tm_fail(err, TM_EUSAGE, "no generator \"%s\"%s%s%s", id, closest ? "; did you mean \"" : "; ",
            closest ? closest : "tm.synths() lists them", closest ? "\"?" : "");
    return NULL;
}

tm_status tm_synth_make(tm_dataset **out, const tm_synth_info *info, const tm_params *params,
                        tm_cancel *cancel, tm_error *err)
{
    *out = NULL;
    return makers[info - infos](out, params, cancel, err);
}
