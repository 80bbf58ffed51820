/* Rectangles of cells. */
#ifndef TUI_TERMINAL_RECT_H
#define TUI_TERMINAL_RECT_H

#include <stdbool.h>

typedef struct rect {
    int row, col, rows, cols;
} rect;

/* The area without its outermost cells, where the frame is drawn. */
rect rect_inside(rect area);
bool rect_has(rect area, int row, int col);

#endif
