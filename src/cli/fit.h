/* What `tamis fit` found, and its two forms: a page and JSON. */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "cli/print/output_kind.h"
#include "tamis/job.h"

typedef struct fit_result {
    const tm_job *job;      /* ended, not failed */
    const tm_point *points; /* the job's */
    size_t point_count;
    bool path;          /* more than one lambda was asked for */
    tm_outcome outcome; /* the worst of the points; cancelled when the job was */
    tm_stop stop;       /* of the last point with that outcome */
} fit_result;

/* Room for the name of a feature. */
enum { NAME_BYTES = 512 };

/* Sums over the points: what the whole run cost. */
typedef struct fit_cost {
    double seconds, passes;
    uint64_t columns, updates, epochs;
} fit_cost;

fit_cost fit_total_cost(const fit_result *result);
const tm_solution *fit_last_solution(const fit_result *result);
/* Whether a cutting plane found the bounds: then they are called upper and lower. */
bool fit_has_bounds(const tm_solution *s, const tm_params *params);
/* Calls `use` for every metric that applies to the model and is defined on the data; *confusion is
 * left alone when the response is a number. */
tm_status fit_each_score(const tm_model *model, const tm_dataset *data,
                         void (*use)(const char *name, double value, void *payload), void *payload,
                         tm_confusion *confusion, tm_error *err);

/* The result as JSON on standard output. */
tm_status fit_print_json(const fit_result *result, tm_error *err);
/* The result for people on standard output. */
tm_status fit_print_page(const fit_result *result, const cli_terminal *terminal, tm_error *err);

#endif
