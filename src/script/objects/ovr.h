/* tm.ovr: one against the rest over all classes. */
#ifndef SCRIPT_OBJECTS_OVR_H
#define SCRIPT_OBJECTS_OVR_H

#include "script/common/class.h"

extern const script_class script_ovr_class;

int script_tm_ovr(lua_State *L);

#endif
