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

/* The result as JSON on standard output. */
tm_status fit_print_json(const fit_result *result, tm_error *err);
/* The result for people on standard output. */
tm_status fit_print_page(const fit_result *result, const cli_terminal *terminal, tm_error *err);

#endif
