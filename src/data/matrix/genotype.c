/* Genotypes of two bits each, as packed by PLINK: products are computed without unpacking. */
#include "base/memory.h"
#include "data/matrix/kernels.h"
#include "data/matrix/kind.h"

enum { CODE_MISSING = 1 };

static const uint8_t *packed_column(const tm_matrix *m, size_t j)
{
    return m->values.packed + j * genotype_stride(m->n);
}

static unsigned code_at(const uint8_t *packed, size_t i)
{
    return packed[i / 4] >> 2 * (i % 4) & 3;
}

static double genotype_dot(const tm_matrix *m, size_t j, const double *v)
{
    return kernel_genotype_dot(packed_column(m, j), m->missing[j], v, m->n);
}

static void genotype_axpy(const tm_matrix *m, size_t j, double a, double *y)
{
    kernel_genotype_axpy(a, packed_column(m, j), m->missing[j], y, m->n);
}

static void genotype_dot_range(const tm_matrix *m, size_t from, size_t count, const double *v,
                               double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = genotype_dot(m, from + k, v);
}

static void genotype_column(const tm_matrix *m, size_t j, double *out)
{
    kernel_genotype_unpack(packed_column(m, j), m->missing[j], out, m->n);
}

/* Missing genotypes keep the value they have in the whole matrix, so that a selection of rows has
 * the same values. */
static tm_status genotype_select_rows(tm_matrix **out, const tm_matrix *m, const size_t *rows,
                                      size_t count, tm_error *err)
{
    size_t stride = genotype_stride(count);
    uint8_t *packed = mem_zeros(m->p, stride);
    double *missing = mem_array(m->p, sizeof *missing);
    if (!packed || !missing) {
        free(packed);
        free(missing);
        return matrix_fail_memory(err);
    }
    for (size_t j = 0; j < m->p; j++) {
        const uint8_t *whole = packed_column(m, j);
        missing[j] = m->missing[j];
        matrix_touch(m, j);
        for (size_t i = 0; i < count; i++)
            packed[j * stride + i / 4] |= (uint8_t)(code_at(whole, rows[i]) << 2 * (i % 4));
    }
    return tm_matrix_new_genotypes(out, count, m->p, packed, missing, err);
}

static size_t genotype_file_bytes(const tm_matrix *m, size_t from, size_t count)
{
    (void)from;
    return count * genotype_stride(m->n);
}

const matrix_ops genotype_ops = {
    .kind = "genotypes",
    .dot = genotype_dot,
    .axpy = genotype_axpy,
    .dot_range = genotype_dot_range,
    .column = genotype_column,
    .entries = matrix_copied_entries,
    .select_rows = genotype_select_rows,
    .file_bytes = genotype_file_bytes,
};

/* The mean of the known genotypes; 0 when none is missing, or all are. */
static double value_of_missing(const uint8_t *packed, size_t n)
{
    size_t counts[4] = {0};
    for (size_t i = 0; i < n; i++)
        counts[code_at(packed, i)]++;
    size_t known = n - counts[CODE_MISSING];
    return counts[CODE_MISSING] && known ? (double)(2 * counts[0] + counts[2]) / (double)known : 0;
}

tm_status tm_matrix_new_genotypes(tm_matrix **out, size_t n, size_t p, uint8_t *packed,
                                  double *missing, tm_error *err)
{
    *out = NULL;
    double *values = missing ? missing : mem_array(p, sizeof *values);
    tm_matrix *m = values ? matrix_new(&genotype_ops, n, p) : NULL;
    if (!m) {
        free(packed);
        free(values);
        return tm_fail_memory(err, "a matrix");
    }
    m->nnz = (uint64_t)n * p;
    m->bytes = p * (genotype_stride(n) + sizeof *values);
    m->values.packed = packed;
    m->missing = values;
    for (size_t j = 0; !missing && j < p; j++)
        values[j] = value_of_missing(packed_column(m, j), n);
    *out = m;
    return TM_OK;
}
