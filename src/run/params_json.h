/* Parameters as a JSON object. */
#ifndef RUN_PARAMS_JSON_H
#define RUN_PARAMS_JSON_H

#include "tamis/params.h"

#include <jansson.h>

/* The parameters that have a value, with their own types; a list of one real becomes that real.
 * `text` converts a string to JSON (json_string, or a function that accepts bytes other than
 * UTF-8). Owned by the caller; NULL when memory ran out or `text` failed. */
json_t *params_json(const tm_params *params, json_t *(*text)(const char *text));

#endif
