/* The internals of a matrix, for the files that each implement one kind of storage. */
#ifndef DATA_MATRIX_KIND_H
#define DATA_MATRIX_KIND_H

#include "base/page_budget.h"
#include "tamis/matrix.h"

#include <stdatomic.h>

/* The stored entries of a column; see tm_matrix_entries. */
typedef struct matrix_column {
    size_t j, count;
    const uint32_t *rows;
    const double *values;
} matrix_column;

/* `width` numbers that describe a column, such as its score. */
typedef struct matrix_description {
    void (*describe)(const matrix_column *column, void *payload, double *out);
    void *payload;
    size_t width;    /* at most MAX_DESCRIPTION */
    double *scratch; /* n */
} matrix_description;

enum { MAX_DESCRIPTION = 8 };

/* The operations of a kind of storage; see tamis/matrix.h. */
typedef struct matrix_ops {
    const char *kind;
    double (*dot)(const tm_matrix *m, size_t j, const double *v);
    void (*axpy)(const tm_matrix *m, size_t j, double a, double *y);
    void (*dot_range)(const tm_matrix *m, size_t from, size_t count, const double *v, double *out);
    bool joint; /* dot_range costs as much as all columns, whatever its range */
    void (*column)(const tm_matrix *m, size_t j, double *out);
    bool plain;    /* every value is in memory, and sums are taken in the order of kernels.h */
    bool in_place; /* column j is at values.f64 + j * n */
    /* Copies rows from .. from + count - 1 of column j. NULL: that costs the whole column. */
    void (*part)(const tm_matrix *m, size_t j, size_t from, size_t count, double *out);
    size_t (*entries)(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                      const double **values);
    /* See matrix_describe. NULL: by `entries`. */
    void (*describe)(const tm_matrix *m, size_t from, size_t count, const matrix_description *of,
                     double *out);
    tm_status (*select_rows)(tm_matrix **out, const tm_matrix *m, const size_t *rows, size_t count,
                             tm_error *err);
    /* The stored entries of column j, and the entries that a product with it reads: see
     * tm_matrix_column_nnz. NULL: n. */
    size_t (*stored)(const tm_matrix *m, size_t j);
    size_t (*cost)(const tm_matrix *m, size_t j);
    /* Bytes of columns from .. from + count - 1, for a kind that can be mapped from a file. */
    size_t (*file_bytes)(const tm_matrix *m, size_t from, size_t count);
    /* A view of rows of a view refers to the whole matrix; NULL: see tm_matrix_view_rows. */
    tm_status (*view_rows)(tm_matrix **out, const tm_matrix *m, const size_t *rows, size_t count,
                           tm_error *err);
    /* Releases what `source` points to, which is itself freed afterwards; NULL: nothing. */
    void (*release)(tm_matrix *m);
    const struct matrix_ops *rows;   /* the kind of a view of selected rows; NULL: rows are
                                      * copied */
    const struct matrix_ops *single; /* the same kind with values in single precision, or NULL */
} matrix_ops;

struct tm_matrix {
    const matrix_ops *ops;
    atomic_size_t references;
    size_t n, p;
    uint64_t nnz;
    size_t bytes;
    bool sparse;
    union {
        double *f64; /* dense: n*p column-major; csc: nnz */
        float *f32;
        uint8_t *packed; /* genotypes: p columns of genotype_stride(n) bytes */
    } values;
    uint64_t *starts; /* csc: p + 1 */
    uint32_t *rows;   /* csc: nnz; row view: see rows.c */
    double *missing;  /* genotypes: p, the value of a missing one; 0 in a column without missing
                       * ones */
    size_t *cols;     /* view: the p columns of `whole` */
    bool run;         /* row view: the rows are consecutive */
    tm_matrix *whole;
    void *source;            /* for columns that are not stored: how they are generated */
    page_budget *pages;      /* mapped from a file that holds values, starts and rows; or NULL */
    _Atomic(void *) derived; /* see matrix_keep_derived */
    void (*free_derived)(void *derived);
};

/* A new matrix of this kind with one reference; NULL when memory ran out. */
tm_matrix *matrix_new(const matrix_ops *ops, size_t n, size_t p);
/* TM_EUSAGE when one of the rows is out of range. */
tm_status matrix_check_rows(const tm_matrix *m, const size_t *rows, size_t count, tm_error *err);
/* The error that a selection of rows, or a matrix, does not fit in memory. */
tm_status matrix_fail_memory(tm_error *err);

/* Describes columns from .. from + count - 1, `width` numbers each. Of a matrix whose columns are
 * distributed over processes each process describes its own columns, and all get all numbers. */
void matrix_describe(const tm_matrix *m, size_t from, size_t count, const matrix_description *of,
                     double *out);

/* What was derived from the columns and is kept with them, for everyone: NULL until there is
 * something. matrix_keep_derived takes it over, or frees it when another thread was sooner, and
 * returns what is kept. There is only one kind of it, which `release` frees. */
void *matrix_derived(const tm_matrix *m);
void *matrix_keep_derived(const tm_matrix *m, void *derived, void (*release)(void *derived));

/* Whether the resident memory of its file is limited. */
bool matrix_is_limited(const tm_matrix *m);
/* Reports that column j is about to be read, for code that selects rows itself. */
void matrix_touch(const tm_matrix *m, size_t j);

static inline size_t genotype_stride(size_t n)
{
    return n / 4 + (n % 4 > 0);
}

/* The `entries` operation for a kind without stored columns: makes a copy of the column. */
size_t matrix_copied_entries(const tm_matrix *m, size_t j, double *scratch, const uint32_t **rows,
                             const double **values);
/* Stores selected rows of columns that cannot be computed separately, for select_rows. */
tm_status matrix_store_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows, size_t count,
                            tm_error *err);

/* Stored entries of column j. */
static inline size_t matrix_stored(const tm_matrix *m, size_t j)
{
    return m->ops->stored ? m->ops->stored(m, j) : m->n;
}

/* The kinds of storage that other files refer to, one or two in each file. */
extern const matrix_ops dense_f64_ops, dense_f32_ops, csc_f64_ops, csc_f32_ops, genotype_ops;
extern const matrix_ops dense_rows_f64_ops, dense_rows_f32_ops;
extern const matrix_ops sparse_rows_f64_ops, sparse_rows_f32_ops;

/* Whether starts and rows are valid for an n x p matrix. */
tm_status csc_check(size_t n, size_t p, const uint64_t *starts, const uint32_t *rows,
                    tm_error *err);
/* Selected rows of compressed columns: the new row numbers, and the source of each value. Freed by
 * the caller, also on failure. */
typedef struct csc_selection {
    uint64_t *starts; /* p + 1 */
    uint32_t *rows;
    uint64_t *from; /* indices into the values of the whole matrix */
} csc_selection;
tm_status csc_select(csc_selection *out, const tm_matrix *m, const size_t *rows, size_t count,
                     tm_error *err);

#endif
