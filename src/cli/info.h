/* Facts about a data set that take a pass over it. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cli/print/context.h"
#include "tamis/classes.h"

typedef struct info_pair {
    size_t feature, same_as; /* from 0; same_as is the first column with these values */
} info_pair;

typedef struct info_strong {
    size_t feature;
    double correlation; /* with the response */
} info_strong;

enum { INFO_STRONGEST = 5 };

typedef struct info_facts {
    double density;                      /* share of entries that are not zero */
    double x_min, x_max;                 /* zeros that are not stored included */
    double deviation_min, deviation_max; /* standard deviations of the columns that vary; NaN */
    bool unscaled;                       /* they differ by a factor above 100 */
    size_t *constants;                   /* ascending */
    size_t constant_count;
    info_pair *duplicates; /* exact, ascending by feature; constant columns left out */
    size_t duplicate_count;
    info_strong
        strongest[INFO_STRONGEST]; /* by their size; none when the response is of many classes */
    size_t strongest_count;
    size_t class_counts[2]; /* rows of class -1 and +1 */
    tm_classes classes;     /* more than two that have names; else none */
    double y_min, y_max, y_mean;
    size_t y_distinct;
} info_facts;

/* The least and the greatest standard deviation of the columns that vary, NaN without any; true
 * when they differ by a factor above 100, so that methods do better on standardized columns. */
bool info_deviations(const tm_dataset *data, double *least, double *greatest);
/* Costs two passes over the matrix and a sort of p fingerprints. Cleared by info_clear, also after
 * a failure. */
tm_status info_find(info_facts *facts, const tm_dataset *data, tm_error *err);
void info_clear(info_facts *facts);

/* Whether the file is a model that tamis has saved; "-" is none. */
bool info_is_model(const char *path);
/* The page or the JSON object about it; the exit status. */
int info_model(const char *path, bool json, const cli_context *context);

#endif
