/* Writes CSV and TSV. */
#include "data/write/format.h"
#include "data/write/row_walk.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* RFC 4180; fields with any separator that a reader might detect are quoted, and so are those with
 * blanks at the ends, which readers strip. */
static void put_field(output *out, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 0 && !text[strcspn(text, ",;\t\"\r\n")] && !is_blank(text[0]) &&
                 !is_blank(text[length - 1]);
    if (plain) {
        output_bytes(out, text, length);
        return;
    }
    output_text(out, "\"");
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        output_bytes(out, text, (size_t)(quote - text));
        output_text(out, "\"\"");
    }
    output_text(out, text);
    output_text(out, "\"");
}

static void put_header(const write_request *request, const char *separator)
{
    const tm_dataset *data = request->data;
    const char *response = tm_dataset_response_name(data);
    char label[32];
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        const char *name = tm_dataset_feature_name(data, j);
        put_field(request->out,
                  name ? name : tm_dataset_feature_label(data, j, label, sizeof label));
        output_text(request->out, separator);
    }
    put_field(request->out, response ? response : "y");
    output_text(request->out, "\n");
}

static void put_csv_row(output *out, const row_view *row, size_t p, const char *separator)
{
    size_t k = 0;
    for (size_t j = 0; j < p; j++) {
        if (!row->features || (k < row->count && row->features[k] == j))
            output_real(out, row->values[k++]);
        else
            output_text(out, "0");
        output_text(out, separator);
    }
}

static tm_status write_table(const write_request *request, const char *separator, tm_error *err)
{
    const tm_dataset *data = request->data;
    output *out = request->out;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    size_t named;
    bool binary = tm_dataset_is_binary(data);
    const char *const *names = tm_dataset_class_names(data, &named);
    row_walk walk;
    tm_status status = row_walk_open(&walk, tm_dataset_x(data), err);
    if (status != TM_OK)
        return status;
    put_header(request, separator);
    for (size_t i = 0; i < n && output_status(out) == TM_OK; i++) {
        row_view row = row_walk_next(&walk);
        put_csv_row(out, &row, p, separator);
        if (binary)
            put_field(out, tm_dataset_label(data, tm_dataset_y(data)[i] > 0 ? 1 : -1));
        else if (names)
            put_field(out, names[(size_t)tm_dataset_y(data)[i] - 1]);
        else
            output_real(out, tm_dataset_y(data)[i]);
        output_text(out, "\n");
    }
    row_walk_close(&walk);
    return TM_OK;
}

static tm_status write_csv(const write_request *request, tm_error *err)
{
    return write_table(request, ",", err);
}

static tm_status write_tsv(const write_request *request, tm_error *err)
{
    return write_table(request, "\t", err);
}

const write_format write_format_csv = {
    .info =
        {
            .id = "csv",
            .summary = "CSV with a header, the response in the last column",
            .extensions = ".csv",
            .text_labels = true,
            .names = true,
        },
    .write = write_csv,
};

const write_format write_format_tsv = {
    .info =
        {
            .id = "tsv",
            .summary = "CSV separated by tabs",
            .extensions = ".tsv",
            .text_labels = true,
            .names = true,
        },
    .write = write_tsv,
};
