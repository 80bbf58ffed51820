/* A matrix of which every process has some of the rows: vectors of n entries are those of the rows
 * at hand, and products with a column are sums over the rows of all processes. */
#ifndef DATA_RANKS_ROW_SHARD_H
#define DATA_RANKS_ROW_SHARD_H

#include "tamis/comm.h"
#include "tamis/matrix.h"

/* Takes the reference to `own`, the rows of this process, also on failure. `comm` must outlive the
 * matrix. TM_ENOMEM, in all processes. */
tm_status matrix_new_row_shard(tm_matrix **out, tm_matrix *own, const tm_comm *comm, tm_error *err);

/* The processes that have the rows; NULL: this one has all of them. */
const tm_comm *matrix_row_comm(const tm_matrix *m);
/* The number of the rows of all processes. */
size_t matrix_all_rows(const tm_matrix *m);
/* The rows at hand as a matrix of their own, whose products are over these alone; m itself, if they
 * are all. */
const tm_matrix *matrix_own_rows(const tm_matrix *m);
/* Whether every value is in memory, densely: the rows at hand must be, for passes by tiles. */
bool matrix_is_plain(const tm_matrix *m);
/* A number for each row at hand, together with those of all other rows: matrix_all_rows values, in
 * the order of the processes. */
void matrix_gather_rows(const tm_matrix *m, const double *mine, double *all);

/* Replaces sums over the rows at hand by those over all rows, and counts them. */
void matrix_add_rows(const tm_matrix *m, double *values, size_t count);
/* How many numbers matrix_add_rows has summed so far, in products and otherwise. */
uint64_t matrix_summed(const tm_matrix *m);

#endif
