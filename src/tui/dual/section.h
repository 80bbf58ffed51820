/* A section of the dual of any problem by a plane that shows one feature's bound at its true size.
 *
 * The plane goes through the ball's centre c and is spanned by the feature x_j and the normal of
 * the rule's half-space; without a half-space by x_j and theta - c, or, where theta is the centre,
 * the direction to the optimum. Coordinates of a dual point are x_j'theta / f_j to the right, and
 * upwards the other direction on the same scale |x_j| / f_j, from c. So the feature's constraint
 * appears as the lines at 1 and -1, the ball as a disc of radius r |x_j| / f_j, and the largest
 * horizontal extent of the disc within the half-space is the feature's bound, because the point
 * where the bound is attained lies in the plane. Points outside the plane are projected, which
 * preserves x_j'theta and the distances to the constraint and to the half-space. */
#ifndef TUI_DUAL_SECTION_H
#define TUI_DUAL_SECTION_H

#include "plot/figure.h"
#include "tui/session/replay.h"

typedef struct section_point {
    bool known;
    double at[2];
    double off; /* distance from the plane, on the picture's scale; 0 if it is only rounding
                 * error */
} section_point;

typedef struct section {
    const char *missing; /* why no picture can be drawn; NULL: it can */
    char name[64];       /* of the feature */
    double length, factor;
    double radius; /* of the disc; NaN: the step has no ball */
    double bound;  /* the feature's bound in the step; NaN: the step did not examine the feature */
    int sign;      /* 1 or -1: the weight is constrained to this sign, and there is one line;
                    * else 0 */
    section_point centre, theta, optimum;
    bool solved;              /* `optimum` is optimal to within the tolerance */
    bool cut;                 /* whether the half-space normal'at <= offset cuts the ball */
    double normal[2], offset; /* of length 1 */
} section;

/* Computes the section for a feature in a step of the replay. Can fail with TM_ENOMEM. */
tm_status section_of(section *out, const replay *r, size_t step, size_t feature, tm_error *err);
/* Draws it for an area of rows x cols cells. The ball is always visible: if it would take less than
 * a tenth of the picture, the window is reduced to its neighbourhood. */
tm_status section_fill(const section *s, plot_figure *figure, int rows, int cols, tm_error *err);

enum { SECTION_LINES = 4 };
/* Lines 0 to SECTION_LINES - 1 of the text beside the picture: its numbers, and which points are
 * projections; "" for an empty line. */
void section_line(const section *s, int line, char *buffer, size_t size);

#endif
