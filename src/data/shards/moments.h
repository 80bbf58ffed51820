/* Means and squares of columns of which every process has some of the rows. */
#ifndef DATA_SHARDS_MOMENTS_H
#define DATA_SHARDS_MOMENTS_H

#include "tamis/comm.h"
#include "tamis/matrix.h"

/* The weighted mean of each column (weights NULL: 1) over the rows of all processes, and the
 * weighted sum of squared deviations from it, which is exactly 0 where all rows with a weight have
 * one value. `own` has the rows at hand. TM_ENOMEM, in all processes. */
tm_status shard_moments(double *means, double *squares, const tm_matrix *own, const double *weights,
                        const tm_comm *comm, tm_error *err);

#endif
