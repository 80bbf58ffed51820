/* A data set with another response. */
#ifndef DATA_RELABEL_H
#define DATA_RELABEL_H

#include "tamis/dataset.h"

/* The same matrix (shared), names and weights with the classes y = +-1 of these labels. y: n
 * values, malloc'ed, ownership taken, also on failure. */
tm_status dataset_relabel(tm_dataset **out, const tm_dataset *data, const char *name, double *y,
                          const char *negative, const char *positive, tm_error *err);

#endif
