/* Groups from text: a parameter's value or a file. */
#include "data/groups.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "base/text.h"
#include "data/read/groups_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a group's line contains besides its features. */
typedef struct group_note {
    char *name, *parent;
    double weight;
    size_t line;
    const char *line_start, *at; /* start of the group's line; position of the group, or of parent=
                                  * once it was read */
    size_t above;                /* the number of the parent, or TM_NO_GROUP */
} group_note;

typedef struct reader {
    groups_text text;
    const tm_dataset *data;
    size_t *starts, *features; /* as in groups_parts; starts has count + 1 entries */
    group_note *notes;
    size_t count, used, room, note_room;
    name_index names;
} reader;

static void reader_clear(reader *r)
{
    for (size_t g = 0; g < r->count; g++) {
        free(r->notes[g].name);
        free(r->notes[g].parent);
    }
    free(r->notes);
    free(r->starts);
    free(r->features);
    name_index_clear(&r->names);
    free(r->text.room);
}

static tm_status fail_at(const reader *r, const char *at, const char *what, size_t feature)
{
    return groups_text_fail(&r->text, r->text.line, r->text.line_start, at, what, feature);
}

static tm_status add_feature(reader *r, size_t j)
{
    if (!mem_grow(&r->features, &r->room, r->used, 1024, sizeof *r->features))
        return tm_fail_memory(r->text.err, "groups");
    r->features[r->used++] = j;
    return TM_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static tm_status fail_value(const reader *r, const groups_word *word, const char *what,
                            const char *value)
{
    return groups_text_fail(&r->text, r->text.line, r->text.line_start, word->at, "%s '%.60s'",
                            what, value);
}

static tm_status add_name(reader *r, const groups_word *word)
{
    size_t feature;
    tm_status status = groups_text_name(&r->text, word, &r->names, &feature);
    return status == TM_OK ? add_feature(r, feature) : status;
}

static tm_status add_range(reader *r, const groups_word *word, size_t first, size_t last)
{
    size_t p = tm_dataset_cols(r->data);
    if (first == SIZE_MAX || last == SIZE_MAX)
        return fail_at(r, word->at, "features are numbered from 1 to %zu", p);
    if (last < first)
        return fail_at(r, word->at, "this range ends at %zu, before it begins", last);
    tm_status status = TM_OK;
    for (size_t j = first; status == TM_OK && j <= last; j++)
        status = add_feature(r, j - 1);
    return status;
}

static tm_status add_word(reader *r, const groups_word *word)
{
    size_t p = tm_dataset_cols(r->data);
    const char *at = word->text, *end = at + word->length;
    if (word->quoted)
        return add_name(r, word);
    size_t first = groups_text_number(&at, end, p), last = first;
    if (first != 0 && at < end && *at == '-') {
        at++;
        last = groups_text_number(&at, end, p);
    }
    if (first == 0 || last == 0 || at < end)
        return add_name(r, word);
    return add_range(r, word, first, last);
}

static tm_status set_attribute(reader *r, const groups_word *word, group_note *note)
{
    char *value = text_part(word->text, word->length);
    if (!value)
        return tm_fail_memory(r->text.err, "groups");
    bool weight = strcmp(word->key, "weight") == 0, parent = strcmp(word->key, "parent") == 0;
    char **place = parent ? &note->parent : &note->name;
    tm_status status = TM_OK;
    double real;
    if (weight && (!text_to_real(value, &real) || !(real > 0) || !isfinite(real)))
        status = fail_value(r, word, "expected a weight above 0, found", value);
    else if (weight ? !isnan(note->weight) : *place != NULL)
        status = fail_value(r, word, "twice for one group:", word->key);
    else if (weight)
        note->weight = real;
    else
        *place = value;
    if (parent && *place == value)
        note->at = word->at;
    if (*place != value || weight)
        free(value);
    return status;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Ensures capacity for one more group. */
static bool reserve_group(reader *r)
{
    if (r->count < r->note_room)
        return true;
    size_t room = r->note_room ? 2 * r->note_room : 256;
    group_note *notes = reallocarray(r->notes, room, sizeof *notes);
    if (!notes)
        return false;
    r->notes = notes;
    size_t *starts = reallocarray(r->starts, room + 1, sizeof *starts);
    if (!starts)
        return false;
    r->starts = starts;
    r->note_room = room;
    return true;
}

static tm_status begin_group(reader *r, const groups_word *word)
{
    if (!reserve_group(r))
        return tm_fail_memory(r->text.err, "groups");
    r->starts[r->count] = r->used;
    r->notes[r->count++] = (group_note){.weight = NAN,
                                        .line = r->text.line,
                                        .line_start = r->text.line_start,
                                        .at = word->at,
                                        .above = TM_NO_GROUP};
    return TM_OK;
}

/* Sorts the features of the last group; duplicates are errors. */
static tm_status end_group(reader *r)
{
    size_t from = r->starts[r->count - 1];
    r->starts[r->count] = r->used;
    if (r->used > from)
        qsort(r->features + from, r->used - from, sizeof *r->features, order_sizes);
    for (size_t i = from + 1; i < r->used; i++)
        if (r->features[i] == r->features[i - 1])
            return fail_at(r, r->notes[r->count - 1].at, "feature %zu is twice in this group",
                           r->features[i] + 1);
    return TM_OK;
}

static tm_status read_group(reader *r)
{
    groups_word word;
    tm_status status;
    bool begun = false;
    while (groups_text_word(&r->text, &word, &status)) {
        if (!begun)
            status = begin_group(r, &word);
        begun = true;
        if (status == TM_OK)
            status =
                word.key ? set_attribute(r, &word, &r->notes[r->count - 1]) : add_word(r, &word);
        if (status != TM_OK)
            return status;
    }
    return status == TM_OK && begun ? end_group(r) : status;
}

/* ---- parents --------------------------------------------------------------------------------- */

static int compare_notes(const void *a, const void *b, void *payload)
{
    const group_note *notes = payload;
    return strcmp(notes[*(const size_t *)a].name, notes[*(const size_t *)b].name);
}

static tm_status fail_note(const reader *r, size_t g, const char *what, const char *name)
{
    const group_note *note = &r->notes[g];
    return groups_text_fail(&r->text, note->line, note->line_start, note->at, "%s '%.60s'", what,
                            name);
}

/* The numbers of the groups that have a name, sorted by name. */
static tm_status order_groups(const reader *r, size_t *order, size_t *named)
{
    *named = 0;
    for (size_t g = 0; g < r->count; g++)
        if (r->notes[g].name)
            order[(*named)++] = g;
    qsort_r(order, *named, sizeof *order, compare_notes, r->notes);
    for (size_t k = 1; k < *named; k++)
        if (compare_notes(&order[k - 1], &order[k], r->notes) == 0)
            return fail_note(r, order[k], "several groups are called", r->notes[order[k]].name);
    return TM_OK;
}

static size_t find_group(const reader *r, const size_t *order, size_t named, const char *name)
{
    size_t low = 0, high = named;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int side = strcmp(r->notes[order[middle]].name, name);
        if (side == 0)
            return order[middle];
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return TM_NO_GROUP;
}

static tm_status resolve_parents(reader *r)
{
    size_t *order = mem_array(r->count, sizeof *order), named = 0;
    tm_status status =
        order ? order_groups(r, order, &named) : tm_fail_memory(r->text.err, "groups");
    for (size_t g = 0; status == TM_OK && g < r->count; g++) {
        if (!r->notes[g].parent)
            continue;
        r->notes[g].above = find_group(r, order, named, r->notes[g].parent);
        if (r->notes[g].above == TM_NO_GROUP)
            status = fail_note(r, g, "no group is called", r->notes[g].parent);
    }
    free(order);
    for (size_t g = 0; status == TM_OK && g < r->count; g++) {
        size_t steps = 0, h = r->notes[g].above;
        for (; h != TM_NO_GROUP && steps < r->count; steps++)
            h = r->notes[h].above;
        if (h != TM_NO_GROUP)
            status = fail_note(r, g, "a group that is above itself, by way of", r->notes[g].parent);
    }
    return status;
}

/* Allocates *parts for each group's own features and those of all its descendants. */
static bool count_inherited(const reader *r, groups_parts *parts)
{
    parts->starts = mem_zeros(r->count + 1, sizeof *parts->starts);
    if (!parts->starts)
        return false;
    for (size_t g = 0; g < r->count; g++)
        for (size_t h = g; h != TM_NO_GROUP; h = r->notes[h].above)
            parts->starts[h + 1] += r->starts[g + 1] - r->starts[g];
    for (size_t g = 0; g < r->count; g++)
        parts->starts[g + 1] += parts->starts[g];
    parts->features = mem_array(parts->starts[r->count], sizeof *parts->features);
    return parts->features != NULL;
}

/* Adds every group's features to all its ancestors, once each. */
static bool inherit(const reader *r, groups_parts *parts)
{
    size_t *next = mem_array(r->count, sizeof *next);
    if (!next || !count_inherited(r, parts)) {
        free(next);
        return false;
    }
    memcpy(next, parts->starts, r->count * sizeof *next);
    for (size_t g = 0; g < r->count; g++)
        for (size_t h = g; h != TM_NO_GROUP; h = r->notes[h].above) {
            size_t own = r->starts[g + 1] - r->starts[g];
            if (own)
                memcpy(parts->features + next[h], r->features + r->starts[g], own * sizeof *next);
            next[h] += own;
        }
    free(next);
    size_t to = 0;
    for (size_t g = 0; g < r->count; g++) {
        size_t from = parts->starts[g], end = parts->starts[g + 1];
        parts->starts[g] = to;
        if (end > from)
            qsort(parts->features + from, end - from, sizeof *parts->features, order_sizes);
        for (size_t i = from; i < end; i++)
            if (i == from || parts->features[i] != parts->features[to - 1])
                parts->features[to++] = parts->features[i];
    }
    parts->starts[r->count] = to;
    return true;
}

/* ---- the whole text -------------------------------------------------------------------------- */

static bool take_notes(reader *r, groups_parts *parts)
{
    parts->weights = mem_array(r->count, sizeof *parts->weights);
    parts->names = mem_zeros(r->count, sizeof *parts->names);
    if (!parts->weights || !parts->names)
        return false;
    for (size_t g = 0; g < r->count; g++) {
        parts->weights[g] = r->notes[g].weight;
        parts->names[g] = r->notes[g].name;
        r->notes[g].name = NULL;
    }
    return true;
}

static tm_status finish(tm_groups **out, reader *r)
{
    groups_parts parts = {.p = tm_dataset_cols(r->data), .count = r->count};
    tm_status status = resolve_parents(r);
    if (status != TM_OK)
        return status;
    if (!inherit(r, &parts)) {
        groups_parts_clear(&parts);
        return tm_fail_memory(r->text.err, "groups");
    }
    for (size_t g = 0; status == TM_OK && g < r->count; g++)
        if (parts.starts[g + 1] == parts.starts[g])
            status = groups_text_fail(&r->text, r->notes[g].line, r->notes[g].line_start,
                                      r->notes[g].at, "this group has no features");
    if (status == TM_OK && !take_notes(r, &parts))
        status = tm_fail_memory(r->text.err, "groups");
    if (status == TM_OK)
        return groups_from_parts(out, &parts, r->text.err);
    groups_parts_clear(&parts);
    return status;
}

static tm_status read_text(tm_groups **out, const char *name, const char *text, size_t length,
                           bool inner, const tm_dataset *data, tm_error *err)
{
    reader r = {.text = {.name = name,
                         .parameter = "groups",
                         .cur = text,
                         .end = text + length,
                         .line_start = text,
                         .line = 1,
                         .inner = inner,
                         .room = mem_array(length, 1),
                         .err = err},
                .data = data,
                .names = {.data = data}};
    *out = NULL;
    tm_status status = r.text.room ? TM_OK : tm_fail_memory(err, "groups");
    do {
        if (status == TM_OK)
            status = read_group(&r);
    } while (status == TM_OK && groups_text_next(&r.text));
    if (status == TM_OK && r.count == 0)
        status = fail_at(&r, r.text.cur, "there is no group; expected features from 1 to %zu",
                         tm_dataset_cols(data));
    if (status == TM_OK)
        status = finish(out, &r);
    reader_clear(&r);
    return status;
}

tm_status tm_groups_read(tm_groups **out, const char *path, const tm_dataset *data, tm_error *err)
{
    input *in;
    char *text;
    size_t length;
    *out = NULL;
    tm_status status = groups_text_open(&in, &text, &length, path, "groups", err);
    if (status == TM_OK)
        status = read_text(out, input_name(in), text ? text : "", length, false, data, err);
    free(text);
    input_close(in);
    return status;
}

tm_status tm_groups_parse(tm_groups **out, const char *text, const tm_dataset *data, tm_error *err)
{
    long size;
    size_t length = strlen(text);
    *out = NULL;
    if (text_to_long(text, &size)) {
        if (size < 1)
            return tm_fail(err, TM_EUSAGE, "parameter 'groups' is %ld; expected a size above 0",
                           size);
        return tm_groups_consecutive(out, tm_dataset_cols(data), (size_t)size, err);
    }
    if (text[0] == '[' && text[length - 1] != ']')
        return tm_fail(err, TM_EUSAGE,
                       "parameter 'groups' begins with '[' and lacks the ']' at its end");
    if (text[0] == '[')
        return read_text(out, "groups", text + 1, length - 2, true, data, err);
    tm_status status = groups_text_find(
        "groups", text, "a size, a file of groups, or groups as in \"[1-3; 4 5 weight=2]\"", err);
    return status == TM_OK ? tm_groups_read(out, text, data, err) : status;
}
