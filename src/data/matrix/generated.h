/* Columns that are drawn again whenever they are needed, and never stored. */
#ifndef DATA_MATRIX_GENERATED_H
#define DATA_MATRIX_GENERATED_H

#include "data/matrix/random_columns.h"
#include "tamis/matrix.h"

/* The matrix of these columns: the same values as random_columns_values gives. */
tm_status matrix_new_generated(tm_matrix **out, const random_columns *columns, tm_error *err);

#endif
