/* tm.load: a data set from a file, optionally read like another data set or like a model's training
 * data. */
#ifndef SCRIPT_OBJECTS_LOAD_H
#define SCRIPT_OBJECTS_LOAD_H

#include "script/common/state.h"

/* Fields of its options that are not options of the reader. */
extern const char *const script_load_extras[];
int script_tm_load(lua_State *L);

#endif
