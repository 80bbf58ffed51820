/* Responses with several classes, and one class against the rest.
 *
 * A numeric response with few distinct values can be treated as classes; a response with more than
 * two texts always is, coded 1, 2, ... in byte order. */
#ifndef TAMIS_CLASSES_H
#define TAMIS_CLASSES_H

#include "tamis/dataset.h"

/* Maximum number of classes of a response. */
enum { TM_MAX_CLASSES = 1000 };

typedef struct tm_classes {
    size_t count;
    char **labels;  /* ascending: numbers by value, texts in byte order */
    double *values; /* y of each class */
    size_t *sizes;  /* number of rows of each class */
} tm_classes;

#define TM_CLASSES_INIT                                                                            \
    {                                                                                              \
        0, NULL, NULL, NULL                                                                        \
    }

/* The classes of the response, two for a binary one. TM_EDATA when it has more than TM_MAX_CLASSES
 * distinct values, or only one. Freed with tm_classes_clear. */
tm_status tm_classes_find(tm_classes *out, const tm_dataset *data, tm_error *err);
void tm_classes_clear(tm_classes *classes);

/* The same rows with the class of this label as +1 and all others, the "rest", as -1; the matrix is
 * shared. A label that no row has: TM_EDATA with a list of the existing ones, or, with `may_lack`,
 * rows that are all -1. */
tm_status tm_dataset_one_vs_rest(tm_dataset **out, const tm_dataset *data, const char *label,
                                 bool may_lack, tm_error *err);

#endif
