/* Data sets with another response, or with numbers subtracted from the columns. */
#ifndef DATA_RELABEL_H
#define DATA_RELABEL_H

#include "tamis/dataset.h"

/* The same matrix (shared), names and weights, with the classes y = +-1 of these labels. y: n
 * values, malloc'ed; takes ownership, also on failure. */
tm_status dataset_relabel(tm_dataset **out, const tm_dataset *data, const char *name, double *y,
                          const char *negative, const char *positive, tm_error *err);

/* Whether the classes have the same names, or both responses are numeric. */
bool dataset_same_classes(const tm_dataset *a, const tm_dataset *b);
/* Concatenates the responses of several data sets with different classes, as if their rows had been
 * read together: classes of the same name are the same. The result goes to `out` (empty), without
 * its name; the caller frees its content also after a failure. */
tm_status dataset_join_responses(tm_response *out, const tm_dataset *const *list, size_t count,
                                 tm_error *err);

/* What is subtracted: amounts[k] from the column features[k] (ascending, `count` of them), and
 * `response` from y, which is 0 for two classes. */
typedef struct dataset_shift {
    const size_t *features;
    const double *amounts;
    size_t count;
    double response;
} dataset_shift;

/* The data set with these shifts; the columns that are not shifted are shared. */
tm_status dataset_shifted(tm_dataset **out, const tm_dataset *data, const dataset_shift *by,
                          tm_error *err);

#endif
