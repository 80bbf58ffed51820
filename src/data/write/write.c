/* Writing data: the choice of the format, and files that appear only when they are complete. */
#include "base/memory.h"
#include "tamis/writer.h"

#include "base/text.h"
#include "data/file_names.h"
#include "data/write/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const tm_writer_info writers[] = {
    {"libsvm", "LIBSVM / SVMlight text: label feature:value ..., features counted from 1",
     ".svm .libsvm .svmlight", false, false, false},
    {"csv", "CSV with a header, the response in the last column", ".csv", true, true, false},
    {"tsv", "CSV separated by tabs", ".tsv", true, true, false},
    {"mtx", "Matrix Market text: coordinate for sparse data, array for dense", ".mtx", false, false,
     true},
    {"npy", "NumPy array of doubles in column order", ".npy", false, false, true},
    {"npz", "NumPy archive: X and y, or the arrays of scipy.sparse.save_npz and y", ".npz", false,
     false, false},
    {"tam", "Tamis's column store: checked when it is read, and read in place", ".tam", true, true,
     false},
};
static write_function *const functions[] = {write_libsvm, write_csv, write_tsv, write_mtx,
                                            write_npy,    write_npz, NULL};
enum { TAM = 6 };
enum { WRITERS = sizeof writers / sizeof writers[0] };

const tm_writer_info *tm_writers(size_t *count)
{
    *count = WRITERS;
    return writers;
}

/* --- the format ---------------------------------------------------------------------------- */

/* Whether the name of `length` bytes ends in one of these words. */
static bool has_extension(const char *path, size_t length, const char *extensions)
{
    while (*extensions) {
        size_t size = strcspn(extensions, " ");
        if (length > size && strncasecmp(path + length - size, extensions, size) == 0)
            return true;
        extensions += size;
        extensions += *extensions == ' ';
    }
    return false;
}

static const char *writer_id(size_t i, const void *payload)
{
    (void)payload;
    return i < WRITERS ? writers[i].id : NULL;
}

static const tm_writer_info *find_named(const char *format, tm_error *err)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (strcmp(writers[i].id, format) == 0)
            return &writers[i];
    const char *closest = text_closest(format, writer_id, NULL);
    tm_fail(err, TM_EUSAGE,
            "there is no format '%.40s' to write%s%s%s; expected libsvm, csv, tsv, mtx, npy, npz "
            "or tam",
            format, closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
    return NULL;
}

const tm_writer_info *tm_writer_find(const char *path, const char *format, tm_error *err)
{
    if (format)
        return find_named(format, err);
    size_t length = file_plain_length(path);
    for (size_t i = 0; i < WRITERS; i++)
        if (has_extension(path, length, writers[i].extensions))
            return &writers[i];
    tm_fail(err, TM_EUSAGE,
            "%.300s: the name does not say which format to write; end it in .svm, .csv, .tsv, "
            ".mtx, .npy, .npz or .tam (and .gz, .xz, ... to compress), or name a format",
            strcmp(path, "-") == 0 ? "standard output" : path);
    return NULL;
}

/* --- the response -------------------------------------------------------------------------- */

/* The labels as numbers; false when they are no numbers, or not in order. */
static bool find_class_values(const tm_dataset *data, double values[2])
{
    for (int k = 0; k < 2; k++)
        if (!text_to_real(tm_dataset_label(data, 2 * k - 1), &values[k]) || !isfinite(values[k]))
            return false;
    return values[0] < values[1];
}

bool tm_writer_numeric_labels(const tm_dataset *data)
{
    double values[2];
    return tm_dataset_is_binary(data) && find_class_values(data, values);
}

/* --- writing ------------------------------------------------------------------------------- */

static tm_status open_response(write_request *request, const char *path, tm_cancel *cancel,
                               tm_error *err)
{
    if (strcmp(path, "-") == 0)
        return tm_fail(err, TM_EUSAGE,
                       "standard output has no place for the response, which this "
                       "format keeps in a second file; name a file, or write "
                       "libsvm, csv, tsv or npz");
    char *name = file_response_path(path);
    if (!name)
        return tm_fail_memory(err, "a file name");
    tm_status status = output_open(&request->response, name, false, cancel, err);
    free(name);
    return status;
}

static tm_status finish(write_request *request)
{
    tm_status status = output_finish(request->out);
    if (status == TM_OK && request->response)
        status = output_finish(request->response);
    if (status == TM_OK && request->response)
        status = output_commit(request->response);
    return status == TM_OK ? output_commit(request->out) : status;
}

static tm_status write_opened(write_request *request, size_t format, tm_error *err)
{
    request->scratch = mem_array(tm_dataset_rows(request->data), sizeof *request->scratch);
    tm_status status =
        request->scratch ? functions[format](request, err) : tm_fail_memory(err, "a column");
    if (status == TM_OK)
        status = finish(request);
    free(request->scratch);
    return status;
}

static tm_status write_store(const tm_dataset *data, const char *path, tm_cancel *cancel,
                             tm_error *err)
{
    if (file_plain_length(path) < strlen(path))
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: a .tam is read in place and cannot be compressed; name a .tam, or "
                       "another format",
                       path);
    return write_tam(data, path, cancel, err);
}

tm_status tm_write(const tm_dataset *data, const char *path, const tm_write_options *options,
                   tm_error *err)
{
    tm_cancel *cancel = options ? options->cancel : NULL;
    const tm_writer_info *writer = tm_writer_find(path, options ? options->format : NULL, err);
    if (!writer)
        return TM_EUSAGE;
    size_t format = (size_t)(writer - writers);
    if (format == TAM)
        return write_store(data, path, cancel, err);
    write_request request = {.data = data, .classes = {-1, 1}};
    double values[2];
    if (tm_dataset_is_binary(data) && find_class_values(data, values))
        memcpy(request.classes, values, sizeof values);
    tm_status status = TM_OK;
    if (writer->response_apart)
        status = open_response(&request, path, cancel, err);
    if (status == TM_OK)
        status = output_open(&request.out, path, functions[format] == write_npz, cancel, err);
    if (status == TM_OK)
        status = write_opened(&request, format, err);
    output_close(request.out);
    output_close(request.response);
    return status;
}
