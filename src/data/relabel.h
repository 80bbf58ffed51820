/* A data set with another response, or with numbers taken off its columns. */
#ifndef DATA_RELABEL_H
#define DATA_RELABEL_H

#include "tamis/dataset.h"

/* The same matrix (shared), names and weights with the classes y = +-1 of these labels. y: n
 * values, malloc'ed, ownership taken, also on failure. */
tm_status dataset_relabel(tm_dataset **out, const tm_dataset *data, const char *name, double *y,
                          const char *negative, const char *positive, tm_error *err);

/* Whether the classes have the same names, or both responses are of numbers. */
bool dataset_same_classes(const tm_dataset *a, const tm_dataset *b);
/* The response of several data sets of different classes one below the other, as if their rows had
 * been read together: classes of the same name are the same. Into `out` (empty) without its name;
 * also after a failure what is in it is the caller's. */
tm_status dataset_join_responses(tm_response *out, const tm_dataset *const *list, size_t count,
                                 tm_error *err);

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
