#include "run/plan/changes.h"

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of values of an axis that are listed; for more, only their number is given. */
enum { MAX_NAMED = 4 };

/* ---- values -------------------------------------------------------------------------------- */

static bool has_text(const json_t *list, const json_t *value)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (json_equal(one, value))
            return true;
    }
    return false;
}

/* The index of the axis; SIZE_MAX if there is none. */
static size_t axis_of(const json_t *sweep, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(sweep, "axes"), i, one)
    {
        const char *text = json_string_value(one);
        if (text && strcmp(text, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* Adds to a set of texts, kept as object keys because a random search has as many as
 * configurations. */
static void add_value(json_t *set, const json_t *value)
{
    const char *text = json_string_value(value);
    json_object_set_new(set, text ? text : "the default", json_true());
}

/* The values that a sweep has for a name: on an axis, fixed, or only the default. A new
 * reference. */
static json_t *values_of(const json_t *sweep, const char *name)
{
    size_t axis = axis_of(sweep, name);
    const json_t *rows = json_object_get(sweep, "values"),
                 *fixed = json_object_get(json_object_get(sweep, "base"), name);
    json_t *set = json_object();
    if (!fixed && strcmp(name, "method") == 0)
        fixed = json_object_get(sweep, "method");
    if (axis == SIZE_MAX)
        add_value(set, fixed);
    for (size_t i = 0; axis != SIZE_MAX && i < json_array_size(rows); i++)
        add_value(set, json_array_get(json_array_get(rows, i), axis));
    return set;
}

/* ---- the text ------------------------------------------------------------------------------ */

static void begin(FILE *out, const char *name)
{
    fprintf(out, "%s%s", ftell(out) > 0 ? "; " : "", name);
}

/* Writes a string without quotes, any other value as JSON. */
static void write_value(FILE *out, const json_t *value)
{
    const char *text = json_string_value(value);
    char *json = text || !value ? NULL : json_dumps(value, JSON_ENCODE_ANY);
    fprintf(out, "%.60s", text ? text : json ? json : "not given");
    free(json);
}

/* Writes the values of a set that another one lacks. */
static void write_new(FILE *out, const char *name, json_t *now, json_t *before)
{
    const char *text;
    json_t *ignored;
    size_t count = 0, shown = 0;
    json_object_foreach(now, text, ignored)
    {
        count += !json_object_get(before, text);
    }
    if (count == 0)
        return;
    begin(out, name);
    json_object_foreach(now, text, ignored)
    {
        if (json_object_get(before, text) || shown == MAX_NAMED)
            continue;
        char digits[TEXT_SHOWN];
        fprintf(out, "%s%.40s", shown++ ? ", " : ": ", text_shown(text, "", digits));
    }
    if (count > shown)
        fprintf(out, " and %zu more", count - shown);
    fprintf(out, count == 1 ? " is new" : " are new");
}

static void write_names(FILE *out, const json_t *before, const json_t *now, const char *name)
{
    json_t *theirs = values_of(before, name), *ours = values_of(now, name);
    write_new(out, name, ours, theirs);
    json_decref(theirs);
    json_decref(ours);
}

/* ---- what can differ ----------------------------------------------------------------------- */

static void compare_axes(FILE *out, const json_t *before, const json_t *now)
{
    size_t i;
    const char *name;
    json_t *one;
    json_array_foreach(json_object_get(now, "axes"), i, one)
    {
        name = json_string_value(one);
        /* The steps of a path follow from other values. */
        if (name && strcmp(name, "step") != 0)
            write_names(out, before, now, name);
    }
    json_object_foreach(json_object_get(now, "base"), name, one)
    {
        write_names(out, before, now, name);
    }
    json_object_foreach(json_object_get(before, "base"), name, one)
    {
        if (!json_object_get(json_object_get(now, "base"), name) && axis_of(now, name) == SIZE_MAX)
            write_names(out, before, now, name);
    }
    if (axis_of(now, "method") == SIZE_MAX)
        write_names(out, before, now, "method");
}

static void compare_metrics(FILE *out, const json_t *before, const json_t *now)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(now, "metrics"), i, one)
    {
        if (has_text(json_object_get(before, "metrics"), one))
            continue;
        begin(out, "metric: ");
        write_value(out, one);
        fputs(" is new", out);
    }
}

static json_int_t repeats_of(const json_t *sweep)
{
    size_t i;
    const json_t *one;
    json_int_t most = 1;
    json_array_foreach(json_object_get(sweep, "splits"), i, one)
    {
        json_int_t repeat = json_integer_value(json_array_get(one, 0));
        most = repeat > most ? repeat : most;
    }
    return most;
}

/* The data sets without their names, which do not affect results. A new reference. */
static json_t *fingerprints(const json_t *sweep)
{
    const json_t *data = json_object_get(sweep, "data");
    json_t *all = json_array();
    for (size_t i = 0; i < json_array_size(data); i++)
        json_array_append(all, json_object_get(json_array_get(data, i), "sha256"));
    return all;
}

static void compare_rows(FILE *out, const json_t *before, const json_t *now)
{
    json_t *theirs = fingerprints(before), *ours = fingerprints(now);
    if (!json_equal(theirs, ours))
        begin(out, "the data differ");
    json_decref(theirs);
    json_decref(ours);
    if (repeats_of(before) != repeats_of(now)) {
        begin(out, "repeats");
        fprintf(out, ": %lld (was %lld)", (long long)repeats_of(now),
                (long long)repeats_of(before));
    }
}

static void compare_settings(FILE *out, const json_t *before, const json_t *now)
{
    static const struct {
        const char *name;
        bool told; /* the values are meaningful to users */
    } settings[] = {{"name", true},    {"folds", true}, {"nested", true},  {"stratify", true},
                    {"seed", true},    {"warm", true},  {"version", true}, {"keep", false},
                    {"groups", false}, {"held", false}, {"times", false},  {"test", false},
                    {"extra", false},  {"files", false}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const json_t *theirs = json_object_get(before, settings[i].name),
                     *ours = json_object_get(now, settings[i].name);
        bool none = !theirs && !ours;
        if (none || (theirs && ours && json_equal(theirs, ours)))
            continue;
        begin(out, settings[i].name);
        if (!settings[i].told) {
            fputs(" differs", out);
            continue;
        }
        fputs(": ", out);
        write_value(out, ours);
        fputs(" (was ", out);
        write_value(out, theirs);
        fputc(')', out);
    }
}

char *sweep_changes(const char *before, const char *now)
{
    json_t *theirs = json_loads(before, 0, NULL), *ours = json_loads(now, 0, NULL);
    char *text = NULL;
    size_t size;
    FILE *out = theirs && ours ? open_memstream(&text, &size) : NULL;
    if (out) {
        compare_axes(out, theirs, ours);
        compare_metrics(out, theirs, ours);
        compare_rows(out, theirs, ours);
        compare_settings(out, theirs, ours);
        text_stream_end(out, &text);
    }
    json_decref(theirs);
    json_decref(ours);
    return text;
}
