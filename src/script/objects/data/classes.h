/* d.classes, d:one_vs_rest: the classes of a data set, and data sets of one. */
#ifndef SCRIPT_OBJECTS_DATA_CLASSES_H
#define SCRIPT_OBJECTS_DATA_CLASSES_H

#include "script/common/state.h"

int script_data_one_vs_rest(lua_State *L);
int script_data_classes(lua_State *L);

#endif
