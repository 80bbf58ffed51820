/* A picture of the dual of a problem with two samples: the polygon of feasible points, and the
 * region to which a step of the solver confines the optimum. */
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
    /* The features' constraints x'theta = 1 and -1, if there are few enough to be labelled. */
    size_t named;
    char names[POLYGON_NAMED][24];
    double normals[POLYGON_NAMED][2];
} polygon;

/* Computes the feasible region |x_j'theta| <= f_j of the job's problem, with at most POLYGON_MAX
 * corners, and the dual optimum from the job's answer. */
void polygon_of(polygon *g, const tm_job *job);
/* Draws it into the figure with the step's ball, half-space and dual point. rows and cols are the
 * size of the area, in which both axes get the same scale. */
tm_status polygon_fill(const polygon *g, const tm_screen_step *step, plot_figure *figure, int rows,
                       int cols, tm_error *err);

#endif
