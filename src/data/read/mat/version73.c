/* MATLAB files of version 7.3, which are HDF5: dimensions are in the opposite order, sparse
 * matrices are groups, and cells are references. */
#include "data/read/mat/version.h"

#ifndef HDF5_SONAME

static tm_status open_new(mat_file *file, tm_error *err)
{
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: this program was built without HDF5, of which .mat files of version "
                   "7.3 are; save it with -v7, or build it with libhdf5-dev",
                   input_name(file->in));
}

const mat_version mat_version_73 = {.open = open_new};

#else

#include "base/memory.h"
#include "base/text.h"
#include "data/read/hdf5/file.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 300 };

/* ---- the variables -------------------------------------------------------------------------- */

static void list_variable(mat_file *f, const char *name)
{
    hdf5_file *h = f->own;
    char class[32], part[PATH + 4];
    uint64_t shape[2];
    int64_t rows;
    hdf5_object kind = hdf5_kind(h, name);
    if (kind == HDF5_GROUP && hdf5_attribute(h, name, "MATLAB_sparse", &rows, 1)) {
        snprintf(part, sizeof part, "%s/jc", name);
        if (rows > 0 && hdf5_size(h, part, shape) && shape[0] * shape[1] > 0)
            mat_add(f, name,
                    &(mat_variable){.rows = (size_t)rows,
                                    .cols = (size_t)(shape[0] * shape[1] - 1),
                                    .kind = MAT_SPARSE});
        return;
    }
    if (kind != HDF5_DATASET || !hdf5_size(h, name, shape))
        return;
    hdf5_text_attribute(h, name, "MATLAB_class", class, sizeof class);
    bool text = strcmp(class, "char") == 0 || strcmp(class, "cell") == 0;
    mat_add(f, name,
            &(mat_variable){.rows = (size_t)shape[1],
                            .cols = (size_t)shape[0],
                            .kind = text ? MAT_TEXT : MAT_NUMBERS});
}

static tm_status open_new(mat_file *f, tm_error *err)
{
    hdf5_file *h = f->own = mem_zeros(1, sizeof *h);
    char name[PATH];
    if (!h)
        return tm_fail_memory(err, "the file");
    tm_status status = hdf5_open(h, f->in, f->path, err);
    for (uint64_t k = 0; status == TM_OK && hdf5_name(h, k, name, sizeof name); k++)
        if (name[0] != '#')
            list_variable(f, name);
    return status;
}

static void close_new(mat_file *f)
{
    if (f->own)
        hdf5_close(f->own);
    free(f->own);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static tm_status dense(mat_file *f, const mat_variable *v, value_list *out)
{
    uint64_t count = 0;
    double *values;
    tm_status status = hdf5_reals(f->own, v->name, &values, &count);
    if (status != TM_OK)
        return status;
    value_list_clear(out);
    *out = (value_list){.values = values, .count = count};
    return TM_OK;
}

/* A part of a sparse matrix; a matrix without entries has no dataset for them. */
static tm_status read_part(mat_file *f, const char *name, const char *part, int64_t **wholes,
                           double **reals, uint64_t *count)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", name, part);
    *count = 0;
    if (hdf5_kind(f->own, path) == HDF5_NONE)
        return TM_OK;
    return wholes ? hdf5_wholes(f->own, path, wholes, count)
                  : hdf5_reals(f->own, path, reals, count);
}

static tm_status sparse(mat_file *f, const mat_variable *v, triplet_list *out)
{
    int64_t *starts = NULL, *rows = NULL;
    double *values = NULL;
    uint64_t columns, entries, count;
    tm_status status = read_part(f, v->name, "jc", &starts, NULL, &columns);
    if (status == TM_OK)
        status = read_part(f, v->name, "ir", &rows, NULL, &entries);
    if (status == TM_OK)
        status = read_part(f, v->name, "data", NULL, &values, &count);
    bool good = status != TM_OK || (columns == v->cols + 1 && entries == count), enough = true;
    for (size_t j = 0; status == TM_OK && good && enough && j < v->cols; j++) {
        good = starts[j] >= 0 && starts[j] <= starts[j + 1] && starts[j + 1] <= (int64_t)count;
        for (int64_t k = starts[j]; good && enough && k < starts[j + 1]; k++) {
            good = rows[k] >= 0 && (uint64_t)rows[k] < v->rows;
            enough = !good || triplet_list_add(out, (uint32_t)rows[k], (uint32_t)j, values[k]);
        }
    }
    free(starts);
    free(rows);
    free(values);
    if (!enough)
        return input_fail_memory(f->in, "a matrix");
    return good ? status : input_fail_whole(f->in, "variable %s is invalid", v->name);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static tm_status characters(mat_file *f, const char *path, size_t rows, size_t cols, char ***out,
                            size_t *count)
{
    int64_t *units = NULL;
    uint64_t length;
    tm_status status = hdf5_wholes(f->own, path, &units, &length);
    bool fits = status == TM_OK && length == (uint64_t)rows * cols;
    uint32_t *points = fits ? mem_array(length, sizeof *points) : NULL;
    for (uint64_t k = 0; points && k < length; k++)
        points[k] = units[k] >= 0 && units[k] < 0x10000 ? (uint32_t)units[k] : '?';
    if (status == TM_OK && !fits)
        status = input_fail_whole(f->in, "%.100s is no text", path);
    if (status == TM_OK)
        status = points ? mat_rows_of_text(f, points, rows, cols, out, count)
                        : input_fail_memory(f->in, "texts");
    free(units);
    free(points);
    return status;
}

/* The text that a cell refers to; an empty text stores its dimensions as its value. */
static tm_status read_cell(mat_file *f, const char *path, char **out)
{
    char **texts = NULL;
    size_t count = 0;
    uint64_t shape[2];
    int64_t empty;
    if (hdf5_attribute(f->own, path, "MATLAB_empty", &empty, 1) && empty) {
        *out = text_copy("");
        return *out ? TM_OK : input_fail_memory(f->in, "texts");
    }
    if (!hdf5_size(f->own, path, shape) || shape[1] != 1)
        return input_fail_whole(f->in, "%.100s is not a text in one row", path);
    tm_status status = characters(f, path, 1, (size_t)shape[0], &texts, &count);
    if (status == TM_OK) {
        *out = texts[0];
        texts[0] = NULL;
    }
    text_list_free(texts, count);
    return status;
}

static tm_status texts(mat_file *f, const mat_variable *v, char ***out, size_t *count)
{
    char class[32], **paths = NULL;
    uint64_t cells;
    hdf5_text_attribute(f->own, v->name, "MATLAB_class", class, sizeof class);
    if (strcmp(class, "char") == 0)
        return characters(f, v->name, v->rows, v->cols, out, count);
    tm_status status = hdf5_references(f->own, v->name, &paths, &cells);
    if (status != TM_OK)
        return status;
    *out = mem_zeros(cells, sizeof **out);
    *count = cells;
    status = *out ? TM_OK : input_fail_memory(f->in, "texts");
    for (uint64_t k = 0; status == TM_OK && k < cells; k++)
        status = read_cell(f, paths[k], &(*out)[k]);
    text_list_free(paths, cells);
    return status;
}

const mat_version mat_version_73 = {open_new, dense, sparse, texts, close_new};

#endif
