/* Figures of runs or of numbers: tm.plot. */
#ifndef SCRIPT_OBJECTS_PLOT_H
#define SCRIPT_OBJECTS_PLOT_H

#include "script/common/class.h"

extern const script_class script_plot_class;

int script_tm_plot(lua_State *L);
const tm_param_info *script_plot_params(size_t *count);
extern const char *const script_plot_extras[];

#endif
