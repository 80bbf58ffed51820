/* The dual of a problem with two samples as a picture: the polygon of feasible points and what a
 * step of the solver bounds its optimum to. */
#ifndef TUI_DUAL_POLYGON_H
#define TUI_DUAL_POLYGON_H

#include "plot/figure.h"
#include "tui/session/replay.h"

enum { POLYGON_MAX = 256, POLYGON_NAMED = 6 };

typedef struct polygon {
    size_t count;
    double x[POLYGON_MAX], y[POLYGON_MAX];
    bool known; /* false: the data do not have two rows */
    double optimum[2];
    /* The features' constraints x'theta = 1 and -1, where there are few enough to be named. */
    size_t named;
    char names[POLYGON_NAMED][24];
    double normals[POLYGON_NAMED][2];
} polygon;

/* The feasible region |x_j'theta| <= f_j of the job's problem, at most POLYGON_MAX corners of it,
 * and the dual optimum as the job's answer has it. */
void polygon_of(polygon *g, const tm_job *job);
/* Draws it into the figure with the step's ball, half-space and dual point; rows and cols of the
 * area, in which a unit is to be as wide as it is high. */
tm_status polygon_fill(const polygon *g, const tm_screen_step *step, plot_figure *figure, int rows,
                       int cols, tm_error *err);

#endif
