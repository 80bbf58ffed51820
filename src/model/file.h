/* The parts of a model file, and their shared functions. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include "model/model.h"

#include <jansson.h>

/* A part of the file, under its own key. A kind of model with additional content adds a row
 * (model_file.c). */
typedef struct model_part {
    const char *key;
    bool (*has)(const tm_model *model);
    json_t *(*write)(const tm_model *model); /* NULL: memory ran out, or a text is not UTF-8 */
    /* False when the value has the wrong type; `wrong` may tell what was expected. */
    bool (*read)(tm_model *model, const json_t *value, const char **wrong);
} model_part;

bool file_has_map(const tm_model *model);
json_t *file_write_map(const tm_model *model);
bool file_read_map(tm_model *model, const json_t *value, const char **wrong);
/* Whether the map has what its features of column j need: training values, or the range. */
bool file_map_has_column(const tm_map *map, size_t j);

bool file_has_reading(const tm_model *model);
json_t *file_write_reading(const tm_model *model);
bool file_read_reading(tm_model *model, const json_t *value, const char **wrong);

bool file_has_columns(const tm_model *model);
json_t *file_write_columns(const tm_model *model);
bool file_read_columns(tm_model *model, const json_t *value, const char **wrong);

bool file_has_bags(const tm_model *model);
json_t *file_write_bags(const tm_model *model);
bool file_read_bags(tm_model *model, const json_t *value, const char **wrong);

/* Both take ownership of `value`; NULL, which jansson returns for a text that is not UTF-8, is a
 * failure. */
bool file_append(json_t *array, json_t *value);
bool file_put(json_t *object, const char *key, json_t *value);
/* Returns `value` if `written`; otherwise frees it and returns NULL. */
json_t *file_done(json_t *value, bool written);
bool file_is_finite(const json_t *value);
/* Reads an integer from 1 to `most` and converts it to an index from 0. */
bool file_get_index(const json_t *value, size_t most, size_t *out);
/* Whether so many bytes, which the file claims to need, fit; otherwise `wrong` says so. */
bool file_fits(double bytes, const char **wrong);
/* A copy of a text, NULL if it is absent; false when it has another type, or memory ran out. */
bool file_get_text(const json_t *value, char **out);

#endif
