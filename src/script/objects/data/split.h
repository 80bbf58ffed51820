/* Splits and folds of a data set: d:split and d:folds. */
#ifndef SCRIPT_OBJECTS_DATA_SPLIT_H
#define SCRIPT_OBJECTS_DATA_SPLIT_H

#include "script/common/state.h"

const tm_param_info *script_split_params(size_t *count);
const tm_param_info *script_folds_params(size_t *count);
extern const char *const script_split_extras[]; /* "groups" */
/* Reads the list of this key of the table at `index` as ids, one per row, into a block that is
 * pushed; NULL if there is none. Equal numbers or strings form one group; groups are numbered by
 * first appearance. */
const size_t *script_args_row_groups(lua_State *L, int index, const char *owner, const char *key,
                                     size_t n);
int script_data_split(lua_State *L);
int script_data_folds(lua_State *L);

#endif
