/* The table of the runs view: its titles and its rows. */
#ifndef TUI_VIEWS_RUN_TABLE_H
#define TUI_VIEWS_RUN_TABLE_H

#include "tui/terminal/terminal.h"
#include "tui/views/run_list.h"

/* Draws the titles; that of the column sorted by has an arrow. */
void run_table_titles(terminal *t, rect at, const run_list *list);
void run_table_row(terminal *t, rect at, const run_row *row, bool marked, bool selected);
/* The order that the title `col` columns from the left stands for; RUN_ORDERS: there is no title.
 */
run_order run_table_title_at(int col, int cols);
/* A box with the run's parameters and result. */
void run_table_details(terminal *t, rect area, const run_row *row);

#endif
