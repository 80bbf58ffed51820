/* Numbers for the rows (sample weights, offsets, ids): a column of the data by name, or a separate
 * file. */
#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/read/common/categories.h"
#include "data/read/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The column called `name`, or SIZE_MAX; X17 when there are no names. */
static size_t find_column(const tm_dataset_parts *parts, const char *name)
{
    size_t p = tm_matrix_cols(parts->x);
    char *end;
    for (size_t j = 0; parts->features.names && j < p; j++)
        if (strcmp(parts->features.names[j], name) == 0)
            return j;
    if (parts->features.names || name[0] != 'X' || name[1] < '1' || name[1] > '9')
        return SIZE_MAX;
    unsigned long long number = strtoull(name + 1, &end, 10);
    return *end == '\0' && number >= 1 && number <= p ? (size_t)number - 1 : SIZE_MAX;
}

bool read_has_column(const tm_dataset_parts *parts, const char *text)
{
    return find_column(parts, text) != SIZE_MAX;
}

/* Moves a column out of the matrix: its values are not a feature. */
static tm_status take_column(double **out, tm_dataset_parts *parts, size_t j, const char *option,
                             tm_error *err)
{
    size_t left = tm_matrix_cols(parts->x) - 1;
    if (left == 0)
        return tm_fail(err, TM_EDATA, "%s takes the only column: there are no features left",
                       option);
    double *values = mem_array(tm_matrix_rows(parts->x), sizeof *values);
    if (!values)
        return tm_fail_memory(err, "the rows' numbers");
    tm_status status = build_adjusted(&parts->x, j, 0, values, err);
    if (status != TM_OK) {
        free(values);
        return status;
    }
    read_drop_feature(parts, j);
    *out = values;
    return TM_OK;
}

static tm_status number_ids(double **out, char *const *names, const read_rows *rows, tm_error *err)
{
    size_t next = 0, kept = 0;
    double *ids = mem_array(rows->kept, sizeof *ids);
    *out = ids;
    if (!ids)
        return tm_fail_memory(err, "ids of the rows");
    for (size_t i = 0; i < rows->kept + rows->left_out_count; i++)
        if (next < rows->left_out_count && rows->left_out[next] == i)
            next++;
        else
            ids[kept++] = categories_text_id(names[i]);
    return TM_OK;
}

/* Ids are arbitrary texts, one on each line. */
static tm_status take_ids_file(double **out, const read_rows *rows, const input_spec *spec,
                               tm_error *err)
{
    char **names;
    size_t count, n = rows->kept + rows->left_out_count;
    tm_status status = read_names_file(&names, &count, spec, err);
    if (status != TM_OK)
        return status;
    status = count == n ? number_ids(out, names, rows, err)
                        : tm_fail(err, TM_EDATA, "%.200s: %zu ids for the %zu rows of the data",
                                  spec->name, count, n);
    text_list_free(names, count);
    return status;
}

static tm_status take_file(double **out, const read_result *result, const read_request *request,
                           const char *option, const char *path, tm_error *err)
{
    read_rows rows = read_rows_of(result, request);
    input_spec spec = *request->spec;
    spec.bytes = NULL;
    spec.path = spec.name = path;
    if (access(path, R_OK) != 0)
        return tm_fail(err, TM_EDATA,
                       "%.300s: %s is '%.100s': no column of that name, and no such file",
                       request->spec->name, option, path);
    return strcmp(option, "ids") == 0 ? take_ids_file(out, &rows, &spec, err)
                                      : read_numbers_file(out, option, &rows, &spec, err);
}

tm_status read_row_numbers(double **out, read_result *result, const read_request *request,
                           const char *option, tm_error *err)
{
    const char *text = tm_params_text(request->params, option);
    size_t column = find_column(&result->parts, text);
    if (column != SIZE_MAX)
        return take_column(out, &result->parts, column, option, err);
    return take_file(out, result, request, option, text, err);
}
