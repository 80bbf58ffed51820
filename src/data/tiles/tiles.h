/* Products of several vectors with a dense matrix at once. Columns of tall data are longer than the
 * cache: with one vector after the other they are read from memory for each, here once for all. The
 * sums are those of tm_matrix_axpy and tm_matrix_dot_range to the bit, for any number of vectors
 * and threads. */
#ifndef DATA_TILES_TILES_H
#define DATA_TILES_TILES_H

#include "base/threads/team.h"
#include "tamis/matrix.h"

/* A tile has this many rows; this many vectors are multiplied together. */
enum { TILE_ROWS = 256, TILE_VECTORS = 8 };

/* Whether the columns are stored densely in memory, or in a file without a limit of its resident
 * part, and are so long that this pays. */
bool tiles_fit(const tm_matrix *x);

/* Weights of `count` <= TILE_VECTORS vectors of p values, as tiles_add needs them: entry j *
 * TILE_VECTORS + v; zeros for the missing vectors. */
void tiles_interleave(const double *const *w, size_t count, size_t p, double *out);
/* Adds to z[v*stride + i] the sum over all columns j of weights[j * TILE_VECTORS + v] times the
 * value in row from + i, in the order of the columns, for `rows` <= TILE_ROWS rows and all
 * TILE_VECTORS vectors. Columns whose weights are all zero are not read. */
void tiles_add(const tm_matrix *x, size_t from, size_t rows, const double *weights, double *z,
               size_t stride);
/* Adds to sums, p x TILE_VECTORS x 8 partial sums, the products of the columns with the vectors
 * u[v*stride + i] over the same rows; `rows` is a multiple of 8. */
void tiles_dot(const tm_matrix *x, size_t from, size_t rows, const double *u, size_t stride,
               double *sums);

/* z_v = X w_v for `count` vectors: w_v has p values, z_v n. TM_ENOMEM. */
tm_status tiles_predict(const tm_matrix *x, const double *const *w, double *const *z, size_t count,
                        thread_team *team, tm_error *err);
/* out[v*count + k] = x_{from+k}'u_v for `vectors` vectors. */
enum { TILE_COLUMNS = 32 };
void tiles_dot_range(const tm_matrix *x, size_t from, size_t count, const double *const *u,
                     size_t vectors, double *out);

#endif
