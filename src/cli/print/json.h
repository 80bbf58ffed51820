/* Building JSON: missing values and NaN are left out, infinite numbers are null, and allocation
 * failures are reported at the end. */
#ifndef CLI_PRINT_JSON_H
#define CLI_PRINT_JSON_H

#include "tamis/params.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An object under construction. */
typedef struct cli_object {
    json_t *json;
    bool failed; /* memory ran out */
} cli_object;

cli_object cli_object_new(void);
/* Takes over `value`; NULL counts as a failure. */
void cli_set(cli_object *object, const char *key, json_t *value);
/* A number; null if it is not finite, which JSON cannot represent. */
json_t *cli_json_real(double value);
/* Sets a value, unless it is NaN or a NULL text. */
void cli_set_real(cli_object *object, const char *key, double value);
void cli_set_text(cli_object *object, const char *key, const char *text);
void cli_set_count(cli_object *object, const char *key, uint64_t count);
/* Takes over the inner object and its failure. */
void cli_set_object(cli_object *object, const char *key, cli_object inner);
void cli_append(cli_object *object, json_t *array, json_t *value);
/* The object's json, owned by the caller; the failure of `inner` becomes `outer`'s. */
json_t *cli_object_take(cli_object *outer, cli_object inner);

/* An object and a list of objects that will be a member of it. */
typedef struct cli_list {
    cli_object object;
    json_t *items;
} cli_list;

/* Takes over the inner object and its failure. */
void cli_list_add(cli_list *list, cli_object item);
/* Adds the list to its object under `key` and writes the object to standard output; if the status
 * is not TM_OK, only frees it. */
tm_status cli_list_write(cli_list *list, const char *key, tm_status status, tm_error *err);

/* A string from any bytes: those that are not UTF-8 become U+FFFD. */
json_t *cli_json_text(const char *text);
/* The parameters that are set or have a default, with their own types. */
cli_object cli_json_params(const tm_params *params);

/* What a store keeps as JSON. *out is NULL, and the status TM_OK, where the text is none: another
 * program may have written it. */
tm_status cli_read_json(json_t **out, const char *text, tm_error *err);

/* Writes the object on one line with 17 significant digits, and frees it. */
tm_status cli_write_json(cli_object object, FILE *file, tm_error *err);

#endif
