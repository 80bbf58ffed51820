/* Parameters as a JSON object. */
#ifndef RUN_PARAMS_JSON_H
#define RUN_PARAMS_JSON_H

#include "tamis/params.h"

#include <jansson.h>

/* The parameters that have a value, with their own types; a list of one real becomes that real.
 * `text` converts a string to JSON (json_string, or a function that accepts bytes other than
 * UTF-8). Owned by the caller; NULL when memory ran out or `text` failed. */
json_t *params_json(const tm_params *params, json_t *(*text)(const char *text));

/* The path of the file that parameter i, a graph or groups, may name; NULL: it names none. */
const char *params_file(const tm_params *params, size_t i);

/* Gives `params`, which are at their defaults, the values of such an object as text. Values that
 * are the defaults stay unset. TM_EDATA: the text is none; a parameter that is not known or out of
 * range is what the setter says. */
tm_status params_json_take(tm_params *params, const char *text, tm_error *err);

#endif
