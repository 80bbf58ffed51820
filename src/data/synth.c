/* The table of generators. */
#include "base/text.h"
#include "data/generator.h"

#include <string.h>

typedef tm_status make_function(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                tm_error *err);

enum { SAIF, GENERATORS };

static const tm_synth_info infos[GENERATORS] = {
    [SAIF] = {"saif", "dense linear model: uniform features, a share of them with a coefficient",
              "SAIF (Ren 2017), section 2.4.1.1", saif_params, SAIF_PARAMS},
};

static make_function *const makers[GENERATORS] = {[SAIF] = saif_make};

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
    tm_fail(err, TM_EUSAGE, "no generator \"%s\"%s%s%s", id, closest ? "; did you mean \"" : "",
            closest ? closest : "", closest ? "\"?" : "");
    return NULL;
}

tm_status tm_synth_make(tm_dataset **out, const tm_synth_info *info, const tm_params *params,
                        tm_cancel *cancel, tm_error *err)
{
    *out = NULL;
    return makers[info - infos](out, params, cancel, err);
}
