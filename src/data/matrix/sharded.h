/* A matrix whose columns are distributed over processes: column j is stored by rank j % size. */
#ifndef DATA_MATRIX_SHARDED_H
#define DATA_MATRIX_SHARDED_H

#include "tamis/comm.h"
#include "tamis/matrix.h"

/* The shard of `whole` for this rank. `whole` is only read, and may be freed unless it is mapped
 * from a file. `comm` must outlive the matrix. */
tm_status matrix_new_sharded(tm_matrix **out, const tm_matrix *whole, const tm_comm *comm,
                             tm_error *err);

#endif
