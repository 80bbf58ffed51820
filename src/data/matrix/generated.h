/* Columns that are generated whenever they are needed, and never stored. */
#ifndef DATA_MATRIX_GENERATED_H
#define DATA_MATRIX_GENERATED_H

#include "data/matrix/random_columns.h"
#include "tamis/matrix.h"

/* The matrix with these columns: the same values that random_columns_draw gives. */
tm_status matrix_new_generated(tm_matrix **out, const random_columns *columns, tm_error *err);

#endif
