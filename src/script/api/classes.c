/* The kinds of objects: a new one is a file and a row here. */
#include "script/api/classes.h"

#include "script/common/class.h"
#include "script/objects/data/dataset.h"
#include "script/objects/model.h"
#include "script/objects/ovr.h"
#include "script/objects/plot/plot.h"
#include "script/objects/run.h"
#include "script/objects/sweep/sweep.h"
#include "script/objects/trace.h"

#include <string.h>

static const script_class *const classes[] = {
    &script_dataset_class, &script_run_class,  &script_trace_class, &script_series_class,
    &script_model_class,   &script_plot_class, &script_sweep_class, &script_ovr_class,
};

const script_class *script_class_at(size_t i)
{
    return i < sizeof classes / sizeof *classes ? classes[i] : NULL;
}

const script_class *script_class_find(const char *id)
{
    const script_class *class;
    for (size_t i = 0; (class = script_class_at(i)); i++)
        if (strcmp(class->id, id) == 0)
            return class;
    return NULL;
}

const script_keys *script_method_keys(const char *method)
{
    const script_class *class;
    for (size_t i = 0; (class = script_class_at(i)); i++)
        for (const script_keys *keys = class->keys; keys && keys->name; keys++)
            if (strcmp(keys->name, method) == 0)
                return keys;
    return NULL;
}

void script_classes_open(lua_State *L)
{
    const script_class *class;
    for (size_t i = 0; (class = script_class_at(i)); i++)
        script_class_open(L, class);
}
