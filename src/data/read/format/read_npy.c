/* NumPy arrays: a .npy file with X, and .npz archives with X and y or a scipy.sparse matrix. */
#include "base/text.h"
#include "data/read/common/class_texts.h"
#include "data/read/common/format.h"
#include "data/read/common/row_store.h"
#include "data/read/format/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one array ----------------------------------------------------------------------------- */

static tm_status check_columns(input *in, uint64_t p)
{
    if (p <= data_feature_limit())
        return TM_OK;
    return input_fail_whole(in,
                            "%" PRIu64 " columns; tables for that many features do not fit the "
                            "memory of this machine (at most %" PRIu64 ")",
                            p, data_feature_limit());
}

/* A vector is a single feature. Takes ownership of the numbers. `name` is that of the array, or
 * NULL. */
static tm_status make_matrix(tm_matrix **x, npy_array *array, input *in, const char *name,
                             tm_error *err)
{
    uint64_t n = array->shape[0], p = array->shape[1];
    tm_status status = npy_check_numbers(array, in, name);
    if (status != TM_OK)
        return status;
    if (array->dimensions == 0 || n == 0 || p == 0 || array->list.count != n * p)
        return input_fail_whole(in, "the array has no rows or no columns; expected a matrix");
    status = check_columns(in, p);
    if (status != TM_OK)
        return status;
    return array->fortran ? build_from_columns(x, &array->list, n, p, err)
                          : build_from_rows(x, &array->list, n, p, err);
}

static tm_status read_npy(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    (void)request;
    npy_array array;
    tm_status status = npy_read(&array, in, NULL);
    if (status != TM_OK)
        return status;
    status = make_matrix(&result->parts.x, &array, in, NULL, err);
    npy_clear(&array);
    snprintf(result->note, sizeof result->note, "format: NumPy array");
    return status;
}

/* --- archives ------------------------------------------------------------------------------ */

typedef enum npz_slot {
    SLOT_X,
    SLOT_Y,
    SLOT_NAMES,   /* names of the features */
    SLOT_DATA,    /* X, or the values of a sparse matrix */
    SLOT_INDICES, /* from here on: only for sparse matrices */
    SLOT_INDPTR,
    SLOT_ROW,
    SLOT_COL,
    SLOT_SHAPE,
    SLOT_FORMAT,
    SLOTS,
} npz_slot;

static const struct {
    const char *name;
    npz_slot slot;
} known[] = {
    {"X", SLOT_X},
    {"x", SLOT_X},
    {"features", SLOT_X},
    {"arr_0", SLOT_X},
    {"data", SLOT_DATA},
    {"y", SLOT_Y},
    {"Y", SLOT_Y},
    {"target", SLOT_Y},
    {"labels", SLOT_Y},
    {"label", SLOT_Y},
    {"arr_1", SLOT_Y},
    {"indices", SLOT_INDICES},
    {"indptr", SLOT_INDPTR},
    {"row", SLOT_ROW},
    {"col", SLOT_COL},
    {"shape", SLOT_SHAPE},
    {"format", SLOT_FORMAT},
    {"names", SLOT_NAMES},
    {"feature_names", SLOT_NAMES},
};
enum { KNOWN = sizeof known / sizeof known[0] };

typedef struct npz {
    input *in;
    npy_array arrays[SLOTS];
    const char *names[SLOTS]; /* NULL: not in the archive */
    char seen[160];           /* names of the arrays, for messages */
} npz;

static void remember_name(npz *file, const char *name)
{
    size_t used = strlen(file->seen);
    snprintf(file->seen + used, sizeof file->seen - used, "%s%s", used ? ", " : "",
             input_quoted(name, strlen(name)).text);
}

/* Archives may contain other arrays, which are skipped. */
static tm_status read_member(npz *file, const char *member)
{
    char name[64];
    size_t length = strlen(member);
    if (length < 4 || strcmp(member + length - 4, ".npy") != 0)
        return TM_OK;
    snprintf(name, sizeof name, "%.*s", (int)(length < 64 ? length - 4 : 60), member);
    remember_name(file, name);
    for (size_t i = 0; i < KNOWN; i++) {
        npz_slot slot = known[i].slot;
        if (strcmp(known[i].name, name) != 0)
            continue;
        if (slot == SLOT_NAMES && file->names[slot])
            return TM_OK;
        if (file->names[slot])
            return input_fail_whole(file->in, "both \"%s\" and \"%s\" are there; keep one of them",
                                    file->names[slot], name);
        tm_status status = npy_read(&file->arrays[slot], file->in, known[i].name);
        if (status == TM_OK)
            file->names[slot] = known[i].name;
        return status;
    }
    return TM_OK;
}

static tm_status read_members(npz *file)
{
    const char *member = input_member(file->in);
    if (!member)
        return input_fail_whole(file->in, "not a zip archive; expected an .npz file");
    do {
        tm_status status = read_member(file, input_member(file->in));
        if (status != TM_OK)
            return status;
    } while (input_next_member(file->in));
    return input_status(file->in);
}

/* --- scipy.sparse -------------------------------------------------------------------------- */

static tm_status fail_sparse(const npz *file, const char *what)
{
    return input_fail_whole(file->in,
                            "%s; expected data, indices, indptr and shape as "
                            "scipy.sparse.save_npz writes them for csr or csc",
                            what);
}

/* An entry of an index array, which must be an integer in 0..most. */
static bool is_index(double value, double most)
{
    return value >= 0 && value <= most && value == floor(value);
}

static tm_status add_compressed(npz *file, triplet_list *list, bool by_rows, uint64_t major,
                                uint64_t minor)
{
    const value_list *data = &file->arrays[SLOT_DATA].list;
    const value_list *indices = &file->arrays[SLOT_INDICES].list;
    const value_list *starts = &file->arrays[SLOT_INDPTR].list;
    if (starts->count != major + 1 || indices->count != data->count || starts->values[0] != 0 ||
        starts->values[major] != (double)data->count)
        return fail_sparse(file, "the sizes of the arrays do not fit together");
    for (uint64_t i = 0; i < major; i++) {
        if (!is_index(starts->values[i], starts->values[i + 1]) ||
            starts->values[i + 1] > (double)data->count)
            return fail_sparse(file, "indptr does not ascend");
        for (uint64_t k = (uint64_t)starts->values[i]; k < (uint64_t)starts->values[i + 1]; k++) {
            if (!is_index(indices->values[k], (double)minor - 1))
                return fail_sparse(file, "an index lies outside the matrix");
            uint32_t inner = (uint32_t)indices->values[k];
            if (!triplet_list_add(list, by_rows ? (uint32_t)i : inner,
                                  by_rows ? inner : (uint32_t)i, data->values[k]))
                return input_fail_memory(file->in, "entries of the data");
        }
    }
    return TM_OK;
}

static tm_status add_coordinates(npz *file, triplet_list *list, uint64_t n, uint64_t p)
{
    const value_list *data = &file->arrays[SLOT_DATA].list;
    const value_list *rows = &file->arrays[SLOT_ROW].list;
    const value_list *cols = &file->arrays[SLOT_COL].list;
    if (rows->count != data->count || cols->count != data->count)
        return fail_sparse(file, "the sizes of the arrays do not fit together");
    for (uint64_t k = 0; k < data->count; k++) {
        if (!is_index(rows->values[k], (double)n - 1) || !is_index(cols->values[k], (double)p - 1))
            return fail_sparse(file, "an index lies outside the matrix");
        if (!triplet_list_add(list, (uint32_t)rows->values[k], (uint32_t)cols->values[k],
                              data->values[k]))
            return input_fail_memory(file->in, "entries of the data");
    }
    return TM_OK;
}

static tm_status gather(npz *file, triplet_list *list, uint64_t n, uint64_t p)
{
    const npy_array *named = &file->arrays[SLOT_FORMAT];
    const char *format = named->text_count == 1 ? named->texts[0] : "";
    bool coo = strcmp(format, "coo") == 0, csc = strcmp(format, "csc") == 0;
    if (coo && file->names[SLOT_ROW] && file->names[SLOT_COL])
        return add_coordinates(file, list, n, p);
    if (strcmp(format, "csr") != 0 && !csc)
        return fail_sparse(file, "the format is neither csr nor csc nor coo");
    if (!file->names[SLOT_INDICES] || !file->names[SLOT_INDPTR])
        return fail_sparse(file, "indices or indptr are missing");
    return add_compressed(file, list, !csc, csc ? p : n, csc ? n : p);
}

static tm_status make_sparse(tm_matrix **x, npz *file, tm_error *err)
{
    const value_list *shape = &file->arrays[SLOT_SHAPE].list;
    if (!file->names[SLOT_DATA] || shape->count != 2 || !is_index(shape->values[0], UINT32_MAX) ||
        !is_index(shape->values[1], UINT32_MAX) || shape->values[0] < 1 || shape->values[1] < 1)
        return fail_sparse(file, "data or a shape of two numbers is missing");
    uint64_t n = (uint64_t)shape->values[0], p = (uint64_t)shape->values[1];
    triplet_list list = {0};
    tm_status status = check_columns(file->in, p);
    if (status == TM_OK)
        status = gather(file, &list, n, p);
    if (status == TM_OK) {
        npy_clear(&file->arrays[SLOT_DATA]);
        npy_clear(&file->arrays[SLOT_INDICES]);
        status = build_from_triplets(x, &list, n, p, input_name(file->in), err);
    }
    triplet_list_clear(&list);
    return status;
}

/* --- the data set -------------------------------------------------------------------------- */

static tm_status make_x(read_result *result, npz *file, tm_error *err)
{
    bool sparse = false;
    for (int part = SLOT_INDICES; part <= SLOT_FORMAT; part++)
        sparse |= file->names[part] != NULL;
    npz_slot slot = file->names[SLOT_X] ? SLOT_X : SLOT_DATA;
    if (file->names[SLOT_X] && file->names[SLOT_DATA])
        return input_fail_whole(file->in, "both \"%s\" and \"data\" are there; keep one of them",
                                file->names[SLOT_X]);
    if (!file->names[slot])
        return input_fail_whole(file->in,
                                "no array is called X, x, data or features (found: %s); save with "
                                "numpy.savez(file, X=..., y=...)",
                                file->seen[0] ? file->seen : "none");
    if (sparse && slot == SLOT_DATA)
        return make_sparse(&result->parts.x, file, err);
    return make_matrix(&result->parts.x, &file->arrays[slot], file->in, file->names[slot], err);
}

static tm_status make_y(read_result *result, npz *file, tm_error *err)
{
    npy_array *y = &file->arrays[SLOT_Y];
    if (!file->names[SLOT_Y])
        return TM_OK;
    size_t n = tm_matrix_rows(result->parts.x);
    bool vector =
        y->dimensions == 1 || (y->dimensions == 2 && (y->shape[0] == 1 || y->shape[1] == 1));
    bool texts = y->content == NPY_TEXTS;
    if (y->content == NPY_OBJECTS)
        return npy_check_numbers(y, file->in, file->names[SLOT_Y]);
    if (!vector || (texts ? y->text_count : y->list.count) != n)
        return input_fail_whole(file->in,
                                "array \"%s\" is not one number or text for each of the %zu rows",
                                file->names[SLOT_Y], n);
    if (texts)
        return class_list_response(&result->parts,
                                   &(class_list){file->names[SLOT_Y], y->texts, n, NULL}, n,
                                   file->in, err);
    result->parts.response.y = y->list.values;
    y->list = (value_list){0};
    return TM_OK;
}

/* Lists of names of another length may belong to the rows: they are ignored. */
static void make_names(read_result *result, npz *file, const read_request *request)
{
    npy_array *names = &file->arrays[SLOT_NAMES];
    size_t p = tm_matrix_cols(result->parts.x);
    if (names->text_count != p || request->features > p)
        return;
    result->parts.features.names = names->texts;
    names->texts = NULL;
    names->text_count = 0;
}

static tm_status read_npz(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    npz file = {.in = in};
    tm_status status = read_members(&file);
    if (status == TM_OK)
        status = make_x(result, &file, err);
    if (status == TM_OK)
        status = make_y(result, &file, err);
    if (status == TM_OK)
        make_names(result, &file, request);
    snprintf(result->note, sizeof result->note, "format: NumPy archive%s%s%s%s",
             result->parts.features.names ? "\nfeature names: array " : "",
             result->parts.features.names ? file.names[SLOT_NAMES] : "",
             file.names[SLOT_Y] ? "\nresponse: array " : "",
             file.names[SLOT_Y] ? file.names[SLOT_Y] : "");
    for (int i = 0; i < SLOTS; i++)
        npy_clear(&file.arrays[i]);
    return status;
}

/* --- a response ---------------------------------------------------------------------------- */

static tm_status read_column(value_list *list, size_t n, input *in, tm_error *err)
{
    (void)n;
    (void)err;
    npy_array array;
    tm_status status = npy_read(&array, in, NULL);
    if (status != TM_OK)
        return status;
    status = npy_check_numbers(&array, in, NULL);
    if (status == TM_OK)
        status = build_check_vector(in, array.shape[0], array.shape[1]);
    if (status == TM_OK) {
        *list = array.list;
        array.list = (value_list){0};
    }
    npy_clear(&array);
    return status;
}

/* --- the formats --------------------------------------------------------------------------- */

static bool is_archive(const input *in)
{
    const char *member = input_member(in);
    return member && text_ends_with(member, ".npy");
}

static bool is_array(const input *in)
{
    return npy_is_next(in) && !is_archive(in);
}

static const char *const npy_extensions[] = {".npy", NULL};
static const char *const npz_extensions[] = {".npz", NULL};

const read_format read_format_npy = {
    .info = {"npy", "NumPy array of rows and columns; the response is a file or column of its own"},
    .title = "NumPy array",
    .extensions = npy_extensions,
    .recognise = is_array,
    .read = read_npy,
    .read_column = read_column,
};

const read_format read_format_npz = {
    .info = {"npz", "NumPy archive: X and y, or a matrix of scipy.sparse.save_npz"},
    .title = "NumPy archive",
    .extensions = npz_extensions,
    .takes_archive = true,
    .recognise = is_archive,
    .read = read_npz,
};
