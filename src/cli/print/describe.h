/* Parameters in words, for help pages and the reference. All functions write to a buffer and never
 * fail. */
#ifndef CLI_PRINT_DESCRIBE_H
#define CLI_PRINT_DESCRIBE_H

#include "tamis/params.h"

/* The name as an option: '_' becomes '-'. */
void describe_option(const char *name, char *buffer, size_t size);
/* "real", "integer", "boolean", "choice", "text", "list of reals". */
const char *describe_type(const tm_param_info *info);
/* A placeholder for the value: "R", "N", "true|false", "none|gap|saif", ... */
void describe_value(const tm_param_info *info, char *buffer, size_t size);
/* "> 0 and <= 1"; "" if everything is allowed. */
void describe_range(const tm_param_info *info, char *buffer, size_t size);
/* " (> 0 and <= 1, in s; default 1e-6)"; "" if there are none. */
void describe_limits(const tm_param_info *info, char *buffer, size_t size);

#endif
