/* Errors of the script: raised with their position, and reported with the calls that led there. */
#ifndef SCRIPT_COMMON_ERRORS_H
#define SCRIPT_COMMON_ERRORS_H

#include "script/common/state.h"

/* Raises the library's message, with chunk name and line in front. Does not return. */
int script_raise(lua_State *L, const tm_error *err);
/* Prints the value at `answer`, which a file would have held: nothing is lost with it. */
void script_print_unsaved(lua_State *L, int answer);
/* The same, and raises the message. */
int script_raise_unsaved(lua_State *L, int answer, const tm_error *err);
/* Raises a message given by the caller. */
int script_error(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Calls the function with its arguments on the stack, like lua_pcall; on failure leaves a message
 * with a short traceback. */
int script_call(lua_State *L, int arguments, int results);

#endif
