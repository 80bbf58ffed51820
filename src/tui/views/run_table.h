/* The table of the runs view: its titles and its rows. */
#ifndef TUI_VIEWS_RUN_TABLE_H
#define TUI_VIEWS_RUN_TABLE_H

#include "tui/terminal/terminal.h"
#include "tui/views/run_list.h"

/* Draws the titles; the one of the sorted column has an arrow. */
void run_table_titles(terminal *t, rect at, const run_list *list);
void run_table_row(terminal *t, rect at, const run_row *row, bool marked, bool selected);
/* The order of the title at screen column `col`; RUN_ORDERS: there is no title. */
run_order run_table_title_at(int col, int cols);
/* A box with the run's parameters and result. */
void run_table_details(terminal *t, rect area, const run_row *row);

#endif
