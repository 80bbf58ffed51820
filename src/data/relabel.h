/* A data set with another response, or with numbers taken off its columns. */
#ifndef DATA_RELABEL_H
#define DATA_RELABEL_H

#include "tamis/dataset.h"

/* The same matrix (shared), names and weights with the classes y = +-1 of these labels. y: n
 * values, malloc'ed, ownership taken, also on failure. */
tm_status dataset_relabel(tm_dataset **out, const tm_dataset *data, const char *name, double *y,
                          const char *negative, const char *positive, tm_error *err);

/* What is taken off: amounts[k] of the column features[k] (ascending, count of them), and
 * `response` of y, which is 0 for two classes. */
typedef struct dataset_shift {
    const size_t *features;
    const double *amounts;
    size_t count;
    double response;
} dataset_shift;

/* The same data set in all else; the columns that are not shifted are shared. */
tm_status dataset_shifted(tm_dataset **out, const tm_dataset *data, const dataset_shift *by,
                          tm_error *err);

#endif
