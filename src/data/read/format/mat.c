/* MATLAB .mat files, through matio: a matrix X, dense or sparse, and a vector y. */
#include "data/read/format/mat.h"

#include "base/text.h"
#include "data/read/common/format.h"

#include <string.h>
#include <unistd.h>

static bool recognise(const input *in)
{
    static const char start[] = "MATLAB ";
    return in->end - in->cur >= (ptrdiff_t)sizeof start - 1 &&
           memcmp(in->cur, start, sizeof start - 1) == 0;
}

#ifndef MATIO_SONAME

static tm_status read_mat(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    (void)result;
    (void)request;
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: this program was built without matio, which reads .mat files; save X "
                   "and y as CSV, or build it with libmatio-dev",
                   input_name(in));
}

#else

#include "base/memory.h"
#include "data/read/common/row_store.h"
#include "data/read/format/mat_whole.h"

#include <dlfcn.h>
#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char *const usual_x[] = {"X", "data", "fea", "features", "A", NULL};
static const char *const usual_y[] = {"y",      "label", "labels", "target",
                                      "target", "gnd",   "class",  NULL};

enum {
    VARIABLES = 64,
    MAX_NAME = 63,
    MAX_DEFLATED = 1032, /* bytes that one byte of a compressed file can stand for */
};

/* The functions of matio that are called. */
typedef struct matio {
    mat_t *(*open)(const char *path, int mode);
    int (*close)(mat_t *file);
    matvar_t *(*next_info)(mat_t *file);
    matvar_t *(*read)(mat_t *file, const char *name);
    void (*free)(matvar_t *variable);
    enum mat_ft (*version)(mat_t *file);
} matio;

/* Loaded when it is needed, and left loaded: HDF5, which comes with it, does not like to go. */
static bool load_matio(matio *out)
{
    void *library = dlopen(MATIO_SONAME, RTLD_NOW | RTLD_LOCAL);
    static const char *const names[] = {"Mat_Open",    "Mat_Close",   "Mat_VarReadNextInfo",
                                        "Mat_VarRead", "Mat_VarFree", "Mat_GetVersion"};
    void *found[sizeof names / sizeof names[0]];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (!library || !(found[k] = dlsym(library, names[k])))
            return false;
    memcpy(&out->open, &found[0], sizeof found[0]);
    memcpy(&out->close, &found[1], sizeof found[0]);
    memcpy(&out->next_info, &found[2], sizeof found[0]);
    memcpy(&out->read, &found[3], sizeof found[0]);
    memcpy(&out->free, &found[4], sizeof found[0]);
    memcpy(&out->version, &found[5], sizeof found[0]);
    return true;
}

/* What is in the file: numeric variables of two dimensions. */
typedef struct variable {
    char name[MAX_NAME + 1];
    size_t rows, cols;
    bool sparse, packed;
} variable;

typedef struct mat_reader {
    input *in;
    const char *path;
    const char *x, *y; /* variables that are named, or NULL */
    matio matio;
    mat_t *file;
    uint64_t size;      /* of the file */
    uint64_t max_bytes; /* cap on what a variable may grow to */
    variable list[VARIABLES];
    size_t count;
} mat_reader;

static bool is_numeric(const matvar_t *v)
{
    return v->rank == 2 && !v->isComplex &&
           (v->class_type == MAT_C_SPARSE ||
            (v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64));
}

static void list_variables(mat_reader *r)
{
    for (matvar_t *v; r->count < VARIABLES && (v = r->matio.next_info(r->file)); r->matio.free(v))
        if (v->name && is_numeric(v) && strlen(v->name) <= MAX_NAME) {
            variable *found = &r->list[r->count++];
            snprintf(found->name, sizeof found->name, "%s", v->name);
            found->rows = v->dims[0];
            found->cols = v->dims[1];
            found->sparse = v->class_type == MAT_C_SPARSE;
            found->packed =
                v->compression != MAT_COMPRESSION_NONE || r->matio.version(r->file) == MAT_FT_MAT73;
        }
}

static bool is_vector(const variable *v)
{
    return v->rows == 1 || v->cols == 1;
}

static const variable *find(const mat_reader *r, const char *name, bool ignore_case)
{
    for (size_t k = 0; k < r->count; k++)
        if (ignore_case ? strcasecmp(r->list[k].name, name) == 0
                        : strcmp(r->list[k].name, name) == 0)
            return &r->list[k];
    return NULL;
}

static const variable *find_usual(const mat_reader *r, const char *const *names, bool vector)
{
    for (; *names; names++) {
        const variable *v = find(r, *names, true);
        if (v && (!vector || is_vector(v)))
            return v;
    }
    return NULL;
}

/* The matrix that is no vector, if there is exactly one. */
static const variable *find_only(const mat_reader *r)
{
    const variable *only = NULL;
    for (size_t k = 0; k < r->count; k++)
        if (!is_vector(&r->list[k])) {
            if (only)
                return NULL;
            only = &r->list[k];
        }
    return only;
}

static tm_status fail_choice(mat_reader *r, const char *option, const char *wanted)
{
    char names[300] = "";
    size_t used = 0;
    for (size_t k = 0; k < r->count && used + MAX_NAME + 48 < sizeof names; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s (%zu x %zu)",
                                 k ? ", " : "", r->list[k].name, r->list[k].rows, r->list[k].cols);
    return input_fail_whole(r->in, "%s%s%s; name one with %s: the file has %s",
                            wanted ? "no numeric matrix is called "
                                   : "it is not clear which "
                                     "variable is the ",
                            wanted ? wanted : (strcmp(option, "x") == 0 ? "matrix" : "response"),
                            "", option, r->count ? names : "none that is a matrix of numbers");
}

/* ---- values -------------------------------------------------------------------------------- */

#define WIDEN(type, from)                                                                          \
    for (size_t k = 0; k < count; k++)                                                             \
    out[k] = (double)((const type *)(from))[k]

static bool widen(double *out, const void *data, size_t count, enum matio_types type)
{
    switch (type) {
    case MAT_T_DOUBLE:
        WIDEN(double, data);
        return true;
    case MAT_T_SINGLE:
        WIDEN(float, data);
        return true;
    case MAT_T_INT8:
        WIDEN(int8_t, data);
        return true;
    case MAT_T_UINT8:
        WIDEN(uint8_t, data);
        return true;
    case MAT_T_INT16:
        WIDEN(int16_t, data);
        return true;
    case MAT_T_UINT16:
        WIDEN(uint16_t, data);
        return true;
    case MAT_T_INT32:
        WIDEN(int32_t, data);
        return true;
    case MAT_T_UINT32:
        WIDEN(uint32_t, data);
        return true;
    case MAT_T_INT64:
        WIDEN(int64_t, data);
        return true;
    case MAT_T_UINT64:
        WIDEN(uint64_t, data);
        return true;
    default:
        return false;
    }
}

/* matio takes memory for what a variable claims to be, and fills with zeros what the file does not
 * have. A value takes a byte at least. */
static tm_status check_size(mat_reader *r, const variable *v)
{
    double rows = (double)v->rows, cols = (double)v->cols;
    double cells = v->sparse ? rows + cols : rows * cols, values = v->sparse ? cols : rows * cols;
    if (cells * sizeof(double) > (double)r->max_bytes)
        return input_fail_whole(r->in,
                                "variable %s of %zu x %zu takes more than %llu bytes, the cap "
                                "max_bytes; raise it for a trusted file",
                                v->name, v->rows, v->cols, (unsigned long long)r->max_bytes);
    if (values > (double)r->size * (v->packed ? MAX_DEFLATED : 1))
        return input_fail_whole(r->in,
                                "variable %s of %zu x %zu cannot be in a file of %llu bytes; is it "
                                "damaged?",
                                v->name, v->rows, v->cols, (unsigned long long)r->size);
    return TM_OK;
}

/* The variable with its data; NULL and an error when that cannot be. */
static matvar_t *load(mat_reader *r, const variable *wanted, tm_status *status)
{
    *status = check_size(r, wanted);
    if (*status != TM_OK)
        return NULL;
    matvar_t *v = r->matio.read(r->file, wanted->name);
    if (v && v->data && is_numeric(v) && v->dims[0] == wanted->rows && v->dims[1] == wanted->cols)
        return v;
    if (v)
        r->matio.free(v);
    *status =
        input_fail_whole(r->in, "variable %s cannot be read; is the file damaged?", wanted->name);
    return NULL;
}

static tm_status take_dense(mat_reader *r, const matvar_t *v, value_list *list)
{
    size_t count;
    bool fits = !__builtin_mul_overflow(v->dims[0], v->dims[1], &count) &&
                v->nbytes / (size_t)v->data_size >= count;
    if (!fits)
        return input_fail_whole(r->in, "variable %s is cut short", v->name);
    if (!value_list_reserve(list, count))
        return input_fail_memory(r->in, "a matrix");
    if (!widen(list->values, v->data, count, v->data_type))
        return input_fail_whole(r->in, "variable %s has values of a type that is no number",
                                v->name);
    list->count = count;
    return TM_OK;
}

static tm_status take_sparse(mat_reader *r, const matvar_t *v, triplet_list *list)
{
    const mat_sparse_t *sparse = v->data;
    size_t cols = v->dims[1], count = sparse->ndata;
    double *values = mem_array(count, sizeof *values);
    if (!values)
        return input_fail_memory(r->in, "a matrix");
    bool good = (size_t)sparse->njc == cols + 1 && sparse->nir >= count && sparse->jc &&
                sparse->ir && sparse->data && widen(values, sparse->data, count, v->data_type);
    bool enough = true;
    for (size_t j = 0; good && j < cols; j++) {
        good = sparse->jc[j] <= sparse->jc[j + 1] && sparse->jc[j + 1] <= count;
        for (size_t k = sparse->jc[j]; good && enough && k < sparse->jc[j + 1]; k++) {
            good = sparse->ir[k] < v->dims[0];
            enough = !good || triplet_list_add(list, sparse->ir[k], (uint32_t)j, values[k]);
        }
    }
    free(values);
    if (!enough)
        return input_fail_memory(r->in, "a matrix");
    return good ? TM_OK : input_fail_whole(r->in, "variable %s makes no sense", v->name);
}

static tm_status read_x(mat_reader *r, const variable *x, tm_matrix **out, tm_error *err)
{
    value_list values = {0};
    triplet_list triplets = {0};
    tm_status status = TM_OK;
    if (x->rows == 0 || x->cols == 0 || x->rows > UINT32_MAX || x->cols > data_feature_limit())
        return input_fail_whole(r->in,
                                "variable %s of %zu x %zu is no matrix of samples and "
                                "features",
                                x->name, x->rows, x->cols);
    matvar_t *v = load(r, x, &status);
    if (!v)
        return status;
    bool sparse = v->class_type == MAT_C_SPARSE;
    status = sparse ? take_sparse(r, v, &triplets) : take_dense(r, v, &values);
    r->matio.free(v);
    if (status == TM_OK)
        status = sparse
                     ? build_from_triplets(out, &triplets, x->rows, x->cols, input_name(r->in), err)
                     : build_from_columns(out, &values, x->rows, x->cols, err);
    value_list_clear(&values);
    triplet_list_clear(&triplets);
    return status;
}

static tm_status read_y(mat_reader *r, const variable *y, size_t n, double **out)
{
    value_list values = {0};
    tm_status status = TM_OK;
    if (!is_vector(y) || y->rows * y->cols != n)
        return input_fail_whole(r->in,
                                "variable %s is %zu x %zu; expected a response for each of "
                                "the %zu rows",
                                y->name, y->rows, y->cols, n);
    matvar_t *v = load(r, y, &status);
    if (!v)
        return status;
    if (v->class_type == MAT_C_SPARSE)
        status = input_fail_whole(r->in, "variable %s is sparse; expected a full vector", y->name);
    else
        status = take_dense(r, v, &values);
    r->matio.free(v);
    if (status != TM_OK)
        value_list_clear(&values);
    else
        *out = values.values;
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

static tm_status read_variables(mat_reader *r, read_result *result, const read_request *request,
                                tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    list_variables(r);
    const variable *x = r->x ? find(r, r->x, false) : find_usual(r, usual_x, false);
    if (!x && !r->x)
        x = find_only(r);
    if (!x)
        return fail_choice(r, "x", r->x);
    bool apart = request->label || request->response_apart;
    const variable *y = apart ? NULL : r->y ? find(r, r->y, false) : find_usual(r, usual_y, true);
    if (!y && r->y)
        return fail_choice(r, "y", r->y);
    tm_status status = read_x(r, x, &parts->x, err);
    if (status == TM_OK && y)
        status = read_y(r, y, x->rows, &parts->response.y);
    snprintf(result->note, sizeof result->note, "format: MATLAB, variable %s%s%s", x->name,
             y ? "\nresponse: variable " : "", y ? y->name : "");
    return status;
}

/* matio fills what a file of version 5 is cut short of with zeros. */
static tm_status check_whole(mat_reader *r)
{
    FILE *file = fopen(r->path, "rb");
    bool whole = file && mat_is_whole(file) && fseek(file, 0, SEEK_END) == 0;
    long size = whole ? ftell(file) : 0;
    r->size = size > 0 ? (uint64_t)size : 0;
    if (file)
        fclose(file);
    return whole ? TM_OK : input_fail_whole(r->in, "the file is cut short, or cannot be read");
}

static tm_status read_mat(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    mat_reader r = {.in = in,
                    .path = request->path,
                    .x = read_text_option(request, "x"),
                    .y = read_text_option(request, "y"),
                    .max_bytes = request->spec->max_bytes};
    if (!r.path)
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: a .mat is read from a plain file, not through a pipe or out of an "
                       "archive",
                       input_name(in));
    if (r.y && (request->label || request->response_apart))
        return tm_fail(err, TM_EUSAGE,
                       "y names a variable, and label or response something else; "
                       "the response is one of them");
    if (!load_matio(&r.matio))
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: the library %s, which reads .mat files, is not installed",
                       input_name(in), MATIO_SONAME);
    tm_status status = check_whole(&r);
    if (status != TM_OK)
        return status;
    r.file = r.matio.open(r.path, MAT_ACC_RDONLY);
    if (!r.file)
        return input_fail_whole(in, "not a .mat file that matio can open");
    status = read_variables(&r, result, request, err);
    r.matio.close(r.file);
    return status;
}

#endif

/* ---- the format ---------------------------------------------------------------------------- */

/* matio opens the file itself. */
static bool takes_path(const char *path, bool named)
{
    return named || (text_ends_with(path, ".mat") && access(path, R_OK) == 0);
}

static tm_status read_path(read_result *result, const read_request *request, tm_error *err)
{
    input *none; /* for messages alone */
    input_spec spec = {.bytes = "", .name = request->spec->name};
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
