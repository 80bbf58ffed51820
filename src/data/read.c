/* Reading data: the options, the choice of the format, and the data set that becomes of a file. */
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/matrix_build.h"
#include "data/npy.h"
#include "data/read_format.h"
#include "data/read_mat.h"
#include "data/read_plink.h"
#include "data/read_tam.h"
#include "data/row_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of the text that the choice of the format may look at. */
enum { DETECTED_BYTES = 1 << 16 };

static const tm_reader_info readers[] = {
    {"libsvm", "LIBSVM / SVMlight text: label feature:value ..., features counted from 1 or 0"},
    {"csv", "CSV or TSV: a table of numbers, with or without a header, and a response column"},
    {"mtx", "Matrix Market text: coordinate or array; the response is a file or column of its own"},
    {"npy", "NumPy array of rows and columns; the response is a file or column of its own"},
    {"npz", "NumPy archive: X and y, or a matrix of scipy.sparse.save_npz"},
    {"mat", "MATLAB: a matrix X and a vector y, or variables that are named"},
    {"plink", "PLINK 1 genotypes: .bed, with the .bim and .fam beside it; kept at 2 bits each"},
    {"tam", "Tamis's own column store: verified, and read in place, so it may exceed the memory"},
};
static read_function *const functions[] = {read_libsvm, read_csv, read_mtx,   read_npy,
                                           read_npz,    read_mat, read_plink, read_tam};
enum { LIBSVM, CSV, MTX, NPY, NPZ, MAT, PLINK, TAM, READERS };

static const tm_choice format_choices[] = {
    {"auto", "found from the content"},
    {"libsvm", "LIBSVM / SVMlight"},
    {"csv", "comma, semicolon or tab separated"},
    {"mtx", "Matrix Market"},
    {"npy", "NumPy array"},
    {"npz", "NumPy archive"},
    {"mat", "MATLAB"},
    {"plink", "PLINK 1 genotypes"},
    {"tam", "Tamis's column store"},
    {NULL, NULL},
};

static const tm_choice header_choices[] = {
    {"auto", "found from the first two lines"},
    {"true", "the first line names the columns"},
    {"false", "the first line is a row of data"},
    {NULL, NULL},
};

static const tm_choice missing_choices[] = {
    {"error", "a missing value is an error"},
    {"mean", "a missing value becomes the mean of its column"},
    {"drop", "rows with a missing value are left out"},
    {NULL, NULL},
};

static const tm_choice text_choices[] = {
    {"error", "an error that names the columns"},
    {"onehot", "one feature for each of a column's texts, 1 in the rows that have it"},
    {NULL, NULL},
};

static const tm_choice base_choices[] = {
    {"auto", "0 when a feature 0 occurs, else 1"},
    {"0", "features are counted from 0"},
    {"1", "features are counted from 1"},
    {NULL, NULL},
};

static const tm_choice storage_choices[] = {
    {"double", "as they were read"},
    {"float", "rounded to single precision: less memory; all arithmetic stays in double"},
    {NULL, NULL},
};

static const tm_param_info params_table[] = {
    {"format", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "format of the file", format_choices, 0},
    {"label", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "the response column, by name (CSV) or by number from 1", NULL, 0},
    {"response", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the response: text of one number or class a line, .npy or .mtx", NULL, 0},
    {"x", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "mat: the variable with the features; X, data, fea, features, A or the only matrix otherwise",
     NULL, 0},
    {"y", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "mat: the variable with the response; y, label, labels, target, gnd or class otherwise", NULL,
     0},
    {"names", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the features' names, one a line; X.names beside X.svm is found by itself", NULL, 0},
    {"weights", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "how often each row counts: a column by name, or a file of one number a line", NULL, 0},
    {"offset", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "what each row's prediction begins with: a column by name, or a file", NULL, 0},
    {"header", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "CSV: whether the first line names the columns",
     header_choices, 0},
    {"missing", TM_PARAM_CHOICE, "error", 0, 0, NULL,
     "CSV, PLINK: what becomes of missing values (empty, NA, nan, null, none, ?)", missing_choices,
     0},
    {"text", TM_PARAM_CHOICE, "error", 0, 0, NULL, "CSV: what becomes of features that are text",
     text_choices, 0},
    {"base", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "LIBSVM: the number of the first feature",
     base_choices, 0},
    {"features", TM_PARAM_INT, "0", 0, 4294967294.0, NULL,
     "at least this many columns, for parts of one data set", NULL, 0},
    {"storage", TM_PARAM_CHOICE, "double", 0, 0, NULL, "precision in which the values are kept",
     storage_choices, 0},
    {"resident", TM_PARAM_INT, "0", 0, 9.0e15, "bytes",
     "tam: how much of the file may stay in memory; 0: half of this machine's", NULL,
     TM_PARAM_EXPERT},
    {"max_bytes", TM_PARAM_INT, "68719476736", 1, 9.0e15, "bytes",
     "cap on the size of the decompressed text", NULL, TM_PARAM_EXPERT},
};

const tm_reader_info *tm_readers(size_t *count)
{
    *count = READERS;
    return readers;
}

const tm_param_info *tm_reader_params(size_t *count)
{
    *count = sizeof params_table / sizeof params_table[0];
    return params_table;
}

/* --- the format ---------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The first line from `at` that is neither blank nor a comment; empty at the end. */
static const char *first_line(const char *at, const char *end, const char **line_end)
{
    for (;;) {
        while (at < end && is_space(*at))
            at++;
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        *line_end = stop;
        if (at == end || *at != '#')
            return at;
        at = stop;
    }
}

/* Whether `at` starts like "12:" or "qid:". */
static bool starts_entry(const char *at, const char *end)
{
    if (end - at >= 4 && memcmp(at, "qid:", 4) == 0)
        return true;
    const char *digit = at < end && (*at == '-' || *at == '+') ? at + 1 : at;
    const char *stop = digit;
    while (stop < end && is_digit(*stop))
        stop++;
    return stop > digit && stop < end && *stop == ':';
}

/* Past a token that could be meant as a label: numbers, or several with commas, but not a date. */
static const char *skip_label(const char *line, const char *end)
{
    const char *at = line;
    while (at < end && *at && strchr("0123456789+-.,eEinfaINFA", *at)) {
        bool sign = *at == '+' || *at == '-';
        if (sign && at > line && !strchr("eE,", at[-1]))
            break;
        at++;
    }
    return at;
}

/* A LIBSVM line is a label of number characters, then an entry, a comment or nothing; a line that
 * has no separator of a table is taken for (malformed) LIBSVM, too, when it has a colon or starts
 * with a number. */
static int detect_line(const char *line, const char *end)
{
    const char *at = skip_label(line, end);
    bool numeric = at > line && !is_alpha(*line);
    bool label = at > line && (at == end || is_blank(*at));
    while (at < end && is_blank(*at))
        at++;
    if (starts_entry(line, end) || (label && at < end && (*at == '#' || starts_entry(at, end))))
        return LIBSVM;
    size_t length = (size_t)(end - line);
    if (memchr(line, ',', length) || memchr(line, ';', length) || memchr(line, '\t', length))
        return CSV;
    return numeric || memchr(line, ':', length) ? LIBSVM : CSV;
}

static bool is_binary(const char *text, const char *end)
{
    for (; text < end; text++)
        if ((unsigned char)*text < 0x20 && !is_space(*text))
            return true;
    return false;
}

static bool ends_with(const char *text, const char *tail)
{
    size_t length = strlen(text), size = strlen(tail);
    return length >= size && strcmp(text + length - size, tail) == 0;
}

/* Formats that say what they are. */
static bool has_signature(int *format, const input *in)
{
    const char *member = input_member(in);
    if (member && ends_with(member, ".npy"))
        *format = NPZ;
    else if (read_tam_is_next(in))
        *format = TAM;
    else if (read_mat_is_next(in))
        *format = MAT;
    else if (read_plink_is_next(in))
        *format = PLINK;
    else if (npy_is_next(in))
        *format = NPY;
    else if (read_mtx_is_next(in))
        *format = MTX;
    else
        return false;
    return true;
}

static tm_status detect(int *format, input *in)
{
    if (has_signature(format, in))
        return TM_OK;
    input_fill(in, DETECTED_BYTES);
    if (input_status(in) != TM_OK)
        return input_status(in);
    const char *end = in->end - in->cur > DETECTED_BYTES ? in->cur + DETECTED_BYTES : in->end;
    if (in->cur == end)
        return input_fail_whole(in,
                                "the file is empty; expected LIBSVM, CSV or Matrix Market text, or "
                                "NumPy arrays");
    const char *line_end;
    const char *line = first_line(in->cur, end, &line_end);
    if (end - in->cur > 1 &&
        (memcmp(in->cur, "\xff\xfe", 2) == 0 || memcmp(in->cur, "\xfe\xff", 2) == 0))
        return input_fail_whole(in, "text in UTF-16; save it as UTF-8, or convert it with iconv -f "
                                    "UTF-16 -t UTF-8");
    if (is_binary(in->cur, end))
        return input_fail_whole(
            in, "not a text file, and no NumPy array; expected LIBSVM, CSV or Matrix "
                "Market text, .npy or .npz, plain or compressed with gzip, "
                "bzip2, xz, zstd, lz4 or zip");
    /* Only LIBSVM has comments, so that is what a text of comments must be. */
    *format = line < line_end ? detect_line(line, line_end) : LIBSVM;
    return TM_OK;
}

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

static tm_status make_request(read_request *request, const tm_params *params, tm_error *err)
{
    const char *header = tm_params_text(params, "header");
    const char *missing = tm_params_text(params, "missing");
    const char *base = tm_params_text(params, "base");
    *request = (read_request){
        .label = tm_params_has(params, "label") ? tm_params_text(params, "label") : NULL,
        .x = tm_params_has(params, "x") ? tm_params_text(params, "x") : NULL,
        .y = tm_params_has(params, "y") ? tm_params_text(params, "y") : NULL,
        .response_apart = tm_params_has(params, "response"),
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
    return strcmp(format, readers[MAT].id) == 0 ||
           (strcmp(format, "auto") == 0 && ends_with(path, ".mat") && access(path, R_OK) == 0);
}

static tm_status find_format(int *format, input *in, const read_request *request,
                             const tm_params *params, tm_error *err)
{
    const char *name = tm_params_text(params, "format");
    tm_status status = TM_OK;
    *format = -1;
    for (int i = 0; i < READERS; i++)
        if (strcmp(readers[i].id, name) == 0)
            *format = i;
    if (*format < 0 && request->path && is_matlab(request->path, params))
        *format = MAT;
    if (*format < 0)
        status = detect(format, in);
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
                       csv_option, readers[*format].id);
    if (*format == TAM)
        return check_tam_options(input_name(in), request, params, err);
    if (*format != MAT && (request->x || request->y))
        return tm_fail(err, TM_EUSAGE, "%s: %s is for MATLAB files, and this is %s", input_name(in),
                       request->x ? "x" : "y", readers[*format].id);
    if (*format != LIBSVM && request->base >= 0)
        return tm_fail(err, TM_EUSAGE, "%s: base is for LIBSVM, and this is %s", input_name(in),
                       readers[*format].id);
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

/* --- a response apart ---------------------------------------------------------------------- */

static void add_note(read_result *result, const char *what, const char *text)
{
    size_t used = strlen(result->note);
    snprintf(result->note + used, sizeof result->note - used, "\nresponse: %s%s", what, text);
}

static tm_status join_file(read_result *result, const input_spec *of_x, const char *path,
                           tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    input_spec spec = *of_x;
    spec.bytes = NULL;
    spec.path = path;
    spec.name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!of_x->bytes && strcmp(of_x->path, "-") == 0 && strcmp(path, "-") == 0)
        return tm_fail(err, TM_EUSAGE, "the data and their response cannot both be standard input");
    dataset_parts_drop_response(parts);
    free(parts->response_name);
    parts->response_name = NULL;
    parts->numeric = false;
    result->sha256[0] = '\0'; /* that of the content with the other response */
    tm_status status = read_response_file(parts, tm_matrix_rows(parts->x), &spec, err);
    if (status == TM_OK)
        add_note(result, "", input_quoted(spec.name, strlen(spec.name)).text);
    return status;
}

/* The file that the writer would have put beside. */
static tm_status join_companion(read_result *result, const input_spec *spec, tm_error *err)
{
    bool file = !spec->bytes && strcmp(spec->path, "-") != 0;
    char *path = file ? response_path(spec->path) : NULL;
    if (file && !path)
        return tm_fail_memory(err, "a file name");
    tm_status status =
        path && access(path, R_OK) == 0
            ? join_file(result, spec, path, err)
            : tm_fail(err, TM_EDATA,
                      "%.300s: a matrix without a response; name the file that holds it with "
                      "response, or the column with label",
                      spec->name);
    free(path);
    return status;
}

/* Column `label` of a matrix that has no names. */
static tm_status take_column(read_result *result, const input_spec *spec,
                             const read_request *request, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    size_t p = tm_matrix_cols(parts->x);
    char *end;
    const char *label = request->label;
    unsigned long long number = strtoull(label, &end, 10);
    if (*label < '0' || *label > '9' || *end != '\0' || number < 1 || number > p || p < 2)
        return tm_fail(err, TM_EDATA,
                       "%.300s: no column \"%s\" for label; expected a number from 1 to %zu%s",
                       spec->name, input_quoted(label, strlen(label)).text, p,
                       p < 2 ? ", and features beside it" : "");
    free(parts->y);
    parts->y = malloc(tm_matrix_rows(parts->x) * sizeof *parts->y);
    if (!parts->y)
        return tm_fail_memory(err, "the response");
    add_note(result, "column ", label);
    return build_adjusted(&parts->x, (size_t)number - 1, request->features, parts->y, err);
}

/* LIBSVM and CSV have taken care of response and width themselves, unless the response is a file. */
static tm_status complete(read_result *result, const input_spec *spec, const read_request *request,
                          const tm_params *params, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    tm_status status = TM_OK;
    if (request->response_apart)
        status = join_file(result, spec, tm_params_text(params, "response"), err);
    if (result->complete || status != TM_OK)
        return status;
    if (request->label)
        return take_column(result, spec, request, err);
    if (!parts->y)
        status = join_companion(result, spec, err);
    return status == TM_OK ? build_adjusted(&parts->x, SIZE_MAX, request->features, NULL, err)
                           : status;
}

/* ---- names apart --------------------------------------------------------------------------- */

/* Gives the features the names of a file. More names than features widen the data: the last features of
 * a sparse file may simply not occur. */
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
        names_free(names, count);
        return status;
    }
    parts->feature_names = names;
    return TM_OK;
}

/* Names in a file beside the data that nobody asked for must not stand in the way. */
static tm_status find_names(read_result *result, const input_spec *spec, const tm_params *params,
                            tm_error *err)
{
    bool asked = tm_params_has(params, "names"),
         file = !spec->bytes && strcmp(spec->path, "-") != 0;
    if (asked && result->parts.feature_names)
        return tm_fail(err, TM_EUSAGE, "%.300s names its columns itself; leave names out",
                       spec->name);
    if (asked)
        return name_features(result, spec, tm_params_text(params, "names"), err);
    if (result->parts.feature_names || !file)
        return TM_OK;
    char *path = names_path(spec->path);
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
    bool fits = strcmp(format, "auto") == 0 || strcmp(format, readers[TAM].id) == 0;
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
                              tm_error *err)
{
    read_request request;
    read_result result = {.note = ""};
    tm_status status = make_request(&request, params, err);
    if (status != TM_OK)
        return status;
    request.spec = spec;
    request.path = spec->bytes || strcmp(spec->path, "-") == 0 ? NULL : spec->path;
    status = is_mapped(spec, params) ? read_mapped(&result, spec, &request, params, err)
                                     : read_input(&result, spec, &request, params, err);
    if (status == TM_OK)
        status = complete(&result, spec, &request, params, err);
    if (status == TM_OK)
        status = find_names(&result, spec, params, err);
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
    tm_status status = read_dataset(out, spec, params, err);
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
