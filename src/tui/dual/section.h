/* The dual of any problem cut by a plane in which one feature's bound can be seen as it is.
 *
 * The plane goes through the ball's centre c, along the feature x_j and along the normal of the
 * rule's half-space; without a half-space along theta - c, and where theta is the centre, towards
 * the optimum. Coordinates of a dual point are x_j'theta / f_j to the right, and upwards the other
 * direction on the same scale |x_j| / f_j, from c. So the feature's constraint is the two lines at
 * 1 and -1, the ball is a disc of radius r |x_j| / f_j, and the furthest that disc and half-space
 * reach to the side is the feature's bound: the plane has the point of the region where it is
 * attained. Points outside of the plane are projected; that leaves x_j'theta and the distances to
 * the constraint and to the half-space as they are. */
#ifndef TUI_DUAL_SECTION_H
#define TUI_DUAL_SECTION_H

#include "plot/figure.h"
#include "tui/session/replay.h"

typedef struct section_point {
    bool known;
    double at[2];
    double off; /* distance from the plane, on the picture's scale; 0 but for rounding: none */
} section_point;

typedef struct section {
    const char *missing; /* why there is no picture; NULL: there is one */
    char name[64];       /* of the feature */
    double length, factor;
    double radius; /* of the disc; NaN: the step has no ball */
    double bound;  /* what the step found for the feature; NaN: it did not look at it */
    int sign;      /* 1 or -1: the weight has this sign alone, and there is one line; else 0 */
    section_point centre, theta, optimum;
    bool solved;              /* the optimum is one, within the tolerance */
    bool cut;                 /* by the half-space normal'at <= offset */
    double normal[2], offset; /* of length 1 */
} section;

/* Of a feature in a step of the replay. TM_ENOMEM. */
tm_status section_of(section *out, const replay *r, size_t step, size_t feature, tm_error *err);
/* Draws it for an area of so many cells. The ball is always in sight: where it would be less than a
 * tenth of what there is to see, the picture is around the ball. */
tm_status section_fill(const section *s, plot_figure *figure, int rows, int cols, tm_error *err);

enum { SECTION_LINES = 4 };
/* What the picture says in numbers, and what in it is a projection: line 0 to SECTION_LINES - 1; ""
 * when there is none. */
void section_line(const section *s, int line, char *buffer, size_t size);

#endif
