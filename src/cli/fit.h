/* What `tamis fit` found, and its two faces: a page for people and JSON. */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "cli/json.h"
#include "cli/terminal.h"
#include "tamis/job.h"

typedef struct fit_result {
    const tm_job *job;      /* ended, not failed */
    const tm_point *points; /* the job's */
    size_t point_count;
    bool path;          /* more than one lambda was asked for */
    tm_outcome outcome; /* the worst of the points; cancelled when the job was */
} fit_result;

/* Scores with every metric that applies, as NAME: VALUE; those that are undefined are left out. */
tm_status fit_scores_json(cli_object *out, const tm_model *model, const tm_dataset *data,
                          tm_error *err);
/* The result as JSON on standard output. */
tm_status fit_print_json(const fit_result *result, tm_error *err);
/* The result for people on standard output. */
tm_status fit_print_page(const fit_result *result, const cli_terminal *terminal, tm_error *err);

/* Calls `use` for every metric that applies to the model and the data and is defined there. */
tm_status fit_each_score(const tm_model *model, const tm_dataset *data,
                         void (*use)(const tm_metric *metric, double value, void *payload),
                         void *payload, tm_error *err);

/* Sums over the points, "passes" among them: what the whole run cost. */
typedef struct fit_cost {
    double seconds, passes;
    uint64_t columns, updates;
} fit_cost;
fit_cost fit_total(const fit_result *result);

#endif
