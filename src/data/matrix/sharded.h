/* A matrix whose columns are dealt out over processes: column j is kept by rank j % size. */
#ifndef DATA_MATRIX_SHARDED_H
#define DATA_MATRIX_SHARDED_H

#include "tamis/comm.h"
#include "tamis/matrix.h"

/* The shard of `whole` that this rank keeps. `whole` is only read, and may be freed unless it is
 * read from a file in place. `comm` must outlive the matrix. */
tm_status matrix_new_sharded(tm_matrix **out, const tm_matrix *whole, const tm_comm *comm,
                             tm_error *err);

#endif
