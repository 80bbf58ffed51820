/* The markers of series, as outlines. */
#include "plot/file/pen.h"

/* ---- markers ------------------------------------------------------------------------------- */

size_t plot_mark_outline(const plot_colour *colour, const double **corners, bool *open)
{
    static const double triangle[] = {0, -1.15, 1.1, 0.8, -1.1, 0.8};
    static const double square[] = {-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9};
    static const double diamond[] = {0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0};
    static const double down[] = {0, 1.15, 1.1, -0.8, -1.1, -0.8};
    static const double right[] = {1.15, 0, -0.8, 1.1, -0.8, -1.1};
    static const double left[] = {-1.15, 0, 0.8, 1.1, 0.8, -1.1};
    static const double star[] = {0, -1.3, 0.31,  -0.43, 1.24, -0.4, 0.5,   0.16, 0.76,  1.05,
                                  0, 0.53, -0.76, 1.05,  -0.5, 0.16, -1.24, -0.4, -0.31, -0.43};
    uint32_t mark = colour->mark;
    *open = mark == 0x25cb || mark == 0x25b3 || mark == 0x25a1 || mark == 0x25c7 ||
            mark == 0x25bd || mark == 0x2606 || mark == 0x25b7 || mark == 0x25c1;
    switch (mark) {
    case 0x25b2:
    case 0x25b3:
        *corners = triangle;
        return 3;
    case 0x25a0:
    case 0x25a1:
        *corners = square;
        return 4;
    case 0x25c6:
    case 0x25c7:
        *corners = diamond;
        return 4;
    case 0x25bc:
    case 0x25bd:
        *corners = down;
        return 3;
    case 0x25b6:
    case 0x25b7:
        *corners = right;
        return 3;
    case 0x25c0:
    case 0x25c1:
        *corners = left;
        return 3;
    case 0x2605:
    case 0x2606:
        *corners = star;
        return 10;
    default:
        *corners = NULL;
        return 0;
    }
}
