/* A summary of data before fitting: the correlation of each feature with the response, and warnings
 * about unusual data. */
#ifndef TAMIS_FACTS_H
#define TAMIS_FACTS_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"

/* out[j], p of them: the correlation of feature j with the response, 0 if either is constant. One
 * pass over the matrix; TM_ECANCELLED when `cancel` (or NULL) is set during the pass. */
tm_status tm_dataset_correlations(double *out, const tm_dataset *data, tm_cancel *cancel,
                                  tm_error *err);

enum { TM_MAX_WARNINGS = 4, TM_WARNING_TEXT = 200 };

typedef struct tm_warnings {
    char text[TM_MAX_WARNINGS][TM_WARNING_TEXT];
    size_t count;
} tm_warnings;

/* Warnings about rare classes, numbers that were treated as classes or may be classes, and columns
 * of very different scale. Reads only the response and the columns' deviations. */
void tm_dataset_warnings(tm_warnings *out, const tm_dataset *data);

#endif
