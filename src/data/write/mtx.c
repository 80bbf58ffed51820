/* Writes Matrix Market text. */
#include "data/write/format.h"

static void put_mtx_response(const write_request *request, size_t n)
{
    output *out = request->response;
    output_text(out, "%%MatrixMarket matrix array real general\n");
    output_count(out, n);
    output_text(out, " 1\n");
    for (size_t i = 0; i < n && output_status(out) == TM_OK; i++) {
        output_real(out, write_response(request, i));
        output_text(out, "\n");
    }
}

static void put_mtx_column(output *out, const tm_matrix *x, size_t j, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
    for (size_t k = 0; k < count; k++) {
        if (rows) {
            output_count(out, (uint64_t)rows[k] + 1);
            output_text(out, " ");
            output_count(out, (uint64_t)j + 1);
            output_text(out, " ");
        }
        output_real(out, values[k]);
        output_text(out, "\n");
    }
}

static tm_status write_mtx(const write_request *request, tm_error *err)
{
    (void)err;
    const tm_matrix *x = tm_dataset_x(request->data);
    output *out = request->out;
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    bool sparse = tm_matrix_is_sparse(x);
    output_text(out, sparse ? "%%MatrixMarket matrix coordinate real general\n"
                            : "%%MatrixMarket matrix array real general\n");
    output_count(out, n);
    output_text(out, " ");
    output_count(out, p);
    if (sparse) {
        output_text(out, " ");
        output_count(out, tm_matrix_nnz(x));
    }
    output_text(out, "\n");
    for (size_t j = 0; j < p && output_status(out) == TM_OK; j++)
        put_mtx_column(out, x, j, request->scratch);
    put_mtx_response(request, n);
    return TM_OK;
}

const write_format write_format_mtx = {
    .info =
        {
            .id = "mtx",
            .summary = "Matrix Market text: coordinate for sparse data, array for dense",
            .extensions = ".mtx",
            .response_apart = true,
        },
    .write = write_mtx,
};
