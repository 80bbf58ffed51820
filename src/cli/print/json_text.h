/* JSON as text, with reals in the fewest digits that read back as the same double. */
#ifndef CLI_PRINT_JSON_TEXT_H
#define CLI_PRINT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* False when memory ran out; whether the file took all is for the caller to see. */
bool json_text_write(const json_t *json, FILE *file);

#endif
