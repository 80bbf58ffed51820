/* Figures of runs or of numbers: tm.plot. */
#ifndef SCRIPT_OBJECTS_PLOT_H
#define SCRIPT_OBJECTS_PLOT_H

#include "plot/figure.h"
#include "script/common/class.h"

extern const script_class script_plot_class;

int script_tm_plot(lua_State *L);
const tm_param_info *script_plot_params(size_t *count);
extern const char *const script_plot_extras[];

/* Of plot_picture.c: numbers on a grid, tm.plot{picture={...}}. */
typedef struct plot_numbers {
    double *values; /* NULL: there is no picture */
    plot_slices slices;
} plot_numbers;

/* Reads picture, shape and slice of the table at 1. */
void plot_picture_read(lua_State *L, const char *owner, plot_numbers *out);

#endif
