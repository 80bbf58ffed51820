/* Dense columns, one after the other, in double or in single precision. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
#define CREATE tm_matrix_new_dense
#define KIND "dense"
#include "data/matrix/dense_of.h"
#undef REAL
#undef FIELD
#undef NAME
#undef KERNEL
#undef OPS
#undef CREATE
#undef KIND

#define REAL float
#define FIELD f32
#define NAME(x) x##_f32
#define KERNEL(x) x##_f32
#define OPS dense_f32_ops
#define CREATE tm_matrix_new_dense_float
#define KIND "dense float"
#include "data/matrix/dense_of.h"

/* ---- narrowing ----------------------------------------------------------------------------- */

/* In place, front to back: what is written is always behind what is read. */
static void narrow(double *values, uint64_t count)
{
    unsigned char *out = (unsigned char *)values;
    for (uint64_t k = 0; k < count; k++) {
        float value = (float)values[k];
        memcpy(out + k * sizeof value, &value, sizeof value);
    }
}

tm_status tm_matrix_to_float(tm_matrix *matrix, tm_error *err)
{
    if ((matrix->ops != &dense_f64_ops && matrix->ops != &csc_f64_ops) || matrix->pages)
        return TM_OK;
    for (uint64_t k = 0; k < matrix->nnz; k++)
        if (fabs(matrix->values.f64[k]) > (double)FLT_MAX)
            return tm_fail(err, TM_EDATA,
                           "the value %g is out of the range of single precision; store it in "
                           "double, or scale it down",
                           matrix->values.f64[k]);
    narrow(matrix->values.f64, matrix->nnz);
    float *shrunk = realloc(matrix->values.f64, (matrix->nnz ? matrix->nnz : 1) * sizeof *shrunk);
    if (shrunk)
        matrix->values.f32 = shrunk;
    matrix->bytes -= matrix->nnz * (sizeof(double) - sizeof(float));
    matrix->ops = matrix->sparse ? &csc_f32_ops : &dense_f32_ops;
    return TM_OK;
}
