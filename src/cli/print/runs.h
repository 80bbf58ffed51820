/* The run store as tables, pages, JSON and CSV, on standard output. */
#ifndef CLI_PRINT_RUNS_H
#define CLI_PRINT_RUNS_H

#include "cli/print/json.h"
#include "cli/print/output_kind.h"
#include "tamis/store.h"

/* The runs that match the filter as an aligned table, or as {"store", "runs": [...]}. */
tm_status runs_print_table(tm_store *store, const tm_store_filter *filter, tm_error *err);
tm_status runs_print_json(tm_store *store, const tm_store_filter *filter, tm_error *err);
/* One run with its parameters and points. */
tm_status runs_print_page(tm_store *store, int64_t id, const cli_terminal *terminal, tm_error *err);
tm_status runs_print_run_json(tm_store *store, int64_t id, tm_error *err);
/* The points of a run as CSV. */
tm_status runs_print_csv(tm_store *store, int64_t id, tm_error *err);

/* Several runs side by side: the parameters they differ in, and their results. */
tm_status runs_compare(tm_store *store, const int64_t *ids, size_t count, bool json, tm_error *err);

/* Tags, a list of texts, and the note. */
void runs_set_label(cli_object *object, const tm_stored_label *label);
/* The same as lines of a page, if there are any. */
void runs_print_label(const tm_stored_label *label);

#endif
