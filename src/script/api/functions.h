/* The functions of the table tm, one row each. */
#ifndef SCRIPT_API_FUNCTIONS_H
#define SCRIPT_API_FUNCTIONS_H

#include "script/common/class.h"

typedef struct script_function {
    const char *name;
    const char *args; /* "(path, {options})" */
    const char *help; /* lines */
    lua_CFunction call;
    const script_keys *keys; /* keys of its table argument, or NULL */
} script_function;

const script_function *script_function_at(size_t i); /* functions of tm; NULL past the end */
const script_function *script_function_find(const char *name);
/* Makes the global tables tm and tamis. */
void script_functions_open(lua_State *L);

#endif
