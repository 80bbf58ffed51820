/* The fingerprint of a data set's content. */
#ifndef DATA_SHA256_H
#define DATA_SHA256_H

#include "tamis/dataset.h"

/* SHA-256 over the dimensions, the n values of y, the nonzero entries of every column, and the n
 * weights and offsets if there are any (NULL: none), as 64 hex digits and a NUL. Equal values give
 * equal digits, independent of the matrix's storage and of the machine's byte order; -0 counts as
 * 0. `scratch` has space for n values. */
void data_sha256(const tm_matrix *x, const double *y, const double *weights, const double *offset,
                 double *scratch, char hex[65]);
/* The same for the names of all columns in order. */
void data_sha256_names(const tm_dataset *data, char hex[65]);

#endif
