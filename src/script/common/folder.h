/* Restricts the files of a script in the sandbox to the working folder. */
#ifndef SCRIPT_COMMON_FOLDER_H
#define SCRIPT_COMMON_FOLDER_H

#include "script/common/state.h"

/* Raises an error if the script runs in the sandbox and the path, after resolving symbolic links,
 * is outside the working folder. */
void script_check_inside(lua_State *L, const char *path);

#endif
