/* Reading data: the data set that becomes of a file. */
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/read/common/row_store.h"
#include "data/read/common/steps.h"
#include "data/read/format/mat.h"
#include "data/read/format/plink.h"
#include "data/read/format/tam_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static read_function *const functions[READERS] = {read_libsvm, read_csv, read_mtx,   read_npy,
                                                  read_npz,    read_mat, read_plink, read_tam};

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

/* "data/leukemia.svm.xz" is shown as "leukemia". */
static char *short_name(const char *path)
{
    static const char *const packed[] = {".gz",  ".bz2", ".xz",  ".lzma",
                                         ".zst", ".lz4", ".zip", NULL};
    static const char *const plain[] = {".libsvm", ".svmlight", ".svm",  ".csv", ".tsv",
                                        ".txt",    ".dat",      ".data", ".mtx", ".npy",
                                        ".npz",    ".tam",      ".bed",  ".mat", NULL};
    const char *slash = strrchr(path, '/');
    char *name = text_copy(strcmp(path, "standard input") == 0 ? "stdin"
                           : slash && slash[1]                 ? slash + 1
                                                               : path);
    if (name) {
        drop_suffix(name, packed);
        drop_suffix(name, plain);
    }
    return name;
}

/* --- reading ------------------------------------------------------------------------------- */

static void clear_parts(tm_dataset_parts *parts)
{
    dataset_parts_free(parts, parts->x ? tm_matrix_cols(parts->x) : 0);
}

static tm_status make_request(read_request *request, const tm_params *params, bool unlabelled,
                              tm_error *err)
{
    const char *header = tm_params_text(params, "header");
    const char *missing = tm_params_text(params, "missing");
    const char *base = tm_params_text(params, "base");
    *request = (read_request){
        .label = tm_params_has(params, "label") ? tm_params_text(params, "label") : NULL,
        .x = tm_params_has(params, "x") ? tm_params_text(params, "x") : NULL,
        .y = tm_params_has(params, "y") ? tm_params_text(params, "y") : NULL,
        .response_apart = tm_params_has(params, "response") || unlabelled,
        .unlabelled = unlabelled,
        .header = strcmp(header, "true") == 0    ? HEADER_YES
                  : strcmp(header, "false") == 0 ? HEADER_NO
                                                 : HEADER_AUTO,
        .missing = strcmp(missing, "mean") == 0   ? MISSING_MEAN
                   : strcmp(missing, "drop") == 0 ? MISSING_DROP
                                                  : MISSING_ERROR,
        .one_hot = strcmp(tm_params_text(params, "text"), "onehot") == 0,
        .base = strcmp(base, "auto") == 0 ? -1 : *base - '0',
        .features = (uint64_t)tm_params_int(params, "features"),
    };
    if (request->unlabelled && (request->label || tm_params_has(params, "response")))
        return tm_fail(err, TM_EUSAGE,
                       "data without a response have neither a label nor a response");
    if (request->label && request->response_apart)
        return tm_fail(err, TM_EUSAGE,
                       "label names a column and response a file; the response is one of them");
    if (request->features > data_feature_limit())
        return tm_fail(err, TM_EUSAGE,
                       "features = %llu: tables for that many features do not fit the memory of "
                       "this machine (at most %llu)",
                       (unsigned long long)request->features,
                       (unsigned long long)data_feature_limit());
    return TM_OK;
}

/* A .tam is complete: there is nothing to choose but another response. */
static tm_status check_tam_options(const char *name, const read_request *request,
                                   const tm_params *params, tm_error *err)
{
    const char *option = request->label                                             ? "label"
                         : request->features > 0                                    ? "features"
                         : request->header != HEADER_AUTO                           ? "header"
                         : request->missing != MISSING_ERROR                        ? "missing"
                         : request->base >= 0                                       ? "base"
                         : request->one_hot                                         ? "text"
                         : request->x                                               ? "x"
                         : request->y                                               ? "y"
                         : tm_params_has(params, "names")                           ? "names"
                         : strcmp(tm_params_text(params, "storage"), "double") != 0 ? "storage"
                                                                                    : NULL;
    if (!option)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: %s is for other formats; a .tam is read as it was written", name,
                   option);
}

static bool is_matlab(const char *path, const tm_params *params)
{
    const char *format = tm_params_text(params, "format");
    return strcmp(format, read_format_id(MAT)) == 0 ||
           (strcmp(format, "auto") == 0 && text_ends_with(path, ".mat") && access(path, R_OK) == 0);
}

static tm_status find_format(int *format, input *in, const read_request *request,
                             const tm_params *params, tm_error *err)
{
    const char *name = tm_params_text(params, "format");
    tm_status status = TM_OK;
    *format = -1;
    for (int i = 0; i < READERS; i++)
        if (strcmp(read_format_id(i), name) == 0)
            *format = i;
    if (*format < 0 && request->path && is_matlab(request->path, params))
        *format = MAT;
    if (*format < 0)
        status = read_detect(format, in);
    if (status != TM_OK)
        return status;
    const char *csv_option = request->header != HEADER_AUTO      ? "header"
                             : request->missing != MISSING_ERROR ? "missing"
                             : request->one_hot                  ? "text"
                                                                 : NULL;
    if (*format == PLINK && request->header == HEADER_AUTO && !request->one_hot)
        csv_option = NULL;
    if (*format != CSV && csv_option)
        return tm_fail(err, TM_EUSAGE, "%s: %s is for CSV, and this is %s", input_name(in),
                       csv_option, read_format_id(*format));
    if (*format == TAM)
        return check_tam_options(input_name(in), request, params, err);
    if (*format != MAT && (request->x || request->y))
        return tm_fail(err, TM_EUSAGE, "%s: %s is for MATLAB files, and this is %s", input_name(in),
                       request->x ? "x" : "y", read_format_id(*format));
    if (*format != LIBSVM && request->base >= 0)
        return tm_fail(err, TM_EUSAGE, "%s: base is for LIBSVM, and this is %s", input_name(in),
                       read_format_id(*format));
    return TM_OK;
}

static tm_status read_parts(read_result *result, input *in, const read_request *request,
                            const tm_params *params, tm_error *err)
{
    int format;
    char first[64];
    tm_status status = find_format(&format, in, request, params, err);
    if (status != TM_OK)
        return status;
    const char *member = input_member(in);
    snprintf(first, sizeof first, "%s", member ? input_quoted(member, strlen(member)).text : "");
    status = functions[format](result, in, request, err);
    if (status == TM_OK && format != NPZ && input_next_member(in))
        status =
            input_fail_whole(in,
                             "the zip archive holds more than one file (\"%s\", \"%s\"); "
                             "extract the one to read",
                             first, input_quoted(input_member(in), strlen(input_member(in))).text);
    return status == TM_OK ? input_status(in) : status;
}

static tm_status read_input(read_result *result, const input_spec *spec,
                            const read_request *request, const tm_params *params, tm_error *err)
{
    input *in;
    /* matio opens files itself, also those of version 4, which do not say what they are. */
    bool matlab = request->path && is_matlab(request->path, params);
    input_spec none = {.bytes = "", .name = spec->name};
    tm_status status = input_open(&in, matlab ? &none : spec, err);
    if (status != TM_OK)
        return status;
    status = read_parts(result, in, request, params, err);
    input_close(in);
    return status;
}

static bool is_mapped(const input_spec *spec, const tm_params *params)
{
    const char *format = tm_params_text(params, "format");
    bool fits = strcmp(format, "auto") == 0 || strcmp(format, read_format_id(TAM)) == 0;
    return fits && !spec->bytes && strcmp(spec->path, "-") != 0 && read_tam_is_file(spec->path);
}

static tm_status read_mapped(read_result *result, const input_spec *spec,
                             const read_request *request, const tm_params *params, tm_error *err)
{
    tm_status status = check_tam_options(spec->name, request, params, err);
    return status == TM_OK
               ? read_tam_file(result, spec, (uint64_t)tm_params_int(params, "resident"), err)
               : status;
}

static tm_status find_row_numbers(read_result *result, const input_spec *spec,
                                  const tm_params *params, tm_error *err)
{
    static const char *const options[] = {"weights", "offset"};
    double **const places[] = {&result->parts.weights, &result->parts.offset};
    tm_status status = TM_OK;
    for (int k = 0; status == TM_OK && k < 2; k++) {
        if (!tm_params_has(params, options[k]))
            continue;
        status = read_row_numbers(places[k], &result->parts, spec, options[k],
                                  tm_params_text(params, options[k]), err);
        result->sha256[0] = '\0'; /* that of the content without them */
    }
    return status;
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

static tm_status read_dataset(tm_dataset **out, const input_spec *spec, const tm_params *params,
                              bool unlabelled, tm_error *err)
{
    read_request request;
    read_result result = {.note = ""};
    tm_status status = make_request(&request, params, unlabelled, err);
    if (status != TM_OK)
        return status;
    request.spec = spec;
    request.path = spec->bytes || strcmp(spec->path, "-") == 0 ? NULL : spec->path;
    status = is_mapped(spec, params) ? read_mapped(&result, spec, &request, params, err)
                                     : read_input(&result, spec, &request, params, err);
    if (status == TM_OK)
        status = read_complete(&result, spec, &request, params, err);
    if (status == TM_OK)
        status = read_find_names(&result, spec, params, err);
    if (status == TM_OK)
        status = find_row_numbers(&result, spec, params, err);
    if (status == TM_OK)
        status = store_values(result.parts.x, spec, params, err);
    char *name = status == TM_OK ? short_name(spec->name) : NULL;
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
    spec->max_bytes = (uint64_t)tm_params_int(params, "max_bytes");
    spec->cancel = options ? options->cancel : NULL;
    spec->progress = options ? options->progress : NULL;
    spec->payload = options ? options->payload : NULL;
    tm_status status = read_dataset(out, spec, params, options && options->unlabelled, err);
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
