/* The chosen weights in parts: neighbours of equal weight (levels), or groups. */
#ifndef TUI_VIEWS_PICTURE_LEVELS_H
#define TUI_VIEWS_PICTURE_LEVELS_H

#include "tui/views/picture/layout.h"

typedef struct level {
    size_t first, last; /* features; for a level the smallest and the largest */
    size_t size;        /* number of features */
    double value;       /* their weight; for a group the norm of its weights */
    size_t group;       /* or TM_NO_GROUP */
} level;

typedef struct levels {
    level *at; /* by |value|, descending */
    size_t count;
    size_t *of; /* p values: the level of each feature, or SIZE_MAX */
} levels;

/* Computes the parts whose weights are not 0. */
tm_status levels_make(levels *out, const layout *l, const double *weights, tm_error *err);
void levels_clear(levels *v);

#endif
