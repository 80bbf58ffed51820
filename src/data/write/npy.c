/* Writes NumPy arrays, and zip archives of them. */
#include "data/write/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NPY_HEADER = 128 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NPY_ORDER '<'
#else
#define NPY_ORDER '>'
#endif

/* Version 1.0: the header is padded so that the values start at a multiple of 64 bytes. */
static void put_npy_header(output *out, const char *type, const char *shape)
{
    char header[NPY_HEADER + 1];
    int used = snprintf(header, sizeof header,
                        "%cNUMPY%c%c%c%c{'descr': '%c%s', 'fortran_order': "
                        "%s, 'shape': %s, }",
                        0x93, 1, 0, NPY_HEADER - 10, 0, NPY_ORDER, type,
                        strchr(shape, ' ') ? "True" : "False", shape);
    memset(header + used, ' ', (size_t)(NPY_HEADER - used));
    header[NPY_HEADER - 1] = '\n';
    output_bytes(out, header, NPY_HEADER);
}

static void put_vector_header(output *out, const char *type, uint64_t count)
{
    char shape[40];
    snprintf(shape, sizeof shape, "(%" PRIu64 ",)", count);
    put_npy_header(out, type, shape);
}

static void put_response_values(const write_request *request, output *out, size_t n)
{
    put_vector_header(out, "f8", n);
    for (size_t i = 0; i < n && output_status(out) == TM_OK; i++) {
        double value = write_response(request, i);
        output_bytes(out, &value, sizeof value);
    }
}

static void put_array(output *out, const tm_matrix *x, double *column)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    char shape[64];
    snprintf(shape, sizeof shape, "(%zu, %zu)", n, p);
    put_npy_header(out, "f8", shape);
    for (size_t j = 0; j < p && output_status(out) == TM_OK; j++) {
        tm_matrix_column(x, j, column);
        output_bytes(out, column, n * sizeof *column);
    }
}

static tm_status write_npy(const write_request *request, tm_error *err)
{
    (void)err;
    put_array(request->out, tm_dataset_x(request->data), request->scratch);
    put_response_values(request, request->response, tm_dataset_rows(request->data));
    return TM_OK;
}

/* --- npz: arrays in a zip archive ---------------------------------------------------------- */

static void put_starts(output *out, const tm_matrix *x, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    int64_t start = 0;
    put_vector_header(out, "i8", (uint64_t)tm_matrix_cols(x) + 1);
    output_bytes(out, &start, sizeof start);
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        start += (int64_t)tm_matrix_entries(x, j, scratch, &rows, &values);
        output_bytes(out, &start, sizeof start);
    }
}

static void put_rows(output *out, const tm_matrix *x, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    put_vector_header(out, "i8", tm_matrix_nnz(x));
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            int64_t row = rows[k];
            output_bytes(out, &row, sizeof row);
        }
    }
}

static void put_values(output *out, const tm_matrix *x, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    put_vector_header(out, "f8", tm_matrix_nnz(x));
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        output_bytes(out, values, count * sizeof *values);
    }
}

static void put_shape(output *out, const tm_matrix *x)
{
    int64_t shape[2] = {(int64_t)tm_matrix_rows(x), (int64_t)tm_matrix_cols(x)};
    put_vector_header(out, "i8", 2);
    output_bytes(out, shape, sizeof shape);
}

static void put_format(output *out)
{
    char header[NPY_HEADER + 1];
    int used = snprintf(header, sizeof header,
                        "%cNUMPY%c%c%c%c{'descr': '|S3', 'fortran_order': False, 'shape': (), }",
                        0x93, 1, 0, NPY_HEADER - 10, 0);
    memset(header + used, ' ', (size_t)(NPY_HEADER - used));
    header[NPY_HEADER - 1] = '\n';
    output_bytes(out, header, NPY_HEADER);
    output_bytes(out, "csc", 3);
}

/* The layout of scipy.sparse.save_npz, with the response as an additional array. */
static void put_sparse_members(output *out, const tm_matrix *x, double *scratch)
{
    uint64_t nnz = tm_matrix_nnz(x), p = tm_matrix_cols(x);
    output_member(out, "indices.npy", NPY_HEADER + 8 * nnz);
    put_rows(out, x, scratch);
    output_member(out, "indptr.npy", NPY_HEADER + 8 * (p + 1));
    put_starts(out, x, scratch);
    output_member(out, "format.npy", NPY_HEADER + 3);
    put_format(out);
    output_member(out, "shape.npy", NPY_HEADER + 16);
    put_shape(out, x);
    output_member(out, "data.npy", NPY_HEADER + 8 * nnz);
    put_values(out, x, scratch);
}

static tm_status write_npz(const write_request *request, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(request->data);
    output *out = request->out;
    uint64_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    (void)err;
    if (tm_matrix_is_sparse(x)) {
        put_sparse_members(out, x, request->scratch);
    } else {
        output_member(out, "X.npy", NPY_HEADER + 8 * n * p);
        put_array(out, x, request->scratch);
    }
    output_member(out, "y.npy", NPY_HEADER + 8 * n);
    put_response_values(request, out, n);
    return TM_OK;
}

/* --- the formats --------------------------------------------------------------------------- */

const write_format write_format_npy = {
    .info =
        {
            .id = "npy",
            .summary = "NumPy array of doubles in column order",
            .extensions = ".npy",
            .response_apart = true,
        },
    .write = write_npy,
};

const write_format write_format_npz = {
    .info =
        {
            .id = "npz",
            .summary = "NumPy archive: X and y, or the arrays of scipy.sparse.save_npz and y",
            .extensions = ".npz",
        },
    .zip = true,
    .write = write_npz,
};
