/* The result of `tamis fit`, and its two forms: a page and JSON. */
#ifndef CLI_FIT_RESULT_H
#define CLI_FIT_RESULT_H

#include "cli/print/json.h"
#include "cli/print/output_kind.h"
#include "cli/ranks/shard.h"
#include "tamis/job.h"

typedef struct fit_result {
    const tm_job *job;      /* ended, not failed */
    const tm_point *points; /* the job's */
    size_t point_count;
    bool path;          /* more than one lambda was requested */
    tm_outcome outcome; /* the worst outcome of the points; cancelled if the job was */
    tm_stop stop;       /* stop reason of the last point with that outcome */
    shard_size whole;   /* the rows that the job's data are condensed from; n = 0: none */
} fit_result;

/* The buffer size for the name of a feature. */
enum { NAME_BYTES = 512 };

/* The cost of the whole run, summed over the points. */
typedef struct fit_cost {
    double seconds, passes;
    uint64_t columns, updates, epochs;
} fit_cost;

fit_cost fit_total_cost(const fit_result *result);
const tm_solution *fit_last_solution(const fit_result *result);
/* Whether the bounds come from a cutting-plane method; then they are called upper and lower. */
bool fit_has_bounds(const tm_solution *s, const tm_params *params);
/* Calls `use` for every metric that applies to the model and is defined on the data; *confusion is
 * not set if the response is a number. `sums`: only those that sums of squares and products give,
 * for condensed rows. */
tm_status fit_each_score(const tm_model *model, const tm_dataset *data, bool sums,
                         void (*use)(const char *name, double value, void *payload), void *payload,
                         tm_confusion *confusion, tm_error *err);

/* Sets what an answer has in JSON beside costs and scores: its certificate and coefficients. */
void fit_set_answer(cli_object *object, const tm_job *job, const tm_solution *s);
/* Prints the result as JSON on standard output. */
tm_status fit_print_json(const fit_result *result, tm_error *err);
/* Prints the result as a page on standard output. */
tm_status fit_print_page(const fit_result *result, const cli_terminal *terminal, tm_error *err);

#endif
