/* How the data were read, in model files: {"format", "options": {name: value}, "base": 0 or 1,
 * "fills": true, "table": {"fields", "header", "response": {"place", "name"} or null}, "features":
 * [{"column", "number", "level", "fill"}, ...]}. Features that predictions do not read are left
 * out, but all text values of a column are kept. */
#include "model/file.h"

#include "base/text.h"
#include "data/reading.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether the r-th feature read is used by `model` (NULL: all are), or is a text value. */
static bool is_kept(const tm_model *model, const tm_reading_feature *f, size_t r)
{
    for (size_t k = 0; model && k < model->making.count; k++)
        if (model_column_at(model, k).origin == r)
            return true;
    return !model || f->level;
}

/* The model whose columns decide which features are written; NULL: all are. What a file has kept
 * does not stand at the columns' places any more. */
static const tm_model *chooser(const tm_model *model)
{
    return model->making.concepts || model->making.pruned ? NULL : model;
}

bool file_has_reading(const tm_model *model)
{
    const tm_reading *reading = model->making.reading;
    if (reading->file.format || reading->numbering || reading->fills || reading->file.fields > 0)
        return true;
    for (size_t r = 0; r < reading->count; r++)
        if (is_kept(chooser(model), &reading->features[r], r))
            return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static json_t *options(const tm_reading_file *file)
{
    json_t *object = json_object();
    bool written = object != NULL;
    for (size_t i = 0; written && i < file->count; i += 2)
        written = file_put(object, file->options[i], json_string(file->options[i + 1]));
    return file_done(object, written);
}

static json_t *table(const tm_reading_file *file)
{
    json_t *object = json_object(), *response = file->apart ? json_null() : json_object();
    bool written = file->apart ||
                   (file_put(response, "place", json_integer((json_int_t)file->place + 1)) &&
                    (!file->response || file_put(response, "name", json_string(file->response))));
    response = file_done(response, written);
    written = response && file_put(object, "response", response) &&
              file_put(object, "fields", json_integer((json_int_t)file->fields)) &&
              file_put(object, "header", json_boolean(file->header));
    return file_done(object, written);
}

static json_t *feature(const tm_reading_feature *f)
{
    json_t *object = json_object();
    bool written = file_put(object, "number", json_integer((json_int_t)f->number)) &&
                   (!f->column || file_put(object, "column", json_string(f->column))) &&
                   (!f->level || file_put(object, "level", json_string(f->level))) &&
                   (isnan(f->fill) || file_put(object, "fill", json_real(f->fill)));
    return file_done(object, written);
}

static json_t *reading_json(const tm_reading *reading, const tm_model *model)
{
    json_t *object = json_object(), *features = json_array();
    bool written = features != NULL;
    for (size_t r = 0; written && r < reading->count; r++)
        if (is_kept(model, &reading->features[r], r))
            written = file_append(features, feature(&reading->features[r]));
    features = file_done(features, written);
    written = features && file_put(object, "features", features);
    if (reading->file.format)
        written = written && file_put(object, "format", json_string(reading->file.format)) &&
                  file_put(object, "options", options(&reading->file));
    if (reading->numbering)
        written = written &&
                  file_put(object, "base", json_integer(reading->numbering == TM_NUMBERING_FROM_1));
    if (reading->fills)
        written = written && file_put(object, "fills", json_true());
    if (reading->file.fields > 0)
        written = written && file_put(object, "table", table(&reading->file));
    return file_done(object, written);
}

json_t *file_write_reading(const tm_model *model)
{
    return reading_json(model->making.reading, chooser(model));
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_options(tm_reading *reading, const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (!json_is_string(value) || !reading_add_option(reading, name, json_string_value(value)))
            return false;
    }
    return json_is_object(object);
}

static bool read_table(tm_reading_file *file, const json_t *object)
{
    const json_t *fields = json_object_get(object, "fields");
    const json_t *response = json_object_get(object, "response");
    if (!json_is_integer(fields) || json_integer_value(fields) < 1 || !response)
        return false;
    file->fields = (size_t)json_integer_value(fields);
    file->header = json_is_true(json_object_get(object, "header"));
    file->apart = json_is_null(response);
    return file->apart ||
           (file_get_index(json_object_get(response, "place"), file->fields, &file->place) &&
            file_get_text(json_object_get(response, "name"), &file->response));
}

static bool read_feature(tm_reading_feature *f, const json_t *object)
{
    const json_t *fill = json_object_get(object, "fill");
    size_t number;
    if (!file_get_index(json_object_get(object, "number"), SIZE_MAX / 2, &number) ||
        (fill && !file_is_finite(fill)))
        return false;
    f->number = number + 1;
    f->fill = fill ? json_number_value(fill) : NAN;
    return file_get_text(json_object_get(object, "column"), &f->column) &&
           file_get_text(json_object_get(object, "level"), &f->level);
}

/* Whether a feature may come after another: that of a later column, or another text value of the
 * same one. */
static bool may_follow(const tm_reading_feature *f, const tm_reading_feature *before)
{
    return f->number > before->number || (f->number == before->number && f->level &&
                                          before->level && strcmp(f->level, before->level) != 0);
}

bool file_read_reading(tm_model *model, const json_t *object, const char **wrong)
{
    tm_reading *reading = model->making.reading;
    const json_t *base = json_object_get(object, "base");
    const json_t *features = json_object_get(object, "features");
    const json_t *listed = json_object_get(object, "options");
    const json_t *of_table = json_object_get(object, "table");
    *wrong = "needs 'features' in their order, and 'format', 'options', 'base' and 'table' as "
             "tamis writes them";
    if (!json_is_array(features) ||
        (json_array_size(features) > 0 && !reading_make_room(reading, json_array_size(features))))
        return false;
    for (size_t k = 0; k < reading->count; k++)
        if (!read_feature(&reading->features[k], json_array_get(features, k)) ||
            (k > 0 && !may_follow(&reading->features[k], &reading->features[k - 1])))
            return false;
    if (base &&
        (!json_is_integer(base) || json_integer_value(base) < 0 || json_integer_value(base) > 1))
        return false;
    if (base)
        reading->numbering = json_integer_value(base) ? TM_NUMBERING_FROM_1 : TM_NUMBERING_FROM_0;
    reading->fills = json_is_true(json_object_get(object, "fills"));
    model->making.pruned = true;
    return file_get_text(json_object_get(object, "format"), &reading->file.format) &&
           (!listed || read_options(reading, listed)) &&
           (!of_table || read_table(&reading->file, of_table));
}
