/* MATLAB .mat files: a matrix X, dense or sparse, a vector y of numbers or texts, and names. */
#include "data/read/mat/mat.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/class_texts.h"
#include "data/read/common/row_store.h"
#include "data/read/mat/version.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool recognise(const input *in)
{
    static const char start[] = "MATLAB ";
    return in->end - in->cur >= (ptrdiff_t)sizeof start - 1 &&
           memcmp(in->cur, start, sizeof start - 1) == 0;
}

static const char *const usual_x[] = {"X", "data", "fea", "features", "A", NULL};
static const char *const usual_y[] = {"y", "label", "labels", "target", "gnd", "class", NULL};
static const char *const usual_names[] = {"names", "feature_names", "featureNames", "varnames",
                                          NULL};

typedef struct mat_reader {
    mat_file file;
    const mat_version *version;
    const char *x, *y; /* names of variables given by the user, or NULL */
} mat_reader;

void mat_add(mat_file *file, const char *name, const mat_variable *v)
{
    if (file->count == MAT_VARIABLES || strlen(name) > MAT_MAX_NAME)
        return;
    mat_variable *out = &file->list[file->count++];
    *out = *v;
    memcpy(out->name, name, strlen(name) + 1);
}

tm_status mat_rows_of_text(const mat_file *file, const uint32_t *characters, size_t rows,
                           size_t cols, char ***out, size_t *count)
{
    char **texts = mem_zeros(rows, sizeof *texts);
    char *line = mem_array(cols + 1, 4);
    bool enough = texts && line;
    for (size_t i = 0; enough && i < rows; i++) {
        char *end = line;
        for (size_t k = 0; k < cols; k++)
            if (characters[k * rows + i] != 0)
                end = text_put(end, characters[k * rows + i]);
        while (end > line && end[-1] == ' ')
            end--;
        enough = (texts[i] = text_part(line, (size_t)(end - line))) != NULL;
    }
    free(line);
    if (!enough) {
        text_list_free(texts, rows);
        return input_fail_memory(file->in, "texts");
    }
    *out = texts;
    *count = rows;
    return TM_OK;
}

/* ---- the choice of variables ---------------------------------------------------------------- */

static bool is_vector(const mat_variable *v)
{
    return v->rows == 1 || v->cols == 1 || v->kind == MAT_TEXT;
}

static const mat_variable *find(const mat_reader *r, const char *name, bool ignore_case)
{
    for (size_t k = 0; k < r->file.count; k++)
        if (ignore_case ? strcasecmp(r->file.list[k].name, name) == 0
                        : strcmp(r->file.list[k].name, name) == 0)
            return &r->file.list[k];
    return NULL;
}

static const mat_variable *find_usual(const mat_reader *r, const char *const *names, bool vector)
{
    for (; *names; names++) {
        const mat_variable *v = find(r, *names, true);
        if (v && (vector ? is_vector(v) : v->kind != MAT_TEXT))
            return v;
    }
    return NULL;
}

/* The only matrix that is not a vector; NULL if there is none or several. */
static const mat_variable *find_only(const mat_reader *r)
{
    const mat_variable *only = NULL;
    for (size_t k = 0; k < r->file.count; k++)
        if (!is_vector(&r->file.list[k])) {
            if (only)
                return NULL;
            only = &r->file.list[k];
        }
    return only;
}

static tm_status fail_choice(mat_reader *r, const char *option, const char *wanted)
{
    char names[300] = "";
    size_t used = 0;
    for (size_t k = 0; k < r->file.count && used + MAT_MAX_NAME + 48 < sizeof names; k++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s (%zu x %zu)", k ? ", " : "",
                             r->file.list[k].name, r->file.list[k].rows, r->file.list[k].cols);
    return input_fail_whole(r->file.in, "%s%s; name one with %s: the file has %s",
                            wanted ? "no numeric matrix is called "
                                   : "it is not clear which variable is the ",
                            wanted                     ? wanted
                            : strcmp(option, "x") == 0 ? "matrix"
                                                       : "response",
                            option, r->file.count ? names : "none that is a matrix of numbers");
}

/* ---- the data ------------------------------------------------------------------------------- */

static tm_status read_x(mat_reader *r, const mat_variable *x, tm_matrix **out, tm_error *err)
{
    value_list values = {0};
    triplet_list triplets = {0};
    if (x->rows == 0 || x->cols == 0 || x->rows > UINT32_MAX || x->cols > data_feature_limit())
        return input_fail_whole(r->file.in,
                                "variable %s of %zu x %zu is not a matrix of samples and features",
                                x->name, x->rows, x->cols);
    bool is_sparse = x->kind == MAT_SPARSE;
    tm_status status = is_sparse ? r->version->sparse(&r->file, x, &triplets)
                                 : r->version->dense(&r->file, x, &values);
    const char *name = input_name(r->file.in);
    if (status == TM_OK)
        status = is_sparse ? build_from_triplets(out, &triplets, x->rows, x->cols, name, err)
                           : build_from_columns(out, &values, x->rows, x->cols, err);
    value_list_clear(&values);
    triplet_list_clear(&triplets);
    return status;
}

static tm_status fail_length(mat_reader *r, const mat_variable *y, size_t n)
{
    return input_fail_whole(r->file.in,
                            "variable %s is %zu x %zu; expected a response for each of the %zu "
                            "rows",
                            y->name, y->rows, y->cols, n);
}

static tm_status read_classes(mat_reader *r, const mat_variable *y, size_t n,
                              tm_dataset_parts *parts, tm_error *err)
{
    char **texts = NULL;
    size_t count = 0;
    tm_status status = r->version->texts(&r->file, y, &texts, &count);
    if (status == TM_OK && count != n)
        status = fail_length(r, y, n);
    if (status == TM_OK)
        status =
            class_list_response(parts, &(class_list){y->name, texts, n, NULL}, n, r->file.in, err);
    text_list_free(texts, count);
    return status;
}

static tm_status read_y(mat_reader *r, const mat_variable *y, size_t n, tm_dataset_parts *parts,
                        tm_error *err)
{
    value_list values = {0};
    if (y->kind == MAT_TEXT)
        return read_classes(r, y, n, parts, err);
    if (!is_vector(y) || y->rows * y->cols != n)
        return fail_length(r, y, n);
    if (y->kind == MAT_SPARSE)
        return input_fail_whole(r->file.in, "variable %s is sparse; expected a full vector",
                                y->name);
    tm_status status = r->version->dense(&r->file, y, &values);
    if (status == TM_OK)
        parts->response.y = values.values;
    else
        value_list_clear(&values);
    return status;
}

/* Reads texts as names if their number is that of the features. */
static tm_status read_names(mat_reader *r, const mat_variable *names, size_t p,
                            tm_dataset_parts *parts)
{
    char **texts = NULL;
    size_t count = 0;
    tm_status status = r->version->texts(&r->file, names, &texts, &count);
    if (status == TM_OK && count == p) {
        parts->features.names = texts;
        return TM_OK;
    }
    if (status == TM_OK)
        status = input_fail_whole(r->file.in, "variable %s has %zu names for %zu features",
                                  names->name, count, p);
    text_list_free(texts, count);
    return status;
}

static tm_status read_variables(mat_reader *r, read_result *result, const read_request *request,
                                tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    const mat_variable *x = r->x ? find(r, r->x, false) : find_usual(r, usual_x, false);
    if (!x && !r->x)
        x = find_only(r);
    if (!x || x->kind == MAT_TEXT)
        return fail_choice(r, "x", r->x);
    bool apart = request->label || request->response_apart;
    const mat_variable *y = apart  ? NULL
                            : r->y ? find(r, r->y, false)
                                   : find_usual(r, usual_y, true);
    if (!y && r->y && !apart && !request->may_lack)
        return fail_choice(r, "y", r->y);
    const mat_variable *names = find_usual(r, usual_names, true);
    names = names && names->kind == MAT_TEXT ? names : NULL;
    tm_status status = read_x(r, x, &parts->x, err);
    if (status == TM_OK && y)
        status = read_y(r, y, x->rows, parts, err);
    if (status == TM_OK && names)
        status = read_names(r, names, x->cols, parts);
    snprintf(result->note, sizeof result->note, "format: MATLAB, variable %s%s%s%s%s", x->name,
             y ? "\nresponse: variable " : "", y ? y->name : "",
             names ? "\nfeature names: variable " : "", names ? names->name : "");
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* The version, from the first bytes; NULL: not supported. */
static const mat_version *find_version(mat_file *file)
{
    char head[128] = "";
    FILE *opened = fopen(file->path, "rb");
    size_t size = opened ? fread(head, 1, sizeof head, opened) : 0;
    long end = opened && fseek(opened, 0, SEEK_END) == 0 ? ftell(opened) : 0;
    if (opened)
        fclose(opened);
    file->size = end > 0 ? (uint64_t)end : 0;
    if (size == 0)
        return NULL;
    bool marked = size == sizeof head && strncmp(head, "MATLAB ", 7) == 0;
    const unsigned char *at = (const unsigned char *)head + 124;
    bool big = memcmp(at + 2, "MI", 2) == 0; /* the order of the machine that wrote it */
    unsigned version = big ? 256U * at[0] + at[1] : 256U * at[1] + at[0];
    if (marked && version == 0x0200)
        return &mat_version_73;
    return marked || strncmp(head, "MATLAB ", size < 7 ? size : 7) == 0 ? &mat_version_5
                                                                        : &mat_version_4;
}

static tm_status read_mat(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    mat_reader r = {
        .file = {.in = in, .path = request->path, .max_bytes = request->spec->max_bytes},
        .x = read_text_option(request, "x"),
        .y = read_text_option(request, "y")};
    if (!request->path)
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: a .mat is read from a plain file, not through a pipe or out of an "
                       "archive",
                       input_name(in));
    bool apart = request->label || request->response_apart;
    if (r.y && apart && tm_params_given(request->given, "y"))
        return tm_fail(err, TM_EUSAGE,
                       "y names a variable, and label or response something else; "
                       "the response is one of them");
    r.version = find_version(&r.file);
    if (!r.version)
        return input_fail_whole(in, "the file is truncated, or cannot be read");
    tm_status status = r.version->open(&r.file, err);
    if (status == TM_OK)
        status = read_variables(&r, result, request, err);
    if (r.version->close)
        r.version->close(&r.file);
    return status == TM_OK ? input_status(in) : status;
}

/* ---- the format ---------------------------------------------------------------------------- */

/* HDF5 files without MATLAB's header are from other programs, and are read as plain HDF5. */
static bool is_plain_hdf5(const char *path)
{
    char head[8] = "";
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return size == sizeof head && memcmp(head, "\x89HDF\r\n\x1a\n", sizeof head) == 0;
}

/* The libraries that read the file open it themselves. */
static bool takes_path(const char *path, bool named)
{
    return named ||
           (text_ends_with(path, ".mat") && access(path, R_OK) == 0 && !is_plain_hdf5(path));
}

static tm_status read_path(read_result *result, const read_request *request, tm_error *err)
{
    input *none; /* used only for messages */
    input_spec spec = {.bytes = "", .name = request->spec->name, .cancel = request->spec->cancel};
    tm_status status = input_open(&none, &spec, err);
    if (status != TM_OK)
        return status;
    status = read_mat(result, none, request, err);
    input_close(none);
    return status;
}

static const char *const extensions[] = {".mat", NULL};

const read_format read_format_mat = {
    .info = {"mat", "MATLAB: a matrix X and a vector y, or variables that are named"},
    .title = "MATLAB files",
    .extensions = extensions,
    .recognise = recognise,
    .takes_path = takes_path,
    .read = read_mat,
    .read_path = read_path,
};
