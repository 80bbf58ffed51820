/* The operations of each view, by view_id (the rows are in shell/view_rows.h). */
#ifndef TUI_VIEWS_TABLE_H
#define TUI_VIEWS_TABLE_H

#include "tui/shell/view.h"

extern const view_ops *const view_table[VIEW_COUNT];

#endif
