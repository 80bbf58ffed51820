/* The table of the runs view: its titles and its rows. */
#ifndef TUI_VIEWS_RUN_TABLE_H
#define TUI_VIEWS_RUN_TABLE_H

#include "tui/terminal/terminal.h"
#include "tui/views/run_list.h"

/* Draws the titles; that of the column sorted by has an arrow. */
void runtable_titles(screen *s, rect at, const runlist *list);
void runtable_row(screen *s, rect at, const run_row *row, bool marked, bool selected);
/* The order that the title `col` columns from the left stands for; RUN_ORDERS: there is no title.
 */
run_order runtable_title_at(int col, int cols);
/* A box with the run's parameters and result. */
void runtable_details(screen *s, rect area, const run_row *row);

#endif
