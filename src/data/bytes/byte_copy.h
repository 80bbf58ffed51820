/* A copy of a dense matrix in bytes, for passes that need no more than bounds on products.
 *
 * Every column is rounded to 255 steps between its least and its greatest value,
 *
 *     x_j = centre_j 1 + step_j q_j + r_j,        q_ij = -127 .. 127,
 *
 * and the length of what the rounding left, r_j, is kept: for any v, |x_j'v - (x_j - r_j)'v| <=
 * |r_j| |v|. Products with q_j are sums of integers, so that they have no rounding error of their
 * own, on any machine. A pass reads an eighth of the bytes of doubles. */
#ifndef DATA_BYTES_BYTE_COPY_H
#define DATA_BYTES_BYTE_COPY_H

#include "tamis/matrix.h"

typedef struct byte_copy byte_copy;

/* A vector of n entries rounded to whole multiples of a step. */
typedef struct byte_vector {
    int16_t *values;  /* n */
    double step, sum; /* the sum of the rounded entries */
} byte_vector;

/* Bytes that a copy takes for each column, and those of the column itself; false when a matrix
 * cannot have a copy: it is sparse, not stored, distributed, or kept out of memory. */
bool byte_copy_sizes(const tm_matrix *x, size_t *copy, size_t *column);

/* Space for a copy of x, of which no column is copied yet. NULL when memory ran out. */
byte_copy *byte_copy_new(const tm_matrix *x);
void byte_copy_free(byte_copy *copy);
/* Copies columns from .. from + count - 1; `scratch` has n values. */
void byte_copy_take(byte_copy *copy, const tm_matrix *x, size_t from, size_t count,
                    double *scratch);

/* The copy that the matrix keeps, for all who read it: NULL until one is handed over, complete. The
 * first one is kept; the copy returned is that. */
const byte_copy *byte_copy_of(const tm_matrix *x);
const byte_copy *byte_copy_keep(const tm_matrix *x, byte_copy *copy);

/* Rounds v to multiples of a 16383rd of its greatest entry. */
void byte_vector_round(byte_vector *out, const double *v, size_t n);
/* (x_j - r_j)'v for a column that has been copied. */
double byte_copy_dot(const byte_copy *copy, size_t j, const byte_vector *v);
/* Fetches a column that is to be multiplied soon into the cache. */
void byte_copy_prefetch(const byte_copy *copy, size_t j);
/* p upper bounds of |r_j|. */
const double *byte_copy_left(const byte_copy *copy);

#endif
