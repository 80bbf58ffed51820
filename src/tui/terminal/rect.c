#include "tui/terminal/rect.h"

rect rect_inside(rect area)
{
    return (rect){area.row + 1, area.col + 1, area.rows - 2, area.cols - 2};
}

bool rect_has(rect area, int row, int col)
{
    return row >= area.row && row < area.row + area.rows && col >= area.col &&
           col < area.col + area.cols;
}
