/* Serialises Lua values, to pass them from one Lua state to another and into a store: nil, true,
 * false, numbers, text, tables of them, lists of numbers that are objects; and, if the receiver is
 * in this process, functions with their captured values, and data sets, which are shared. */
#ifndef SCRIPT_OBJECTS_PACK_H
#define SCRIPT_OBJECTS_PACK_H

#include "script/common/state.h"
#include "tamis/dataset.h"

typedef struct script_packed {
    uint8_t *bytes;
    size_t size, capacity;
    bool plain;          /* functions and data sets are refused; set before packing */
    bool plain_code;     /* functions are packed without their line numbers; set before packing */
    tm_dataset **shared; /* references */
    size_t shared_count;
} script_packed;

/* Records the names of the functions that every state has. */
void script_pack_open(lua_State *L);
/* Appends the value at `index`; raises an error with `what` in the message if it cannot be packed.
 * Equal values give equal bytes: tables are packed in key order, data sets by their fingerprint. */
void script_pack(lua_State *L, int index, script_packed *out, const char *what);
/* Pushes the value. Incomplete bytes raise an error. */
void script_unpack(lua_State *L, const script_packed *packed);
void script_packed_free(script_packed *packed);
/* A hash of the bytes and `seed` as 32 digits. */
void script_packed_key(const script_packed *packed, uint64_t seed, char key[33]);

#endif
