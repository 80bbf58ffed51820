/* A matrix with numbers taken off some of its columns. */
#ifndef DATA_MATRIX_SHIFTED_H
#define DATA_MATRIX_SHIFTED_H

#include "tamis/matrix.h"

/* The columns features[0..count-1] (ascending) less amounts[k] in every row, the others as they
 * are: those few are kept in double precision, n values each. A reference to `whole` is taken. */
tm_status matrix_new_shifted(tm_matrix **out, const tm_matrix *whole, const size_t *features,
                             const double *amounts, size_t count, tm_error *err);

#endif
