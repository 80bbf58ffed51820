/* Lua values as bytes, to go from one Lua state to another and into a store: nil, true, false,
 * numbers, text, tables of them, lists of numbers that are objects; and, where the receiver is a
 * state of this process, functions with what they capture, and data sets, which are shared. */
#ifndef SCRIPT_OBJECTS_PACK_H
#define SCRIPT_OBJECTS_PACK_H

#include "script/common/state.h"
#include "tamis/dataset.h"

typedef struct script_packed {
    uint8_t *bytes;
    size_t size, capacity;
    bool plain;          /* functions and data sets are refused; set before packing */
    bool plain_code;     /* functions go without the lines they come from; likewise */
    tm_dataset **shared; /* references */
    size_t shared_count;
} script_packed;

/* Learns the names of the functions that every state has. */
void script_pack_open(lua_State *L);
/* Appends the value at `index`; raises with `what` in the message when it cannot be packed. Equal
 * values give equal bytes: tables by their keys in order, data sets by their fingerprint. */
void script_pack(lua_State *L, int index, script_packed *out, const char *what);
/* Pushes the value. Bytes that are not whole raise. */
void script_unpack(lua_State *L, const script_packed *packed);
void script_packed_free(script_packed *packed);
/* 32 digits that differ for different bytes, as far as chance goes, from 0 and `seed` on. */
void script_packed_key(const script_packed *packed, uint64_t seed, char key[33]);

#endif
