/* A sweep's description as JSON: two sweeps with the same description are equal, and a store
 * rebuilds the table from it. */
#include "run/plan/plan.h"

#include "base/memory.h"
#include "run/plan/files.h"
#include "tamis/version.h"

#include <errno.h>
#include <jansson.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

static void digest_hex(struct sha256_ctx *sha, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        sprintf(hex + 2 * i, "%02x", digest[i]);
}

/* ---- writing ------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *texts_json(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, text_or_null(texts[i]));
    return array;
}

static json_t *metrics_json(const tm_sweep_table *t)
{
    json_t *array = json_array();
    for (size_t m = 0; m < t->metric_count; m++)
        json_array_append_new(array, json_string(sweep_table_scorer(t, m)));
    return array;
}

static json_t *values_json(const tm_sweep_table *t)
{
    json_t *rows = json_array();
    for (size_t c = 0; c < t->config_count; c++)
        json_array_append_new(rows, texts_json(t->values + c * t->axis_count, t->axis_count));
    return rows;
}

static json_t *splits_json(const tm_sweep_table *t)
{
    json_t *rows = json_array();
    for (size_t s = 0; s < t->split_count; s++) {
        const tm_sweep_split *split = &t->splits[s];
        json_array_append_new(rows,
                              json_pack("[i,i,i]", split->repeat, split->outer, split->inner));
    }
    return rows;
}

/* `names` may be NULL: the data sets' own. */
static json_t *data_json(const tm_dataset *const *list, const char *const *names, size_t count)
{
    json_t *rows = json_array();
    for (size_t d = 0; d < count; d++) {
        json_t *shown = json_string(names ? names[d] : tm_dataset_name(list[d]));
        /* A name that is not UTF-8 is left out. */
        json_array_append_new(
            rows, json_pack("{s:o,s:s,s:I,s:I}", "name", shown ? shown : json_string(""), "sha256",
                            tm_dataset_sha256(list[d]), "n", (json_int_t)tm_dataset_rows(list[d]),
                            "p", (json_int_t)tm_dataset_cols(list[d])));
    }
    return rows;
}

static json_t *base_json(const tm_sweep_spec *spec)
{
    json_t *object = json_object();
    for (size_t i = 0; i < spec->base_count; i++)
        json_object_set_new(object, spec->base[i].name, text_or_null(spec->base[i].value));
    return object;
}

static json_t *groups_json(const tm_sweep_spec *spec)
{
    char hex[65];
    struct sha256_ctx sha;
    if (!spec->splits.groups)
        return json_null();
    sha256_init(&sha);
    for (size_t i = 0; i < tm_dataset_rows(spec->inputs.data[0]); i++) {
        uint8_t bytes[8];
        for (int k = 0; k < 8; k++)
            bytes[k] = (uint8_t)((uint64_t)spec->splits.groups[i] >> (8 * k));
        sha256_update(&sha, sizeof bytes, bytes);
    }
    digest_hex(&sha, hex);
    return json_string(hex);
}

/* Folds given by the caller: the rows that they score on, or how often they train on each row. */
static json_t *folds_json(const tm_sweep_spec *spec, bool times)
{
    char hex[65];
    struct sha256_ctx sha;
    sha256_init(&sha);
    for (size_t i = 0; i < spec->splits.folds * tm_dataset_rows(spec->inputs.data[0]); i++) {
        unsigned number = times ? spec->splits.times[i] : spec->splits.held[i] != 0;
        sha256_update(&sha, times ? 2 : 1,
                      (uint8_t[]){(uint8_t)(number & 0xff), (uint8_t)(number >> 8)});
    }
    digest_hex(&sha, hex);
    return json_string(hex);
}

/* By name: the key of a function, and the direction of a metric. */
static json_t *functions_json(const tm_sweep_spec *spec)
{
    json_t *metrics = json_object(), *transforms = json_object();
    for (size_t i = 0; i < spec->hooks->metric_count; i++) {
        const tm_sweep_metric *of = &spec->hooks->metrics[i];
        json_object_set_new(
            metrics, of->name,
            json_pack("{s:s,s:b}", "key", of->key, "greater", of->greater_is_better));
    }
    for (size_t i = 0; i < spec->hooks->transform_count; i++)
        json_object_set_new(transforms, spec->hooks->transforms[i].name,
                            json_string(spec->hooks->transforms[i].key));
    return json_pack("{s:o,s:o}", "metrics", metrics, "prepare", transforms);
}

/* Does not include the store, the shard and the number of workers, which do not affect results. */
static json_t *description_json(const tm_sweep_spec *spec, const tm_sweep_table *t)
{
    return json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:I,s:b,s:I,s:b}", "version",
                     TAMIS_VERSION, "name", t->name, "method", text_or_null(spec->method), "base",
                     base_json(spec), "axes", texts_json(t->axes, t->axis_count), "values",
                     values_json(t), "metrics", metrics_json(t), "splits", splits_json(t), "data",
                     data_json(spec->inputs.data, spec->inputs.data_names, spec->inputs.data_count),
                     "groups", groups_json(spec), "folds", (json_int_t)spec->splits.folds, "nested",
                     (json_int_t)spec->splits.nested, "stratify", spec->splits.stratify, "seed",
                     (json_int_t)(spec->splits.seed & INT64_MAX), "warm", spec->warm);
}

/* malloc'ed; NULL when it cannot be made. errno is ENOMEM when a part may be missing. */
static char *description_text(const sweep_plan *plan, const tm_sweep_spec *spec,
                              const tm_sweep_table *table)
{
    json_t *files = sweep_files(plan);
    errno = 0; /* of a text that cannot be JSON and of memory jansson says the same */
    json_t *json = files ? description_json(spec, table) : NULL;
    if (json && spec->inputs.test)
        json_object_set_new(json, "test", json_string(tm_dataset_sha256(spec->inputs.test)));
    if (json && spec->splits.held)
        json_object_set_new(json, "held", folds_json(spec, false));
    if (json && spec->hooks)
        json_object_set_new(json, "functions", functions_json(spec));
    if (json && spec->keep)
        json_object_set_new(json, "keep", json_integer((json_int_t)spec->keep));
    if (json && sweep_chains_differ(plan))
        json_object_set_new(json, "chains", json_string("by method"));
    if (json && spec->splits.times)
        json_object_set_new(json, "times", folds_json(spec, true));
    if (json && spec->inputs.extra_count > 0)
        json_object_set_new(
            json, "extra",
            data_json(spec->inputs.extra, spec->inputs.extra_names, spec->inputs.extra_count));
    if (json && json_object_size(files) > 0)
        json_object_set(json, "files", files);
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(json);
    errno = files ? errno : ENOMEM;
    json_decref(files);
    return text;
}

tm_status sweep_key_make(sweep_plan *plan, const tm_sweep_spec *spec, const tm_sweep_table *table,
                         tm_error *err)
{
    enum { TRIES = 3 };
    plan->description = description_text(plan, spec, table);
    /* A part that did not fit would make it the description of another sweep. malloc leaves ENOMEM
     * also where it has found the memory at its second attempt, which it does not repeat. */
    for (int k = 1; k < TRIES && errno == ENOMEM; k++) {
        free(plan->description);
        plan->description = description_text(plan, spec, table);
    }
    if (errno == ENOMEM)
        return tm_fail_memory(err, "the sweep's description");
    if (!plan->description)
        return tm_fail(err, TM_EUSAGE, "the sweep's name and values must be UTF-8 text");
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, strlen(plan->description), (const uint8_t *)plan->description);
    digest_hex(&sha, plan->key);
    return TM_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* The strings of an array, NULL for other values; the JSON owns them. */
static void read_texts(const json_t *array, const char **out)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        out[i] = json_string_value(json_array_get(array, i));
}

/* The methods are the description's own, or those on its axis. */
static void find_along(const json_t *json, const char *const *axes, size_t axis_count, bool *along)
{
    size_t c, method = 0;
    const json_t *row;
    const char *id = json_string_value(json_object_get(json, "method")), *before = id;
    while (method < axis_count && (!axes[method] || strcmp(axes[method], "method") != 0))
        method++;
    for (size_t a = 0; a < axis_count; a++)
        along[a] = axes[a] && (strcmp(axes[a], "step") == 0 || sweep_chain_along(id, axes[a]));
    json_array_foreach(json_object_get(json, "values"), c, row)
    {
        id = json_string_value(json_array_get(row, method));
        if (!id || (before && strcmp(id, before) == 0))
            continue;
        for (size_t a = 0; a < axis_count; a++)
            along[a] = along[a] || (axes[a] && sweep_chain_along(id, axes[a]));
        before = id;
    }
}

static void read_directions(const json_t *json, const char *const *metrics, size_t count,
                            signed char *out)
{
    const json_t *own = json_object_get(json_object_get(json, "functions"), "metrics");
    for (size_t m = 0; m < count; m++) {
        const json_t *of = metrics[m] ? json_object_get(own, metrics[m]) : NULL;
        out[m] = of ? (json_is_true(json_object_get(of, "greater")) ? 1 : -1) : 0;
    }
}

static tm_status read_table(tm_sweep_table **out, const char *name, const json_t *json,
                            tm_error *err)
{
    const json_t *axes = json_object_get(json, "axes"), *values = json_object_get(json, "values");
    const json_t *metrics = json_object_get(json, "metrics"),
                 *splits = json_object_get(json, "splits");
    bool on_train =
        json_integer_value(json_object_get(json, "folds")) == 0 && !json_object_get(json, "test");
    unsigned keep = (unsigned)json_integer_value(json_object_get(json, "keep"));
    size_t axis_count = json_array_size(axes), configs = json_array_size(values);
    size_t metric_count = json_array_size(metrics), split_count = json_array_size(splits);
    const char **axis = mem_zeros(axis_count, sizeof *axis);
    const char **value = mem_zeros(axis_count * configs, sizeof *value);
    const char **metric = mem_zeros(metric_count, sizeof *metric);
    bool *along = mem_zeros(axis_count, sizeof *along);
    signed char *direction = mem_zeros(metric_count, 1);
    tm_sweep_split *split = mem_zeros(split_count, sizeof *split);
    tm_status status = axis && value && metric && split && along && direction
                           ? TM_OK
                           : tm_fail_memory(err, "a sweep");
    bool whole = configs > 0 && metric_count > 0 && split_count > 0;
    if (status == TM_OK) {
        read_texts(axes, axis);
        read_texts(metrics, metric);
        read_directions(json, metric, metric_count, direction);
        find_along(json, axis, axis_count, along);
    }
    for (size_t c = 0; status == TM_OK && c < configs; c++) {
        const json_t *row = json_array_get(values, c);
        whole = whole && json_array_size(row) == axis_count;
        if (whole)
            read_texts(row, value + c * axis_count);
    }
    for (size_t s = 0; status == TM_OK && s < split_count; s++)
        whole = whole && json_unpack(json_array_get(splits, s), "[i,i,i]", &split[s].repeat,
                                     &split[s].outer, &split[s].inner) == 0;
    for (size_t m = 0; status == TM_OK && m < metric_count; m++)
        whole = whole && metric[m];
    for (size_t a = 0; status == TM_OK && a < axis_count; a++)
        whole = whole && axis[a];
    if (status == TM_OK && !whole)
        status = tm_fail(err, TM_EDATA, "the sweep's description cannot be read");
    if (status == TM_OK)
        status = sweep_table_new(out,
                                 &(sweep_table_shape){name, axis, axis_count, value, configs,
                                                      metric, metric_count, split, split_count,
                                                      along, on_train, direction, keep},
                                 err);
    free(direction);
    free(along);
    free(axis);
    free(value);
    free(metric);
    free(split);
    return status;
}

tm_status sweep_key_table(tm_sweep_table **out, const char *name, const char *description,
                          tm_error *err)
{
    *out = NULL;
    errno = 0;
    json_t *json = json_loads(description, 0, NULL);
    if (!json && errno == ENOMEM)
        return tm_fail_memory(err, "a sweep's description");
    tm_status status = read_table(out, name, json, err);
    json_decref(json);
    return status;
}
