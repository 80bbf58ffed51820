/* Dense matrices in column-major order, in double or single precision. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

static size_t dense_entries_f64(const tm_matrix *m, size_t j, double *scratch,
                                const uint32_t **rows, const double **values)
{
    (void)scratch;
    *rows = NULL;
    *values = m->values.f64 + j * m->n;
    return m->n;
}

static size_t dense_entries_f32(const tm_matrix *m, size_t j, double *scratch,
                                const uint32_t **rows, const double **values)
{
    m->ops->column(m, j, scratch);
    *rows = NULL;
    *values = scratch;
    return m->n;
}

#define REAL double
#define FIELD f64
#define NAME(x) x##_f64
#define KERNEL(x) x
#define OPS dense_f64_ops
#define SINGLE &dense_f32_ops
#define ROWS &dense_rows_f64_ops
#define CREATE tm_matrix_new_dense
#define KIND "dense"
#include "data/matrix/dense_of.h"

#define REAL float
#define FIELD f32
#define NAME(x) x##_f32
#define KERNEL(x) x##_f32
#define OPS dense_f32_ops
#define SINGLE NULL
#define ROWS &dense_rows_f32_ops
#define CREATE tm_matrix_new_dense_float
#define KIND "dense float"
#include "data/matrix/dense_of.h"
