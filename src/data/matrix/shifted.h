/* A matrix with numbers subtracted from some of its columns. */
#ifndef DATA_MATRIX_SHIFTED_H
#define DATA_MATRIX_SHIFTED_H

#include "tamis/matrix.h"

/* Subtracts amounts[k] from every row of the columns features[0..count-1] (ascending) and leaves
 * the others unchanged: the shifted columns are stored in double precision, n values each. Takes a
 * reference to `whole`. */
tm_status matrix_new_shifted(tm_matrix **out, const tm_matrix *whole, const size_t *features,
                             const double *amounts, size_t count, tm_error *err);

#endif
