/* The data of a configuration and their treatment. */
#include "run/plan/plan.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool tm_sweep_takes(const char *name)
{
    size_t count;
    const tm_param_info *table = tm_prepare_params(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return strcmp(name, "method") == 0 || strcmp(name, "data") == 0 ||
           strcmp(name, "append") == 0 || strcmp(name, "prepare") == 0;
}

const char *sweep_variant_text(const tm_sweep_spec *spec, size_t point, const char *name)
{
    for (size_t a = 0; a < spec->axis_count; a++)
        if (strcmp(spec->axes[a], name) == 0)
            return spec->values[point * spec->axis_count + a];
    for (size_t b = 0; b < spec->base_count; b++)
        if (strcmp(spec->base[b].name, name) == 0)
            return spec->base[b].value;
    return NULL;
}

/* ---- named data ---------------------------------------------------------------------------- */

typedef struct names {
    const char *const *all;
    size_t count;
} names;

static const char *name_at(size_t i, const void *payload)
{
    const names *n = payload;
    return i < n->count ? n->all[i] : NULL;
}

static tm_status find_name(names n, const char *what, const char *name, size_t *out, tm_error *err)
{
    for (*out = 0; n.all && *out < n.count; ++*out)
        if (strcmp(n.all[*out], name) == 0)
            return TM_OK;
    const char *close = n.all ? text_closest(name, name_at, &n) : NULL;
    return tm_fail(err, TM_EUSAGE, "the sweep has no %s '%.60s'%s%s%s", what, name,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tm_status find_data(const tm_sweep_spec *spec, size_t point, size_t *out, tm_error *err)
{
    const char *name = sweep_variant_text(spec, point, "data");
    *out = 0;
    if (name)
        return find_name((names){spec->inputs.data_names, spec->inputs.data_count}, "data set",
                         name, out, err);
    if (spec->inputs.data_count > 1)
        return tm_fail(err, TM_EUSAGE,
                       "the sweep has several data sets: each configuration needs data=\"NAME\"");
    return TM_OK;
}

static tm_status find_append(const tm_sweep_spec *spec, size_t point, size_t *out, tm_error *err)
{
    const char *name = sweep_variant_text(spec, point, "append");
    *out = SIZE_MAX;
    if (!name || strcmp(name, "none") == 0)
        return TM_OK;
    return find_name((names){spec->inputs.extra_names, spec->inputs.extra_count}, "extra data set",
                     name, out, err);
}

static tm_status find_transform(const tm_sweep_spec *spec, size_t point, size_t *out, tm_error *err)
{
    const char *name = sweep_variant_text(spec, point, "prepare");
    size_t count = spec->hooks ? spec->hooks->transform_count : 0;
    *out = SIZE_MAX;
    if (!name || strcmp(name, "none") == 0)
        return TM_OK;
    for (size_t i = 0; i < count; i++)
        if (strcmp(spec->hooks->transforms[i].name, name) == 0) {
            *out = i;
            const char *append = sweep_variant_text(spec, point, "append");
            if (!append || strcmp(append, "none") == 0)
                return TM_OK;
            return tm_fail(err, TM_EUSAGE,
                           "append adds rows that prepare '%.60s' has not seen: "
                           "give one of the two",
                           name);
        }
    return tm_fail(err, TM_EUSAGE, "the sweep has no function '%.60s' to prepare rows", name);
}

/* ---- variants ------------------------------------------------------------------------------ */

static tm_status read_prepare(const tm_sweep_spec *spec, size_t point, tm_params *params,
                              tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < tm_params_count(params); i++) {
        const char *name = tm_params_info(params, i)->name;
        const char *text = sweep_variant_text(spec, point, name);
        if (text)
            status = tm_params_set_text(params, name, text, err);
    }
    if (status == TM_OK && tm_params_given(params, "keep") &&
        !sweep_variant_text(spec, point, "filter"))
        return tm_fail(err, TM_EUSAGE,
                       "keep=%ld is the number of features of a filter: give filter too",
                       tm_params_int(params, "keep"));
    return status;
}

/* Compares variants; without a filter, the number of features to keep is irrelevant. */
static bool same_variant(const sweep_variant *a, const sweep_variant *b)
{
    const char *filter = tm_params_text(a->prepare, "filter");
    return a->data == b->data && a->append == b->append && a->transform == b->transform &&
           tm_params_real(a->prepare, "rows") == tm_params_real(b->prepare, "rows") &&
           strcmp(tm_params_text(a->prepare, "scale"), tm_params_text(b->prepare, "scale")) == 0 &&
           strcmp(filter, tm_params_text(b->prepare, "filter")) == 0 &&
           (strcmp(filter, "none") == 0 ||
            tm_params_int(a->prepare, "keep") == tm_params_int(b->prepare, "keep"));
}

static tm_status add(sweep_splits *s, const sweep_variant *one, tm_error *err)
{
    /* The array doubles whenever the count is a power of two. */
    if ((s->variant_count & (s->variant_count - 1)) == 0) {
        size_t capacity = s->variant_count ? 2 * s->variant_count : 1;
        sweep_variant *moved = realloc(s->variants, capacity * sizeof *moved);
        if (!moved)
            return tm_fail_memory(err, "a sweep's data");
        s->variants = moved;
    }
    s->variants[s->variant_count++] = *one;
    return TM_OK;
}

tm_status sweep_variant_find(sweep_plan *plan, const tm_sweep_spec *spec, size_t point, size_t *out,
                             tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_prepare_params(&count);
    sweep_splits *s = &plan->splits;
    sweep_variant one = {0};
    tm_status status = tm_params_new(&one.prepare, "tm.sweep", table, count, err);
    if (status == TM_OK)
        status = read_prepare(spec, point, one.prepare, err);
    if (status == TM_OK)
        status = find_data(spec, point, &one.data, err);
    if (status == TM_OK)
        status = find_append(spec, point, &one.append, err);
    if (status == TM_OK)
        status = find_transform(spec, point, &one.transform, err);
    /* Search backwards, as neighbouring points mostly have the same variant. */
    size_t place = s->variant_count;
    while (status == TM_OK && place > 0)
        if (same_variant(&s->variants[--place], &one)) {
            *out = place;
            goto done;
        }
    *out = s->variant_count;
    if (status == TM_OK)
        status = add(s, &one, err);
    if (status == TM_OK && one.append != SIZE_MAX)
        s->variants[*out].more = tm_dataset_ref(spec->inputs.extra[one.append]);
    if (status == TM_OK)
        one.prepare = NULL; /* taken over */
done:
    tm_params_free(one.prepare);
    return status;
}

tm_status sweep_variant_check(const sweep_plan *plan, const tm_sweep_spec *spec, tm_error *err)
{
    bool used = spec->inputs.extra_count == 0,
         transforms = !spec->hooks || !spec->hooks->transform_count;
    for (size_t v = 0; v < plan->splits.variant_count; v++)
        transforms = transforms || plan->splits.variants[v].transform != SIZE_MAX;
    if (!transforms)
        return tm_fail(err, TM_EUSAGE,
                       "no configuration is prepared by a function: give prepare=\"%.60s\"",
                       spec->hooks->transforms[0].name);
    for (size_t v = 0; v < plan->splits.variant_count; v++)
        used = used || plan->splits.variants[v].more;
    return used ? TM_OK
                : tm_fail(err, TM_EUSAGE,
                          "the sweep has extra data that nothing appends: give append=\"%.60s\"",
                          spec->inputs.extra_names[0]);
}
