/* The files that parameters name: graphs and groups. Their content determines results, as the
 * parameters' values do. */
#ifndef RUN_PLAN_FILES_H
#define RUN_PLAN_FILES_H

#include "run/plan/plan.h"

#include <jansson.h>

/* The digests of the files that the parameters of the plan's points name, by path; those that
 * cannot be read have none. NULL when memory ran out. */
json_t *sweep_files(const sweep_plan *plan);
/* The digest of parameter i's file, or NULL. */
const char *sweep_files_digest(const json_t *files, const tm_params *params, size_t i);

#endif
