/* A sweep of the run store as tables, JSON, CSV, and an HTML page. */
#ifndef CLI_PRINT_SWEEP_H
#define CLI_PRINT_SWEEP_H

#include "cli/print/output_kind.h"
#include "tamis/store.h"

/* All sweeps as an aligned table, or as {"store", "sweeps": [...]}. */
/* Only those that match the filter's name, tag and note. */
tm_status sweep_print_list(tm_store *store, const tm_store_filter *filter, tm_error *err);
tm_status sweep_print_list_json(tm_store *store, const tm_store_filter *filter, tm_error *err);
/* One sweep: its description and one line for each configuration. */
tm_status sweep_print_page(tm_store *store, int64_t id, const cli_terminal *terminal,
                           tm_error *err);
/* One line for each configuration. */
tm_status sweep_print_configs(const tm_sweep_table *table, tm_error *err);
/* The same with every cell. */
tm_status sweep_print_json(tm_store *store, int64_t id, tm_error *err);
/* Every cell as CSV. */
tm_status sweep_print_csv(tm_store *store, int64_t id, tm_error *err);
/* A self-contained page with tables and figures, written to the file at `path` ("-": standard
 * output). */
tm_status sweep_write_html(tm_store *store, int64_t id, const char *path, tm_error *err);

#endif
