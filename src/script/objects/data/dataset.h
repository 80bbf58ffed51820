/* Data sets. */
#ifndef SCRIPT_OBJECTS_DATA_DATASET_H
#define SCRIPT_OBJECTS_DATA_DATASET_H

#include "script/common/class.h"

extern const script_class script_dataset_class;

/* Pushes an object, which takes a reference. */
void script_push_dataset(lua_State *L, const tm_dataset *data);
/* Pushes an empty data set object, to be filled in by the library. */
tm_dataset **script_new_dataset(lua_State *L);
/* Notifies the host of the data set on top of the stack, and returns 1. */
int script_announce_dataset(lua_State *L, tm_dataset *data);
tm_dataset *script_check_dataset(lua_State *L, int index, const char *who);

/* tm.load(path, options): reads the file as described by `like`, unless it is NULL; with `may_lack`
 * it need not have a response. `extras` are fields of the options that are not options of the
 * reader. */
int script_load_dataset(lua_State *L, const tm_reading *like, bool may_lack,
                        const char *const *extras);
int script_tm_synth(lua_State *L);
int script_tm_dataset(lua_State *L);
extern const char *const script_dataset_extras[]; /* extra keys of tm.dataset */

#endif
