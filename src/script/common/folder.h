/* Files of a script that runs in the sandbox lie inside the working folder. */
#ifndef SCRIPT_COMMON_FOLDER_H
#define SCRIPT_COMMON_FOLDER_H

#include "script/common/state.h"

/* Raises when the script runs in the sandbox and the path, its symbolic links followed, leads out
 * of the working folder. */
void script_check_inside(lua_State *L, const char *path);

#endif
