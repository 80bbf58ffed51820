/* Facts about a data set that require a pass over it. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cli/print/context.h"
#include "tamis/classes.h"

typedef struct info_pair {
    size_t feature, same_as; /* counted from 0; same_as is the first column with these values */
} info_pair;

typedef struct info_strong {
    size_t feature;
    double correlation; /* correlation with the response */
} info_strong;

enum { INFO_STRONGEST = 5 };

typedef struct info_facts {
    double density;                      /* share of entries that are not zero */
    double x_min, x_max;                 /* range of the values, including zeros that are not
                                          * stored */
    double deviation_min, deviation_max; /* range of the standard deviations of columns that vary;
                                          * NaN without any */
    bool unscaled;                       /* these differ by a factor of more than 100 */
    size_t *constants;                   /* ascending */
    size_t constant_count;
    info_pair *duplicates; /* exact duplicates, ascending by feature, without constant columns */
    size_t duplicate_count;
    info_strong strongest[INFO_STRONGEST]; /* by |correlation|; none if the response has more than
                                            * two classes */
    size_t strongest_count;
    size_t class_counts[2]; /* number of rows of class -1 and +1 */
    tm_classes classes;     /* classes if there are more than two with names; else empty */
    double y_min, y_max, y_mean;
    size_t y_distinct;
} info_facts;

/* The least and the greatest standard deviation of the columns that vary, NaN without any; true if
 * they differ by a factor of more than 100, so that methods do better on standardized columns. */
bool info_deviations(const tm_dataset *data, double *least, double *greatest);
/* Takes two passes over the matrix and a sort of p fingerprints. Clear it with info_clear, also
 * after a failure. */
tm_status info_find(info_facts *facts, const tm_dataset *data, tm_error *err);
void info_clear(info_facts *facts);

/* Whether the file is a model saved by tamis; false for "-". */
bool info_is_model(const char *path);
/* Prints the page or the JSON object about the model; returns the exit status. */
int info_model(const char *path, bool json, const cli_context *context);

#endif
