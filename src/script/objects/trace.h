/* Traces: the events of a run. */
#ifndef SCRIPT_OBJECTS_TRACE_H
#define SCRIPT_OBJECTS_TRACE_H

#include "script/common/class.h"

extern const script_class script_trace_class, script_series_class;

void script_push_trace(lua_State *L, const tm_job *job);

#endif
