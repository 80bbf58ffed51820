/* The part of a model file that holds support vectors. */
#ifndef MODEL_FILE_SUPPORT_H
#define MODEL_FILE_SUPPORT_H

#include "model/model.h"

#include <jansson.h>

bool file_has_support(const tm_model *model);
/* NULL when memory ran out. */
json_t *file_write_support(const tm_model *model);
/* False when the value has the wrong type; *wrong tells what was expected. */
bool file_read_support(tm_model *model, const json_t *value, const char **wrong);

#endif
