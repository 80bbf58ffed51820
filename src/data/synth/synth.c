/* The table of generators. */
#include "base/text.h"
#include "data/synth/generator.h"

#include <string.h>

#define GENERATOR_POINTER(id) &generator_##id,

static const generator *const generators[] = {GENERATORS(GENERATOR_POINTER)};

const tm_synth_info *tm_synth_at(size_t i)
{
    return i < sizeof generators / sizeof generators[0] ? &generators[i]->info : NULL;
}

static const char *id_at(size_t i, const void *payload)
{
    (void)payload;
    const tm_synth_info *info = tm_synth_at(i);
    return info ? info->id : NULL;
}

const tm_synth_info *tm_synth_find(const char *id, tm_error *err)
{
    const tm_synth_info *info;
    for (size_t i = 0; (info = tm_synth_at(i)); i++)
        if (strcmp(info->id, id) == 0)
            return info;
    const char *closest = text_closest(id, id_at, NULL);
    tm_fail(err, TM_EUSAGE, "no generator \"%s\"%s%s%s", id, closest ? "; did you mean \"" : "; ",
            closest ? closest : "tm.synths() lists them", closest ? "\"?" : "");
    return NULL;
}

tm_status tm_synth_make(tm_dataset **out, const tm_synth_info *info, const tm_params *params,
                        tm_cancel *cancel, tm_error *err)
{
    *out = NULL;
    return ((const generator *)info)->make(out, params, cancel, err);
}
