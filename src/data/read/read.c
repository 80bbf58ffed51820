/* Reading data: from a file to a data set. */
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/read/common/row_store.h"
#include "data/read/formats.h"
#include "data/read/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the name ------------------------------------------------------------------------------ */

static bool drop_suffix(char *name, const char *const *suffixes)
{
    size_t length = strlen(name);
    for (; *suffixes; suffixes++) {
        size_t tail = strlen(*suffixes);
        if (length > tail && strcasecmp(name + length - tail, *suffixes) == 0) {
            name[length - tail] = '\0';
            return true;
        }
    }
    return false;
}

/* "data/leukemia.svm.xz" is displayed as "leukemia". */
static char *short_name(const char *path)
{
    static const char *const packed[] = {".gz",  ".bz2", ".xz",  ".lzma",
                                         ".zst", ".lz4", ".zip", NULL};
    const char *slash = strrchr(path, '/');
    char *name = text_copy(strcmp(path, "standard input") == 0 ? "stdin"
                           : slash && slash[1]                 ? slash + 1
                                                               : path);
    if (name) {
        drop_suffix(name, packed);
        bool dropped = false;
        for (const read_format *const *format = read_formats; *format && !dropped; format++)
            dropped = drop_suffix(name, (*format)->extensions);
    }
    return name;
}

/* --- reading ------------------------------------------------------------------------------- */

static void clear_parts(tm_dataset_parts *parts)
{
    dataset_parts_free(parts, parts->x ? tm_matrix_cols(parts->x) : 0);
}

static tm_status make_request(read_request *request, const input_spec *spec,
                              const tm_params *params, const tm_read_options *options,
                              tm_error *err)
{
    bool unlabelled = options && options->unlabelled;
    *request = (read_request){
        .params = params,
        .given = params,
        .label = tm_params_has(params, "label") ? tm_params_text(params, "label") : NULL,
        .response_apart = tm_params_has(params, "response") || unlabelled,
        .unlabelled = unlabelled,
        .features = (uint64_t)tm_params_int(params, "columns"),
        .like = options ? options->like : NULL,
        .may_lack = options && options->may_lack && options->like,
        .spec = spec,
        .path = spec->bytes || strcmp(spec->path, "-") == 0 ? NULL : spec->path,
    };
    request->may_lack = request->may_lack && !request->label && !request->response_apart;
    if (request->unlabelled && (request->label || tm_params_has(params, "response")))
        return tm_fail(err, TM_EUSAGE,
                       "data without a response have neither a label nor a response");
    if (request->label && request->response_apart)
        return tm_fail(err, TM_EUSAGE,
                       "label names a column and response a file; the response is one of them");
    if (request->features > data_feature_limit())
        return tm_fail(err, TM_EUSAGE,
                       "columns = %llu: tables for that many features do not fit the memory of "
                       "this machine (at most %llu)",
                       (unsigned long long)request->features,
                       (unsigned long long)data_feature_limit());
    return TM_OK;
}

static const read_format *find_named(const tm_params *params)
{
    const char *name = tm_params_text(params, "format");
    for (const read_format *const *format = read_formats; *format; format++)
        if (strcmp((*format)->info.id, name) == 0)
            return *format;
    return NULL;
}

/* The format that reads the file by its path; NULL: it is read as a stream. */
static const read_format *find_path_format(const char *path, const read_format *named)
{
    for (const read_format *const *format = read_formats; path && *format; format++)
        if ((*format)->takes_path && (!named || *format == named) &&
            (*format)->takes_path(path, named != NULL))
            return *format;
    return NULL;
}

/* Once the format is known: takes the options of the reading to imitate, and records what a later
 * file needs to be read like this one. */
static tm_status settle_options(read_result *result, const read_format *format,
                                read_request *request, tm_error *err)
{
    const char *name = request->spec->name;
    tm_status status = read_check_options(format, name, request->given, err);
    if (status == TM_OK && request->like) {
        status = tm_params_copy(&request->own, request->given, err);
        if (status == TM_OK)
            status = read_take_options(request->own, format, name, request->like, err);
        if (status == TM_OK)
            request->params = request->own;
    }
    return status == TM_OK ? read_keep_options(result->parts.reading, format, request->params, err)
                           : status;
}

static void note_encoding(read_result *result, const char *encoding)
{
    size_t used = strlen(result->note);
    snprintf(result->note + used, sizeof result->note - used, "\nencoding: %s, converted to UTF-8",
             encoding);
}

static tm_status read_stream(read_result *result, input *in, const read_format *format,
                             read_request *request, tm_error *err)
{
    char first[64];
    tm_status status = format ? TM_OK : read_detect(&format, in);
    if (status == TM_OK)
        status = settle_options(result, format, request, err);
    if (status != TM_OK)
        return status;
    const char *member = input_member(in);
    snprintf(first, sizeof first, "%s", member ? input_quoted(member, strlen(member)).text : "");
    if (format->text)
        status = input_as_text(in);
    if (status == TM_OK)
        status = format->read(result, in, request, err);
    if (status == TM_OK && input_encoding(in))
        note_encoding(result, input_encoding(in));
    if (status == TM_OK && !format->takes_archive && input_next_member(in))
        status =
            input_fail_whole(in,
                             "the zip archive holds more than one file (\"%s\", \"%s\"); "
                             "extract the one to read",
                             first, input_quoted(input_member(in), strlen(input_member(in))).text);
    return status == TM_OK ? input_status(in) : status;
}

static tm_status read_file(read_result *result, read_request *request, tm_error *err)
{
    const read_format *named = find_named(request->params);
    const read_format *taker = find_path_format(request->path, named);
    if (taker) {
        tm_status fits = settle_options(result, taker, request, err);
        return fits == TM_OK ? taker->read_path(result, request, err) : fits;
    }
    input *in;
    tm_status status = input_open(&in, request->spec, err);
    if (status != TM_OK)
        return status;
    status = read_stream(result, in, named, request, err);
    input_close(in);
    return status;
}

static void note_ids(read_result *result, const char *ids)
{
    size_t used = strlen(result->note);
    snprintf(result->note + used, sizeof result->note - used,
             "\nids: %s tells which rows belong together (--bags qid, d.ids)",
             input_quoted(ids, strlen(ids)).text);
}

static tm_status find_row_numbers(read_result *result, const read_request *request, tm_error *err)
{
    static const char *const options[] = {"weights", "offset", "ids"};
    tm_row_facts *rows = &result->parts.rows;
    double **const places[] = {&rows->weights, &rows->offset, &rows->qids};
    tm_status status = TM_OK;
    for (int k = 0; status == TM_OK && k < 3; k++) {
        if (!tm_params_has(request->params, options[k]))
            continue;
        /* Weights and offsets of the other file may be absent here: predictions do not count rows,
         * and report missing offsets themselves. */
        if (!tm_params_given(request->given, options[k]) &&
            !read_has_column(&result->parts, tm_params_text(request->params, options[k])))
            continue;
        free(*places[k]);
        *places[k] = NULL;
        status = read_row_numbers(places[k], result, request, options[k], err);
        result->sha256[0] = '\0'; /* that of the content without them */
        if (status == TM_OK && places[k] == &rows->qids)
            note_ids(result, tm_params_text(request->params, options[k]));
    }
    return status;
}

/* One class is not enough for training. Rows that a model is applied to may all be of one class. */
static tm_status check_classes(const tm_response *response, const read_request *request,
                               tm_error *err)
{
    if (response->class_count != 1 || request->like)
        return TM_OK;
    bool apart = tm_params_has(request->params, "response");
    const char *path = apart ? tm_params_text(request->params, "response") : request->spec->name;
    return tm_fail(err, TM_EDATA,
                   "%.300s: the response is \"%s\" in every row; expected classes, or numbers%s",
                   path, input_quoted(response->classes[0], strlen(response->classes[0])).text,
                   apart || request->label ? "" : "; name the response column with label");
}

static tm_status store_values(tm_matrix *x, const input_spec *spec, const tm_params *params,
                              tm_error *err)
{
    tm_error refused = TM_ERROR_INIT;
    if (strcmp(tm_params_text(params, "storage"), "float") != 0)
        return TM_OK;
    tm_status status = tm_matrix_to_float(x, &refused);
    return status == TM_OK ? TM_OK
                           : tm_fail(err, status, "%.300s: %s", spec->name, refused.message);
}

/* Reads a file with its format, and the accompanying files. */
static tm_status read_all(read_result *result, read_request *request, tm_error *err)
{
    result->parts.reading = tm_reading_new(0);
    tm_status status =
        result->parts.reading ? TM_OK : tm_fail_memory(err, "what is known of the data");
    if (status == TM_OK)
        status = read_file(result, request, err);
    if (status == TM_OK)
        status = read_complete(result, request, err);
    if (status == TM_OK)
        status = read_find_names(result, request, err);
    if (status == TM_OK)
        status = find_row_numbers(result, request, err);
    if (status == TM_OK)
        status = check_classes(&result->parts.response, request, err);
    if (status == TM_OK)
        status = read_treat_missing(result, request, err);
    return status == TM_OK ? store_values(result->parts.x, request->spec, request->params, err)
                           : status;
}

static tm_status read_dataset(tm_dataset **out, read_request *request, tm_error *err)
{
    read_result result = {.note = ""};
    tm_status status = read_all(&result, request, err);
    char *name = status == TM_OK ? short_name(request->spec->name) : NULL;
    if (status == TM_OK && !name)
        status = tm_fail_memory(err, "name of the data");
    if (status == TM_OK) {
        result.parts.name = name;
        result.parts.note = result.note;
        result.parts.sha256 = result.sha256[0] ? result.sha256 : NULL;
        status = tm_dataset_new(out, &result.parts, err);
    } else {
        clear_parts(&result.parts);
    }
    free(result.left_out);
    free(name);
    return status;
}

static tm_status read_with(tm_dataset **out, input_spec *spec, const tm_read_options *options,
                           tm_error *err)
{
    *out = NULL;
    const tm_params *params = options ? options->params : NULL;
    tm_params *defaults = NULL;
    if (!params) {
        size_t count;
        const tm_param_info *table = tm_reader_params(&count);
        tm_status status = tm_params_new(&defaults, "read", table, count, err);
        if (status != TM_OK)
            return status;
        params = defaults;
    }
    spec->encoding = tm_params_text(params, "encoding");
    spec->max_bytes = (uint64_t)tm_params_int(params, "max_bytes");
    spec->cancel = options ? options->cancel : NULL;
    spec->progress = options ? options->progress : NULL;
    spec->payload = options ? options->payload : NULL;
    read_request request;
    tm_status status = make_request(&request, spec, params, options, err);
    if (status == TM_OK)
        status = read_dataset(out, &request, err);
    tm_params_free(request.own);
    tm_params_free(defaults);
    return status;
}

tm_status tm_read(tm_dataset **out, const char *path, const tm_read_options *options, tm_error *err)
{
    input_spec spec = {.path = path, .name = strcmp(path, "-") == 0 ? "standard input" : path};
    return read_with(out, &spec, options, err);
}

tm_status tm_read_memory(tm_dataset **out, const void *bytes, size_t size, const char *name,
                         const tm_read_options *options, tm_error *err)
{
    input_spec spec = {.bytes = bytes ? bytes : "", .size = bytes ? size : 0, .name = name};
    return read_with(out, &spec, options, err);
}
