/* Writes LIBSVM text. */
#include "data/write/format.h"
#include "data/write/row_walk.h"

#include <stdio.h>

static void put_entry(output *out, size_t feature, double value)
{
    output_text(out, " ");
    output_count(out, (uint64_t)feature + 1);
    output_text(out, ":");
    output_real(out, value);
}

/* Readers take the greatest number that occurs as the number of features: the first row therefore
 * contains the last feature even if its value is zero there. */
static void put_libsvm_row(output *out, const row_view *row, size_t last, bool first_row)
{
    bool name_last = first_row;
    for (size_t k = 0; k < row->count; k++) {
        size_t feature = row->features ? row->features[k] : k;
        if (row->values[k] == 0)
            continue;
        put_entry(out, feature, row->values[k]);
        name_last &= feature != last;
    }
    if (name_last)
        put_entry(out, last, 0);
}

static void put_qid(output *out, double qid)
{
    char text[400];
    snprintf(text, sizeof text, " qid:%.0f", qid);
    output_text(out, text);
}

static tm_status write_libsvm(const write_request *request, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(request->data);
    output *out = request->out;
    size_t n = tm_matrix_rows(x), last = tm_matrix_cols(x) - 1;
    row_walk walk;
    tm_status status = row_walk_open(&walk, x, err);
    if (status != TM_OK)
        return status;
    for (size_t i = 0; i < n && output_status(out) == TM_OK; i++) {
        row_view row = row_walk_next(&walk);
        output_real(out, write_response(request, i));
        if (tm_dataset_qids(request->data))
            put_qid(out, tm_dataset_qids(request->data)[i]);
        put_libsvm_row(out, &row, last, i == 0);
        output_text(out, "\n");
    }
    row_walk_close(&walk);
    return TM_OK;
}

const write_format write_format_libsvm = {
    .info =
        {
            .id = "libsvm",
            .summary = "LIBSVM / SVMlight text: label feature:value ..., features counted from 1",
            .extensions = ".svm .libsvm .svmlight",
        },
    .write = write_libsvm,
};
