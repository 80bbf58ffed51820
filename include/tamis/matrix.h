/* Matrices of n rows (samples) and p columns (features), read column by column.
 *
 * A matrix is immutable and reference counted: threads share it without locks. Every kind of
 * storage answers the same calls, so solvers never ask how a column is stored. */
#ifndef TAMIS_MATRIX_H
#define TAMIS_MATRIX_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tm_matrix tm_matrix;

/* Dense, column-major: values[i + j*n]. Takes ownership of `values` (malloc'ed), also on failure.
 */
tm_status tm_matrix_new_dense(tm_matrix **out, size_t n, size_t p, double *values, tm_error *err);

/* Compressed sparse columns: column j holds rows[starts[j] .. starts[j+1]-1], ascending, with the
 * values at the same places; starts has p + 1 entries. Takes ownership of all three (malloc'ed),
 * also on failure. TM_EDATA when the arrays are not such a matrix. */
tm_status tm_matrix_new_csc(tm_matrix **out, size_t n, size_t p, uint64_t *starts, uint32_t *rows,
                            double *values, tm_error *err);

/* The same with values in single precision: half the memory. All arithmetic is in double. */
tm_status tm_matrix_new_dense_float(tm_matrix **out, size_t n, size_t p, float *values,
                                    tm_error *err);
tm_status tm_matrix_new_csc_float(tm_matrix **out, size_t n, size_t p, uint64_t *starts,
                                  uint32_t *rows, float *values, tm_error *err);

/* Genotypes at two bits each, columns of (n + 3) / 4 bytes, four samples a byte from the low bits
 * up, coded as in PLINK's .bed: 0 two copies of the counted allele, 1 missing, 2 one copy, 3 none.
 * The value is the number of copies. `missing` holds p values that missing ones have; NULL: the
 * mean of the column. Takes ownership of both (malloc'ed), also on failure. */
tm_status tm_matrix_new_genotypes(tm_matrix **out, size_t n, size_t p, uint8_t *packed,
                                  double *missing, tm_error *err);

tm_matrix *tm_matrix_ref(const tm_matrix *matrix);
void tm_matrix_unref(tm_matrix *matrix);

size_t tm_matrix_rows(const tm_matrix *matrix);
size_t tm_matrix_cols(const tm_matrix *matrix);
uint64_t tm_matrix_nnz(const tm_matrix *matrix); /* stored entries; n*p for dense */
/* Entries that a product with column j reads. 0 when a column by itself costs more than that, as
 * where other processes hold it: then only passes over all columns are cheap. */
size_t tm_matrix_column_nnz(const tm_matrix *matrix, size_t j);
size_t tm_matrix_bytes(const tm_matrix *matrix); /* memory that it takes */
/* "dense", "csc", "dense float", "csc float", "genotypes", "generated", "view" (of columns), "row
 * view", "sharded", "shifted", "pairs" (of samples) */
const char *tm_matrix_kind(const tm_matrix *matrix);
/* Whether columns are read from a file as they are needed. */
bool tm_matrix_is_mapped(const tm_matrix *matrix);

/* x_j'v, v of length n. */
double tm_matrix_dot(const tm_matrix *matrix, size_t j, const double *v);
/* y += a x_j. */
void tm_matrix_axpy(const tm_matrix *matrix, size_t j, double a, double *y);
/* out[k] = x_{from+k}'v for k = 0 .. count-1: the pass that screening pays for. */
void tm_matrix_dot_range(const tm_matrix *matrix, size_t from, size_t count, const double *v,
                         double *out);
/* Copies column j into out[0..n-1], zeros included. */
void tm_matrix_column(const tm_matrix *matrix, size_t j, double *out);
/* Whether some rows of a column cost no more than those rows: of dense columns. */
bool tm_matrix_has_parts(const tm_matrix *matrix);
/* Copies rows from .. from + count - 1 of column j into out; only with tm_matrix_has_parts. */
void tm_matrix_part(const tm_matrix *matrix, size_t j, size_t from, size_t count, double *out);
/* Whether columns hold their entries with row numbers; else every row has a value. */
bool tm_matrix_is_sparse(const tm_matrix *matrix);
/* Whether products with some columns cost as much as with all, so that a pass is not to be cut. */
bool tm_matrix_is_joint(const tm_matrix *matrix);
/* Stored entries of column j: rows ascending (NULL unless sparse: all rows) and values. Pointers
 * into the matrix where it holds doubles, valid while it lives; else into `scratch`, room for n
 * doubles, valid until the next call with it. */
size_t tm_matrix_entries(const tm_matrix *matrix, size_t j, double *scratch, const uint32_t **rows,
                         const double **values);
/* A new matrix of the given rows, in that order (repetition allowed). */
tm_status tm_matrix_select_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                                size_t count, tm_error *err);
/* The same rows as a view that keeps a reference to the whole: of dense columns, and of compressed
 * columns when the rows ascend without repetition. Any other selection, and rows of other kinds of
 * storage, are copied. A view and a copy give the same bits; passes over a view take longer
 * (docs/benchmarks.md). */
tm_status tm_matrix_view_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                              size_t count, tm_error *err);
/* The given columns, in that order (repetition allowed): a view that keeps a reference to the
 * whole. */
tm_status tm_matrix_select_cols(tm_matrix **out, const tm_matrix *matrix, const size_t *cols,
                                size_t count, tm_error *err);
/* Turns values in double into single precision, in place; other kinds stay as they are. *matrix
 * must have one reference only. TM_EDATA when a value is out of the range of single precision. */
tm_status tm_matrix_to_float(tm_matrix *matrix, tm_error *err);

/* Missing values in a matrix that no one else has seen yet: NaN, or a genotype that is missing.
 * Their number; the rows that have some are marked in in_row (n, or NULL), and *row and *column
 * are the first one's place, from 0, when there are some. */
uint64_t tm_matrix_find_missing(const tm_matrix *matrix, bool *in_row, size_t *row, size_t *column);
/* Those of column j become fills[j], or, where that is NaN, the mean of the column's other values,
 * which fills[j] then is. Returns their number. *empty is the first column that has no value to
 * make a mean of, and stays as it is; SIZE_MAX: there is none. */
uint64_t tm_matrix_fill_missing(tm_matrix *matrix, double *fills, size_t *empty);

#endif
