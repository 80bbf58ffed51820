/* Restricts the files of a script in the sandbox to the working folder. */
#ifndef SCRIPT_COMMON_FOLDER_H
#define SCRIPT_COMMON_FOLDER_H

#include "script/common/state.h"

/* Raises an error if the script runs in the sandbox and the path, after resolving symbolic links,
 * is outside the working folder. */
void script_check_inside(lua_State *L, const char *path);

/* The same for a data set that is read, with the files beside it that a reader opens by itself. */
void script_check_readable(lua_State *L, const char *path);
/* The same for a text that may be the name of a file or have one among its words, as the values of
 * parameters: raises an error if there is such a file, and outside. */
void script_check_words(lua_State *L, const char *text);

#endif
