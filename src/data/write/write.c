/* Writing data: the choice of the format, and files that appear only when they are complete. */
#include "base/memory.h"
#include "base/text.h"
#include "data/file_names.h"
#include "data/write/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WRITE_FORMAT_POINTER(id) &write_format_##id,

static const write_format *const formats[] = {WRITE_FORMATS(WRITE_FORMAT_POINTER)};

const tm_writer_info *tm_writer_at(size_t i)
{
    return i < sizeof formats / sizeof formats[0] ? &formats[i]->info : NULL;
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
    const tm_writer_info *info = tm_writer_at(i);
    return info ? info->id : NULL;
}

const char *tm_writer_list(bool endings, char *text, size_t size)
{
    size_t used = 0;
    const tm_writer_info *info;
    for (size_t i = 0; (info = tm_writer_at(i)) && used < size; i++) {
        const char *name = endings ? info->extensions : info->id;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                 i == 0                ? ""
                                 : tm_writer_at(i + 1) ? ", "
                                                       : " or ",
                                 (int)strcspn(name, " "), name);
    }
    return text;
}

static const tm_writer_info *find_named(const char *format, tm_error *err)
{
    char known[160];
    const tm_writer_info *info;
    for (size_t i = 0; (info = tm_writer_at(i)); i++)
        if (strcmp(info->id, format) == 0)
            return info;
    const char *closest = text_closest(format, writer_id, NULL);
    tm_fail(err, TM_EUSAGE, "there is no format '%.40s' to write%s%s%s; expected %s", format,
            closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "",
            tm_writer_list(false, known, sizeof known));
    return NULL;
}

const tm_writer_info *tm_writer_find(const char *path, const char *format, tm_error *err)
{
    if (format)
        return find_named(format, err);
    char known[160];
    size_t length = file_plain_length(path);
    const tm_writer_info *info;
    for (size_t i = 0; (info = tm_writer_at(i)); i++)
        if (has_extension(path, length, info->extensions))
            return info;
    tm_fail(err, TM_EUSAGE,
            "%.300s: the name does not say which format to write; end it in %s (and .gz, .xz, ... "
            "to compress), or name a format",
            strcmp(path, "-") == 0 ? "standard output" : path,
            tm_writer_list(true, known, sizeof known));
    return NULL;
}

/* --- the response -------------------------------------------------------------------------- */

/* The labels as numbers; false when they are not numbers, or not in ascending order. */
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
                       "standard output has no place for the response, which this format keeps in "
                       "a second file; name a file, or write another format");
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

static tm_status write_opened(write_request *request, const write_format *format, tm_error *err)
{
    request->scratch = mem_array(tm_dataset_rows(request->data), sizeof *request->scratch);
    tm_status status =
        request->scratch ? format->write(request, err) : tm_fail_memory(err, "a column");
    if (status == TM_OK)
        status = finish(request);
    free(request->scratch);
    return status;
}

tm_status tm_write(const tm_dataset *data, const char *path, const tm_write_options *options,
                   tm_error *err)
{
    tm_cancel *cancel = options ? options->cancel : NULL;
    const tm_writer_info *writer = tm_writer_find(path, options ? options->format : NULL, err);
    if (!writer)
        return TM_EUSAGE;
    const write_format *format = (const write_format *)writer;
    if (format->write_file)
        return format->write_file(data, path, cancel, err);
    write_request request = {.data = data, .classes = {-1, 1}};
    double values[2];
    if (tm_dataset_is_binary(data) && find_class_values(data, values))
        memcpy(request.classes, values, sizeof values);
    tm_status status = TM_OK;
    if (writer->response_apart)
        status = open_response(&request, path, cancel, err);
    if (status == TM_OK)
        status = output_open(&request.out, path, format->zip, cancel, err);
    if (status == TM_OK)
        status = write_opened(&request, format, err);
    output_close(request.out);
    output_close(request.response);
    return status;
}
