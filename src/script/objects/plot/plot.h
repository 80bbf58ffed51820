/* Figures of runs or of numbers: tm.plot. */
#ifndef SCRIPT_OBJECTS_PLOT_PLOT_H
#define SCRIPT_OBJECTS_PLOT_PLOT_H

#include "plot/figure.h"
#include "script/common/class.h"
#include "tamis/job.h"

extern const script_class script_plot_class;

int script_tm_plot(lua_State *L);
const tm_param_info *script_plot_params(size_t *count);
extern const char *const script_plot_extras[];

/* A line of the figure; its arrays are malloc'ed. */
typedef struct script_line {
    char *name;
    plot_mark mark;
    double *x, *y;
    size_t count;
} script_line;

/* The quantities of a run on the two axes. */
typedef struct script_axes {
    const char *x, *y;
    bool scores;  /* y are scores */
    tm_scorer by; /* metric of the scores; no metric: the default for the data */
} script_axes;

/* The metric for scores of a run on these data. */
tm_scorer script_axes_scorer(const script_axes *axes, const tm_dataset *train);
/* Makes room for `count` zeroed values; false when memory runs out. */
bool script_line_reserve(script_line *to, size_t count);
/* Fills in the present data of the run; false when memory runs out. */
bool script_line_of_run(script_line *to, const tm_job *job, const script_axes *axes);

/* Defined in picture.c: numbers on a grid, tm.plot{picture={...}}. */
typedef struct plot_numbers {
    double *values; /* NULL: there is no picture */
    plot_slices slices;
} plot_numbers;

/* Reads picture, shape and slice of the table at 1. */
void plot_picture_read(lua_State *L, const char *owner, plot_numbers *out);

#endif
