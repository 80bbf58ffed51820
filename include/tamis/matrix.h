/* Matrices of n rows (samples) and p columns (features), read column by column.
 *
 * A matrix is immutable and reference counted: threads share it without locks. Every kind of
 * storage supports the same calls, so that solvers do not depend on how a column is stored. */
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
 * also on failure. TM_EDATA when the arrays are inconsistent. */
tm_status tm_matrix_new_csc(tm_matrix **out, size_t n, size_t p, uint64_t *starts, uint32_t *rows,
                            double *values, tm_error *err);

/* The same with values in single precision, which takes half the memory. All arithmetic is in
 * double precision. */
tm_status tm_matrix_new_dense_float(tm_matrix **out, size_t n, size_t p, float *values,
                                    tm_error *err);
tm_status tm_matrix_new_csc_float(tm_matrix **out, size_t n, size_t p, uint64_t *starts,
                                  uint32_t *rows, float *values, tm_error *err);

/* Genotypes of two bits each: columns of (n + 3) / 4 bytes with four samples in a byte, from the
 * low bits up, coded as in PLINK's .bed: 0 two copies of the counted allele, 1 missing, 2 one copy,
 * 3 none. The value is the number of copies. `missing` has p values to use for missing genotypes;
 * NULL: the mean of the column. Takes ownership of both (malloc'ed), also on failure. */
tm_status tm_matrix_new_genotypes(tm_matrix **out, size_t n, size_t p, uint8_t *packed,
                                  double *missing, tm_error *err);

tm_matrix *tm_matrix_ref(const tm_matrix *matrix);
void tm_matrix_unref(tm_matrix *matrix);

size_t tm_matrix_rows(const tm_matrix *matrix);
size_t tm_matrix_cols(const tm_matrix *matrix);
uint64_t tm_matrix_nnz(const tm_matrix *matrix); /* stored entries; n*p for dense */
/* Entries that a product with column j reads. 0 when access to a single column costs more than
 * that, as when other processes store it: then only passes over all columns are cheap. */
size_t tm_matrix_column_nnz(const tm_matrix *matrix, size_t j);
size_t tm_matrix_bytes(const tm_matrix *matrix); /* its memory */
/* "dense", "csc", "dense float", "csc float", "genotypes", "generated", "view" (of columns), "row
 * view", "sharded", "shifted", "pairs" (of samples) */
const char *tm_matrix_kind(const tm_matrix *matrix);
/* Whether columns are read from a mapped file on demand. */
bool tm_matrix_is_mapped(const tm_matrix *matrix);

/* x_j'v, v of length n. */
double tm_matrix_dot(const tm_matrix *matrix, size_t j, const double *v);
/* y += a x_j. */
void tm_matrix_axpy(const tm_matrix *matrix, size_t j, double a, double *y);
/* out[k] = x_{from+k}'v for k = 0 .. count-1: the pass that screening costs. */
void tm_matrix_dot_range(const tm_matrix *matrix, size_t from, size_t count, const double *v,
                         double *out);
/* Copies column j into out[0..n-1], zeros included. */
void tm_matrix_column(const tm_matrix *matrix, size_t j, double *out);
/* Whether reading some rows of a column costs no more than those rows; true for dense columns. */
bool tm_matrix_has_parts(const tm_matrix *matrix);
/* Copies rows from .. from + count - 1 of column j into out; only with tm_matrix_has_parts. */
void tm_matrix_part(const tm_matrix *matrix, size_t j, size_t from, size_t count, double *out);
/* Whether columns store their entries with row numbers; otherwise every row has a value. */
bool tm_matrix_is_sparse(const tm_matrix *matrix);
/* Whether products with some columns cost as much as with all, so that a pass should not be
 * split. */
bool tm_matrix_is_joint(const tm_matrix *matrix);
/* Stored entries of column j: rows, ascending (NULL unless sparse: all rows), and values. Pointers
 * into the matrix if it stores doubles, valid while it lives; otherwise into `scratch`, with space
 * for n doubles, valid until the next call with it. */
size_t tm_matrix_entries(const tm_matrix *matrix, size_t j, double *scratch, const uint32_t **rows,
                         const double **values);
/* A new matrix of the given rows, in that order (repetition allowed). */
tm_status tm_matrix_select_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                                size_t count, tm_error *err);
/* The same as a view that keeps a reference to the whole: for dense columns, and for compressed
 * columns when the rows ascend without repetition. Any other selection, and rows of other kinds of
 * storage, are copied. A view and a copy give the same bits; passes over a view take longer
 * (docs/benchmarks.md). */
tm_status tm_matrix_view_rows(tm_matrix **out, const tm_matrix *matrix, const size_t *rows,
                              size_t count, tm_error *err);
/* A view of the given columns, in that order (repetition allowed), that keeps a reference to the
 * whole. */
tm_status tm_matrix_select_cols(tm_matrix **out, const tm_matrix *matrix, const size_t *cols,
                                size_t count, tm_error *err);
/* Converts values in double precision to single precision, in place; other kinds are unchanged.
 * *matrix must have only one reference. TM_EDATA when a value is out of the range of single
 * precision. */
tm_status tm_matrix_to_float(tm_matrix *matrix, tm_error *err);

/* Finds missing values, NaN or missing genotypes, in a matrix that is not shared yet. Returns their
 * number; marks the rows that have some in in_row (n, or NULL), and sets *row and *column to the
 * position of the first, from 0, if there is one. */
uint64_t tm_matrix_find_missing(const tm_matrix *matrix, bool *in_row, size_t *row, size_t *column);
/* Replaces those of column j by fills[j] or, if that is NaN, by the mean of the column's other
 * values, to which fills[j] is then set. Returns their number. *empty is the first column without
 * any value to compute a mean from, which stays unchanged; SIZE_MAX: there is none. */
uint64_t tm_matrix_fill_missing(tm_matrix *matrix, double *fills, size_t *empty);

#endif
