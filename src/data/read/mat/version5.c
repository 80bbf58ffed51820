/* MATLAB files of versions 5 to 7, read with matio. */
#include "data/read/mat/version.h"

#ifndef MATIO_SONAME

static tm_status open_matio(mat_file *file, tm_error *err)
{
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: this program was built without matio, which reads .mat files; save X "
                   "and y as CSV, or build it with libmatio-dev",
                   input_name(file->in));
}

const mat_version mat_version_5 = {.open = open_matio};

#else

#include "base/memory.h"
#include "base/text.h"
#include "data/read/hdf5/lock.h"
#include "data/read/mat/whole.h"

#include <dlfcn.h>
#include <errno.h>
#include <matio.h>
#include <stdlib.h>
#include <string.h>

/* Greatest number of bytes that one byte of a compressed file can expand to. */
enum { MAX_DEFLATED = 1032 };

/* The functions of matio that are used. */
typedef struct matio {
    mat_t *file;
    mat_t *(*open)(const char *path, int mode);
    int (*close)(mat_t *file);
    matvar_t *(*next_info)(mat_t *file);
    matvar_t *(*read)(mat_t *file, const char *name);
    void (*free)(matvar_t *variable);
} matio;

/* Loaded when needed and never unloaded: HDF5, which it depends on, does not support being
 * unloaded. */
static bool load_matio(matio *out)
{
    void *library = dlopen(MATIO_SONAME, RTLD_NOW | RTLD_LOCAL);
    static const char *const names[] = {"Mat_Open", "Mat_Close", "Mat_VarReadNextInfo",
                                        "Mat_VarRead", "Mat_VarFree"};
    void *found[sizeof names / sizeof names[0]];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (!library || !(found[k] = dlsym(library, names[k])))
            return false;
    memcpy(&out->open, &found[0], sizeof found[0]);
    memcpy(&out->close, &found[1], sizeof found[0]);
    memcpy(&out->next_info, &found[2], sizeof found[0]);
    memcpy(&out->read, &found[3], sizeof found[0]);
    memcpy(&out->free, &found[4], sizeof found[0]);
    return true;
}

static bool is_numeric(const matvar_t *v)
{
    return v->rank == 2 && !v->isComplex &&
           (v->class_type == MAT_C_SPARSE ||
            (v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64));
}

static bool is_text(const matvar_t *v)
{
    return v->rank == 2 && (v->class_type == MAT_C_CHAR || v->class_type == MAT_C_CELL);
}

/* matio puts zeros where it cannot read, and goes on: errno alone says so. */
static tm_status check_reading(const mat_file *f)
{
    return errno == EIO ? input_fail_whole(f->in, "cannot be read: %s", strerror(EIO)) : TM_OK;
}

static tm_status list_variables(mat_file *f)
{
    matio *m = f->own;
    errno = 0;
    for (matvar_t *v; f->count < MAT_VARIABLES && (v = m->next_info(m->file)); m->free(v))
        if (v->name && (is_numeric(v) || is_text(v)))
            mat_add(f, v->name,
                    &(mat_variable){.rows = v->dims[0],
                                    .cols = v->dims[1],
                                    .kind = is_text(v)                      ? MAT_TEXT
                                            : v->class_type == MAT_C_SPARSE ? MAT_SPARSE
                                                                            : MAT_NUMBERS,
                                    .packed = v->compression != MAT_COMPRESSION_NONE});
    return check_reading(f);
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

/* matio allocates the size that a variable claims, and fills what the file lacks with zeros. Each
 * value takes at least a byte of the file. */
static tm_status check_size(const mat_file *r, const mat_variable *v)
{
    double rows = (double)v->rows, cols = (double)v->cols;
    double cells = v->kind == MAT_SPARSE ? rows + cols : rows * cols,
           values = v->kind == MAT_SPARSE ? cols : rows * cols;
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

/* The variable with its data; NULL and an error when it cannot be read. */
static matvar_t *load(mat_file *f, const mat_variable *wanted, tm_status *status)
{
    matio *m = f->own;
    *status = check_size(f, wanted);
    if (*status != TM_OK)
        return NULL;
    errno = 0;
    matvar_t *v = m->read(m->file, wanted->name);
    *status = check_reading(f);
    if (*status == TM_OK && v && v->data &&
        (wanted->kind == MAT_TEXT ? is_text(v) : is_numeric(v)) && v->dims[0] == wanted->rows &&
        v->dims[1] == wanted->cols)
        return v;
    if (v)
        m->free(v);
    if (*status == TM_OK)
        *status = input_fail_whole(f->in, "variable %s cannot be read; is the file damaged?",
                                   wanted->name);
    return NULL;
}

static tm_status take_dense(const mat_file *r, const matvar_t *v, void *out)
{
    value_list *list = out;
    size_t count;
    bool fits = !__builtin_mul_overflow(v->dims[0], v->dims[1], &count) &&
                v->nbytes / (size_t)v->data_size >= count;
    if (!fits)
        return input_fail_whole(r->in, "variable %s is cut short", v->name);
    if (!value_list_reserve(list, count))
        return input_fail_memory(r->in, "a matrix");
    if (!widen(list->values, v->data, count, v->data_type))
        return input_fail_whole(r->in, "variable %s has values of a type that is not numeric",
                                v->name);
    list->count = count;
    return TM_OK;
}

static tm_status take_sparse(const mat_file *r, const matvar_t *v, void *out)
{
    triplet_list *list = out;
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
    return good ? TM_OK : input_fail_whole(r->in, "variable %s is invalid", v->name);
}

typedef tm_status take_function(const mat_file *f, const matvar_t *v, void *out);

static tm_status take(mat_file *f, const mat_variable *wanted, take_function *from, void *out)
{
    tm_status status = TM_OK;
    matvar_t *v = load(f, wanted, &status);
    if (!v)
        return status;
    status = from(f, v, out);
    ((matio *)f->own)->free(v);
    return status;
}

static tm_status dense(mat_file *f, const mat_variable *wanted, value_list *out)
{
    return take(f, wanted, take_dense, out);
}

static tm_status sparse(mat_file *f, const mat_variable *wanted, triplet_list *out)
{
    return take(f, wanted, take_sparse, out);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* One text of a cell: bytes in UTF-8, or units in UTF-16. */
static char *text_of(const matvar_t *v)
{
    size_t units = v->data_size > 0 ? v->nbytes / (size_t)v->data_size : 0;
    if (!v->data || units == 0)
        return text_copy("");
    if (v->data_size == 1)
        return text_part(v->data, strnlen(v->data, units));
    char *text = v->data_size == 2 ? mem_array(units + 1, 4) : NULL, *end = text;
    const uint16_t *from = v->data;
    for (size_t k = 0; text && k < units; k++)
        end = text_put(end, from[k]);
    if (text)
        *end = '\0';
    return text;
}

static tm_status take_cells(const mat_file *f, const matvar_t *v, char ***out, size_t *count)
{
    matvar_t *const *cells = v->data;
    size_t n = v->dims[0] * v->dims[1];
    bool good = v->nbytes / sizeof *cells >= n;
    char **texts = good ? mem_zeros(n, sizeof *texts) : NULL;
    if (good && !texts)
        return input_fail_memory(f->in, "texts");
    for (size_t k = 0; good && k < n; k++) {
        const matvar_t *cell = cells[k];
        good = cell && cell->class_type == MAT_C_CHAR && cell->rank == 2 &&
               (cell->dims[0] == 1 || cell->dims[0] * cell->dims[1] == 0);
        if (good && !(texts[k] = text_of(cell))) {
            text_list_free(texts, n);
            return input_fail_memory(f->in, "texts");
        }
    }
    if (good) {
        *out = texts;
        *count = n;
        return TM_OK;
    }
    text_list_free(texts, n);
    return input_fail_whole(f->in, "variable %s has cells that are not texts", v->name);
}

/* A single row is one text, whose bytes may be UTF-8. */
static tm_status take_characters(const mat_file *f, const matvar_t *v, char ***out, size_t *count)
{
    size_t n = v->dims[0], width = v->dims[1], cells = n * width;
    bool bytes = v->data_size == 1;
    if (n == 1) {
        *out = mem_zeros(1, sizeof **out);
        *count = 1;
        bool made = *out && ((*out)[0] = text_of(v));
        return made ? TM_OK : input_fail_memory(f->in, "texts");
    }
    uint32_t *characters = mem_array(cells, sizeof *characters);
    if (!characters)
        return input_fail_memory(f->in, "texts");
    bool good = v->data_size > 0 && v->data_size <= 2 && v->nbytes / (size_t)v->data_size == cells;
    for (size_t k = 0; good && k < cells; k++)
        characters[k] =
            bytes ? ((const unsigned char *)v->data)[k] : ((const uint16_t *)v->data)[k];
    tm_status status =
        good
            ? mat_rows_of_text(f, characters, n, width, out, count)
            : input_fail_whole(
                  f->in, "variable %s has non-ASCII characters in several rows; use cells of texts",
                  v->name);
    free(characters);
    return status;
}

typedef struct text_list {
    char ***texts;
    size_t *count;
} text_list;

static tm_status take_texts(const mat_file *f, const matvar_t *v, void *out)
{
    const text_list *list = out;
    return v->class_type == MAT_C_CELL ? take_cells(f, v, list->texts, list->count)
                                       : take_characters(f, v, list->texts, list->count);
}

static tm_status texts(mat_file *f, const mat_variable *wanted, char ***out, size_t *count)
{
    text_list list = {out, count};
    return take(f, wanted, take_texts, &list);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* matio replaces the missing end of a truncated file of version 5 by zeros. */
static bool is_whole(const mat_file *f)
{
    FILE *file = fopen(f->path, "rb");
    bool whole = file && mat_is_whole(file);
    if (file)
        fclose(file);
    return whole;
}

static tm_status open_matio(mat_file *f, tm_error *err)
{
    matio *m = f->own = mem_zeros(1, sizeof *m);
    hdf5_lock(); /* HDF5, which matio is linked with */
    if (!m)
        return tm_fail_memory(err, "the file");
    if (!load_matio(m))
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: the library %s, which reads .mat files, is not installed",
                       input_name(f->in), MATIO_SONAME);
    if (!is_whole(f))
        return input_fail_whole(f->in, "the file is truncated, or cannot be read");
    m->file = m->open(f->path, MAT_ACC_RDONLY);
    if (!m->file)
        return input_fail_whole(f->in, "not a .mat file that matio can open");
    return list_variables(f);
}

static void close_matio(mat_file *f)
{
    matio *m = f->own;
    if (m && m->file)
        m->close(m->file);
    free(m);
    hdf5_unlock();
}

const mat_version mat_version_5 = {open_matio, dense, sparse, texts, close_matio};

#endif
