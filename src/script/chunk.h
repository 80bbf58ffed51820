/* A chunk: Lua text or a file, with what it needs to run. */
#ifndef SCRIPT_CHUNK_H
#define SCRIPT_CHUNK_H

#include "script/common/state.h"

typedef struct script_chunk {
    struct script_chunk *next;
    uint64_t ticket;
    char *text; /* NULL: a file */
    char *name; /* chunk name, or the file's path */
    char **args;
    size_t arg_count;
    lua_CFunction call; /* called instead of text or file, with its argument; or NULL */
    void *payload;
    bool echo;
    bool unreadable; /* set when the file could not be read */
} script_chunk;

void script_chunk_free(script_chunk *chunk); /* NULL is allowed */
/* Compiles and runs it on the script thread, and clears what it leaves on the stack. */
tm_status script_chunk_run(script *self, script_chunk *chunk, tm_error *err);

#endif
