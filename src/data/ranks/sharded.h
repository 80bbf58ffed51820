/* A matrix whose columns are distributed over processes: column j is stored by rank j % size. */
#ifndef DATA_RANKS_SHARDED_H
#define DATA_RANKS_SHARDED_H

#include "tamis/comm.h"
#include "tamis/matrix.h"

/* The shard of `whole` for this rank. `whole` is only read, and may be freed unless it is mapped
 * from a file. `comm` must outlive the matrix. */
tm_status matrix_new_sharded(tm_matrix **out, const tm_matrix *whole, const tm_comm *comm,
                             tm_error *err);
/* The same of columns that are the rank's own already, of p in all. Takes the reference to `own`,
 * also on failure. */
tm_status matrix_join_shards(tm_matrix **out, tm_matrix *own, size_t p, const tm_comm *comm,
                             tm_error *err);

/* Whether it is one, or a view of one. */
bool matrix_is_sharded(const tm_matrix *m);

/* What this rank has received from the others so far. Every rank must know the products of all
 * columns, so that a pass over p columns cannot take less than 8 bytes for each of the others'. */
typedef struct matrix_traffic {
    uint64_t products, product_bytes; /* products of all ranks' columns; of the others' */
    uint64_t columns, column_bytes;   /* columns fetched; of those the others' */
} matrix_traffic;
/* Zeros if m is not sharded. */
matrix_traffic matrix_shard_traffic(const tm_matrix *m);

#endif
