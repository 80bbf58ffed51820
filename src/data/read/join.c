/* Data in separate files: a response and names. */
#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/file_names.h"
#include "data/read/common/build.h"
#include "data/read/steps.h"
#include "data/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a separate response ------------------------------------------------------------------- */

static void add_note(read_result *result, const char *what, const char *text)
{
    size_t used = strlen(result->note);
    snprintf(result->note + used, sizeof result->note - used, "\nresponse: %s%s", what, text);
}

static tm_status join_file(read_result *result, const read_request *request, const char *path,
                           tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    const input_spec *of_x = request->spec;
    read_rows rows = read_rows_of(result, request);
    input_spec spec = *of_x;
    spec.bytes = NULL;
    spec.path = path;
    spec.name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!of_x->bytes && strcmp(of_x->path, "-") == 0 && strcmp(path, "-") == 0)
        return tm_fail(err, TM_EUSAGE, "the data and their response cannot both be standard input");
    dataset_parts_drop_response(parts);
    free(parts->response.name);
    parts->response.name = NULL;
    parts->response.numeric = false;
    result->sha256[0] = '\0'; /* that of the content with the other response */
    tm_status status = read_response_file(parts, &rows, &spec, err);
    if (status == TM_OK)
        add_note(result, "", input_quoted(spec.name, strlen(spec.name)).text);
    return status;
}

tm_status read_forget_response(read_result *result, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    dataset_parts_drop_response(parts);
    free(parts->response.name);
    parts->response.name = NULL;
    parts->response.numeric = true;
    result->sha256[0] = '\0';
    parts->reading->file.unlabelled = true;
    parts->response.y = mem_zeros(tm_matrix_rows(parts->x), sizeof *parts->response.y);
    return parts->response.y ? TM_OK : tm_fail_memory(err, "the response");
}

/* A file that includes its response keeps it. */
static tm_status join_none(read_result *result, tm_error *err)
{
    return result->complete && result->parts.response.y ? TM_OK : read_forget_response(result, err);
}

/* Reads the accompanying file that the writer would have made. */
static tm_status join_companion(read_result *result, const read_request *request, tm_error *err)
{
    const input_spec *spec = request->spec;
    char *path = request->path ? file_response_path(request->path) : NULL;
    if (request->path && !path)
        return tm_fail_memory(err, "a file name");
    tm_status status =
        path && access(path, R_OK) == 0 ? join_file(result, request, path, err)
        : request->may_lack
            ? read_forget_response(result, err)
            : tm_fail(err, TM_EDATA,
                      "%.300s: a matrix without a response; name the file that holds "
                      "it with response, or the column with label",
                      spec->name);
    free(path);
    return status;
}

void read_drop_feature(tm_dataset_parts *parts, size_t j)
{
    reading_drop(parts->reading, j);
    if (!parts->features.names)
        return;
    free(parts->features.names[j]);
    memmove(parts->features.names + j, parts->features.names + j + 1,
            (tm_matrix_cols(parts->x) - j) * sizeof *parts->features.names);
}

/* The column with this name or number; SIZE_MAX: there is none. */
static size_t find_column(const tm_dataset_parts *parts, const char *label)
{
    size_t p = tm_matrix_cols(parts->x);
    long number;
    for (size_t j = 0; parts->features.names && j < p; j++)
        if (strcmp(parts->features.names[j], label) == 0)
            return j;
    bool good = text_to_long(label, &number) && number >= 1 && (size_t)number <= p;
    return good ? (size_t)number - 1 : SIZE_MAX;
}

/* Takes column number `column` of a matrix as the response. */
static tm_status take_column(read_result *result, const read_request *request, size_t column,
                             tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    const char *name = parts->features.names ? parts->features.names[column] : NULL;
    tm_reading_file *file = &parts->reading->file;
    char label[32];
    snprintf(label, sizeof label, "%zu", column + 1);
    file->fields = tm_matrix_cols(parts->x);
    file->place = column;
    file->header = name != NULL;
    dataset_parts_drop_response(parts);
    free(file->response);
    file->response = text_copy(name);
    free(parts->response.name);
    parts->response.name = text_copy(name);
    parts->response.y = malloc(tm_matrix_rows(parts->x) * sizeof *parts->response.y);
    if (!parts->response.y || (name && (!file->response || !parts->response.name)))
        return tm_fail_memory(err, "the response");
    add_note(result, "column ", request->label ? request->label : name ? name : label);
    tm_status status = build_adjusted(&parts->x, column, request->features, parts->response.y, err);
    if (status == TM_OK)
        read_drop_feature(parts, column);
    return status;
}

/* Takes the column named by `label`. */
static tm_status take_named(read_result *result, const read_request *request, tm_error *err)
{
    size_t p = tm_matrix_cols(result->parts.x);
    const char *label = request->label;
    size_t column = find_column(&result->parts, label);
    if (column == SIZE_MAX || p < 2)
        return tm_fail(err, TM_EDATA,
                       "%.300s: no column \"%s\" for label; expected a number from 1 to %zu%s",
                       request->spec->name, input_quoted(label, strlen(label)).text, p,
                       p < 2 ? ", and features beside it" : "");
    return take_column(result, request, column, err);
}

/* The column of a matrix that was the response in the file to imitate: by its name, or by its
 * number if there are as many columns; SIZE_MAX: there is none. */
static size_t find_like(const tm_dataset_parts *parts, const read_request *request)
{
    size_t p = tm_matrix_cols(parts->x);
    const tm_reading_file *file = request->like ? &request->like->file : NULL;
    if (!file || file->fields == 0 || file->apart || request->label || request->response_apart)
        return SIZE_MAX;
    for (size_t j = 0; parts->features.names && file->response && j < p; j++)
        if (strcmp(parts->features.names[j], file->response) == 0)
            return j;
    bool named = parts->features.names && file->response;
    return p == file->fields && p > 1 && !named ? file->place : SIZE_MAX;
}

tm_status read_complete(read_result *result, const read_request *request, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    tm_status status = TM_OK;
    if (request->unlabelled || parts->reading->file.unlabelled)
        status = join_none(result, err);
    else if (request->response_apart)
        status = join_file(result, request, tm_params_text(request->params, "response"), err);
    if (result->complete || status != TM_OK)
        return status;
    if (request->label)
        return take_named(result, request, err);
    size_t column = find_like(parts, request);
    if (column != SIZE_MAX)
        return take_column(result, request, column, err);
    if (!parts->response.y)
        status = join_companion(result, request, err);
    return status == TM_OK ? build_adjusted(&parts->x, SIZE_MAX, request->features, NULL, err)
                           : status;
}

/* ---- separate names ------------------------------------------------------------------------ */

/* Gives the features the names of a file. More names than features widen the data: the last
 * features of a sparse file may have no entries. */
static tm_status name_features(read_result *result, const input_spec *of_x, const char *path,
                               tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    size_t p = tm_matrix_cols(parts->x), count;
    char **names;
    input_spec spec = *of_x;
    spec.bytes = NULL;
    spec.path = path;
    spec.name = strcmp(path, "-") == 0 ? "standard input" : path;
    tm_status status = read_names_file(&names, &count, &spec, err);
    if (status == TM_OK && count < p)
        status = tm_fail(err, TM_EDATA, "%.300s: %zu names for the %zu features of %.200s", path,
                         count, p, of_x->name);
    if (status == TM_OK && count > p)
        status = build_adjusted(&parts->x, SIZE_MAX, count, NULL, err);
    if (status != TM_OK) {
        text_list_free(names, count);
        return status;
    }
    parts->features.names = names;
    return TM_OK;
}

tm_status read_find_names(read_result *result, const read_request *request, tm_error *err)
{
    const input_spec *spec = request->spec;
    const char *named = read_text_option(request, "names");
    if (named && result->parts.features.names)
        return tm_fail(err, TM_EUSAGE, "%.300s names its columns itself; leave names out",
                       spec->name);
    if (named)
        return name_features(result, spec, named, err);
    if (result->parts.features.names || !request->path)
        return TM_OK;
    char *path = file_names_path(spec->path);
    if (!path)
        return tm_fail_memory(err, "a file name");
    tm_error refused = TM_ERROR_INIT;
    tm_status status = path[0] ? name_features(result, spec, path, &refused) : TM_OK;
    size_t used = strlen(result->note);
    if (status == TM_EDATA)
        snprintf(result->note + used, sizeof result->note - used, "\nnames not used: %.200s",
                 refused.message);
    else if (status == TM_OK && path[0])
        snprintf(result->note + used, sizeof result->note - used, "\nfeature names: %.200s", path);
    free(path);
    if (status != TM_OK && status != TM_EDATA)
        return tm_fail(err, status, "%s", refused.message);
    return TM_OK;
}
