#include "tui/widgets/bars.h"

#include <math.h>
#include <stdio.h>

enum { CELLS_MAX = 120, CELL_BYTES = 3 };

void bar_draw(terminal *t, int row, int col, int width, double share, int colour, bool light)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    char bar[CELLS_MAX * CELL_BYTES + 8];
    size_t used = 0;
    if (width <= 0 || !(share > 0))
        return;
    width = width < CELLS_MAX ? width : CELLS_MAX;
    int units = (int)lround((share < 1 ? share : 1.0) * width * 8.0);
    const char *full = terminal_utf8(t) ? (light ? "▒" : "█") : light ? "-" : "+";
    for (int i = 0; i < units / 8; i++)
        used += (size_t)snprintf(bar + used, sizeof bar - used, "%s", full);
    if (terminal_utf8(t) && !light)
        used += (size_t)snprintf(bar + used, sizeof bar - used, "%s", eighths[units % 8]);
    if (used == 0)
        snprintf(bar, sizeof bar, "%s", terminal_pick(t, light ? "▒" : "▏", full));
    terminal_put_colour(t, row, col, width, colour, bar);
}
