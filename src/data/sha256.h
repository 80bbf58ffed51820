/* The fingerprint of a data set's content. */
#ifndef DATA_SHA256_H
#define DATA_SHA256_H

#include "tamis/dataset.h"

/* SHA-256 over the sizes, the n values of y, the non-zero entries of every column, and the n
 * weights and offsets where there are some (NULL: none), as 64 hex digits and a NUL. Equal values
 * give equal digits, however the matrix is stored and whatever the byte order of the machine; -0
 * counts as 0. `scratch` is room for n values. */
void data_sha256(const tm_matrix *x, const double *y, const double *weights, const double *offset,
                 double *scratch, char hex[65]);
/* The same of the names of all columns in their order. */
void data_sha256_names(const tm_dataset *data, char hex[65]);

#endif
