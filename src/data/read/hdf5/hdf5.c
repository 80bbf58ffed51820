/* HDF5 files: AnnData (.h5ad), whose observations are the rows, and counts of 10x Genomics (.h5),
 * whose barcodes are the rows. Files of other layouts have a matrix X and a vector y. */
#include "base/text.h"
#include "data/read/common/format.h"
#include "data/reading.h"

#include <string.h>

static bool recognise(const input *in)
{
    static const char start[] = "\x89HDF\r\n\x1a\n";
    return in->end - in->cur >= (ptrdiff_t)sizeof start - 1 &&
           memcmp(in->cur, start, sizeof start - 1) == 0;
}

#ifndef HDF5_SONAME

static tm_status read_hdf5(read_result *result, input *in, const read_request *request,
                           tm_error *err)
{
    (void)result;
    (void)request;
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: this program was built without HDF5; save the matrix as .npz or .mtx, "
                   "or build it with libhdf5-dev",
                   input_name(in));
}

#else

#include "base/memory.h"
#include "data/read/common/class_texts.h"
#include "data/read/common/row_store.h"
#include "data/read/hdf5/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH = 300 };

typedef struct hdf5_reader {
    hdf5_file file;
    const read_request *request;
    tm_dataset_parts *parts;
    uint64_t n, p;
    char matrix[PATH], names[PATH], response[PATH]; /* paths; "" when absent */
    bool by_barcode;                                /* as stored by 10x Genomics */
} hdf5_reader;

/* ---- the matrix ----------------------------------------------------------------------------- */

static tm_status check_sizes(hdf5_reader *r, const char *path)
{
    if (r->n > 0 && r->p > 0 && r->n <= UINT32_MAX && r->p <= data_feature_limit())
        return TM_OK;
    return input_fail_whole(r->file.in,
                            "%.100s of %llu x %llu is not a matrix of samples and features that "
                            "fits in this machine's memory",
                            path, (unsigned long long)r->n, (unsigned long long)r->p);
}

static tm_status read_dense(hdf5_reader *r, tm_error *err)
{
    uint64_t shape[2] = {0, 0};
    value_list list = {0};
    tm_status status = hdf5_shape(&r->file, r->matrix, shape);
    r->n = shape[0];
    r->p = shape[1];
    if (status == TM_OK)
        status = check_sizes(r, r->matrix);
    if (status == TM_OK)
        status = hdf5_reals(&r->file, r->matrix, &list.values, &list.count);
    if (status == TM_OK)
        status = build_from_rows(&r->parts->x, &list, r->n, r->p, err);
    value_list_clear(&list);
    return status;
}

/* Compressed rows or columns, as stored in the file. */
typedef struct compressed {
    double *data;
    int64_t *indices, *starts;
    uint64_t data_count, index_count, start_count;
    uint64_t major, minor;
    bool by_rows;
} compressed;

static void clear_compressed(compressed *c)
{
    free(c->data);
    free(c->indices);
    free(c->starts);
}

static tm_status fail_sparse(hdf5_reader *r, const char *what)
{
    return input_fail_whole(r->file.in, "the sparse matrix %.100s is invalid: %s", r->matrix, what);
}

/* Reads the sizes and the order: from attributes of AnnData, new or old, or from a dataset. */
static tm_status read_layout(hdf5_reader *r, compressed *c)
{
    hdf5_file *f = &r->file;
    char kind[64], path[PATH + 16];
    int64_t shape[2], *list = NULL;
    uint64_t count = 0;
    bool known = hdf5_text_attribute(f, r->matrix, "encoding-type", kind, sizeof kind) ||
                 hdf5_text_attribute(f, r->matrix, "h5sparse_format", kind, sizeof kind);
    bool sized = hdf5_attribute(f, r->matrix, "shape", shape, 2) ||
                 hdf5_attribute(f, r->matrix, "h5sparse_shape", shape, 2);
    snprintf(path, sizeof path, "%s/shape", r->matrix);
    if (!sized && hdf5_kind(f, path) == HDF5_DATASET) {
        tm_status status = hdf5_wholes(f, path, &list, &count);
        if (status != TM_OK)
            return status;
        sized = count == 2;
        if (sized)
            memcpy(shape, list, sizeof shape);
        free(list);
    }
    bool csc = strncmp(kind, "csc", 3) == 0;
    if (!r->by_barcode && (!known || (!csc && strncmp(kind, "csr", 3) != 0)))
        return fail_sparse(r, "it is neither csr nor csc");
    if (!sized || shape[0] < 1 || shape[1] < 1)
        return fail_sparse(r, "it has no shape");
    r->n = (uint64_t)shape[r->by_barcode];
    r->p = (uint64_t)shape[!r->by_barcode];
    c->by_rows = !csc;
    c->major = csc ? r->p : r->n;
    c->minor = csc ? r->n : r->p;
    return check_sizes(r, r->matrix);
}

static tm_status read_arrays(hdf5_reader *r, compressed *c)
{
    char path[PATH + 16];
    snprintf(path, sizeof path, "%s/data", r->matrix);
    tm_status status = hdf5_reals(&r->file, path, &c->data, &c->data_count);
    snprintf(path, sizeof path, "%s/indices", r->matrix);
    if (status == TM_OK)
        status = hdf5_wholes(&r->file, path, &c->indices, &c->index_count);
    snprintf(path, sizeof path, "%s/indptr", r->matrix);
    if (status == TM_OK)
        status = hdf5_wholes(&r->file, path, &c->starts, &c->start_count);
    if (status != TM_OK)
        return status;
    if (c->start_count != c->major + 1 || c->index_count != c->data_count || c->starts[0] != 0 ||
        c->starts[c->major] != (int64_t)c->data_count)
        return fail_sparse(r, "the sizes of data, indices and indptr do not fit together");
    return TM_OK;
}

static tm_status gather(hdf5_reader *r, const compressed *c, triplet_list *list)
{
    for (uint64_t i = 0; i < c->major; i++) {
        if (c->starts[i] > c->starts[i + 1] || c->starts[i + 1] > (int64_t)c->data_count)
            return fail_sparse(r, "indptr does not ascend");
        for (int64_t k = c->starts[i]; k < c->starts[i + 1]; k++) {
            if (c->indices[k] < 0 || (uint64_t)c->indices[k] >= c->minor)
                return fail_sparse(r, "an index lies outside of it");
            uint32_t outer = (uint32_t)i, inner = (uint32_t)c->indices[k];
            if (!triplet_list_add(list, c->by_rows ? outer : inner, c->by_rows ? inner : outer,
                                  c->data[k]))
                return input_fail_memory(r->file.in, "entries of the data");
        }
    }
    return TM_OK;
}

static tm_status read_sparse(hdf5_reader *r, tm_error *err)
{
    compressed c = {0};
    triplet_list list = {0};
    tm_status status = read_layout(r, &c);
    if (status == TM_OK)
        status = read_arrays(r, &c);
    if (status == TM_OK)
        status = gather(r, &c, &list);
    clear_compressed(&c);
    if (status == TM_OK)
        status = build_from_triplets(&r->parts->x, &list, r->n, r->p, input_name(r->file.in), err);
    triplet_list_clear(&list);
    return status;
}

static tm_status read_matrix(hdf5_reader *r, tm_error *err)
{
    hdf5_object kind = hdf5_kind(&r->file, r->matrix);
    if (kind == HDF5_DATASET)
        return read_dense(r, err);
    if (kind == HDF5_GROUP)
        return read_sparse(r, err);
    return input_fail_whole(r->file.in, "there is no matrix %.100s", r->matrix);
}

/* ---- names and the response ----------------------------------------------------------------- */

static tm_status read_names(hdf5_reader *r)
{
    char **names;
    uint64_t count;
    if (!r->names[0] || !hdf5_is_text(&r->file, r->names))
        return TM_OK;
    tm_status status = hdf5_texts(&r->file, r->names, &names, &count);
    if (status != TM_OK)
        return status;
    if (count == r->p) {
        r->parts->features.names = names;
        return TM_OK;
    }
    text_list_free(names, count);
    return input_fail_whole(r->file.in, "%.100s has %llu names for %llu features", r->names,
                            (unsigned long long)count, (unsigned long long)r->p);
}

static tm_status check_length(hdf5_reader *r, uint64_t count)
{
    return count == r->n
               ? TM_OK
               : input_fail_whole(r->file.in, "%.100s has %llu values for %llu rows", r->response,
                                  (unsigned long long)count, (unsigned long long)r->n);
}

static tm_status take_texts(hdf5_reader *r, tm_error *err)
{
    char **texts;
    uint64_t count;
    tm_status status = hdf5_texts(&r->file, r->response, &texts, &count);
    if (status != TM_OK)
        return status;
    status = check_length(r, count);
    if (status == TM_OK)
        status = class_list_response(r->parts, &(class_list){r->response, texts, count, NULL}, r->n,
                                     r->file.in, err);
    text_list_free(texts, count);
    return status;
}

static tm_status take_numbers(hdf5_reader *r)
{
    uint64_t count;
    tm_status status = hdf5_reals(&r->file, r->response, &r->parts->response.y, &count);
    return status == TM_OK ? check_length(r, count) : status;
}

/* Categories: codes and their values, which are texts or numbers. */
static tm_status take_categories(hdf5_reader *r, const char *codes_path, const char *values_path,
                                 tm_error *err)
{
    int64_t *codes = NULL;
    char **texts = NULL;
    double *numbers = NULL;
    uint64_t count, values = 0;
    tm_status status = hdf5_wholes(&r->file, codes_path, &codes, &count);
    bool text = hdf5_is_text(&r->file, values_path);
    if (status == TM_OK)
        status = check_length(r, count);
    if (status == TM_OK)
        status = text ? hdf5_texts(&r->file, values_path, &texts, &values)
                      : hdf5_reals(&r->file, values_path, &numbers, &values);
    if (status == TM_OK && text)
        status = class_list_response(r->parts, &(class_list){r->response, texts, values, codes},
                                     r->n, r->file.in, err);
    else if (status == TM_OK &&
             !(r->parts->response.y = mem_array(r->n, sizeof *r->parts->response.y)))
        status = input_fail_memory(r->file.in, "the response");
    for (uint64_t i = 0; status == TM_OK && !text && i < r->n; i++)
        if (codes[i] >= (int64_t)values)
            status = input_fail_whole(r->file.in, "%.100s has a code without a value", r->response);
        else
            r->parts->response.y[i] = codes[i] < 0 ? NAN : numbers[codes[i]];
    free(codes);
    free(numbers);
    text_list_free(texts, values);
    return status;
}

/* Reads a column of numbers, of texts, or of categories in the format of newer or older AnnData. */
static tm_status read_response(hdf5_reader *r, tm_error *err)
{
    char codes[PATH + 16], values[PATH + 32];
    hdf5_object kind = hdf5_kind(&r->file, r->response);
    const char *name = strrchr(r->response, '/');
    snprintf(codes, sizeof codes, "%s/codes", r->response);
    snprintf(values, sizeof values, "%s/categories", r->response);
    if (kind == HDF5_GROUP)
        return take_categories(r, codes, values, err);
    snprintf(values, sizeof values, "obs/__categories/%s", name ? name + 1 : r->response);
    if (name && kind == HDF5_DATASET && hdf5_kind(&r->file, values) == HDF5_DATASET)
        return take_categories(r, r->response, values, err);
    if (kind == HDF5_DATASET)
        return hdf5_is_text(&r->file, r->response) ? take_texts(r, err) : take_numbers(r);
    return input_fail_whole(r->file.in, "there is no column %.100s for label", r->response);
}

/* ---- the layouts ---------------------------------------------------------------------------- */

/* The column of obs given by the user, or the one that was the response in the file to imitate, if
 * it exists here. */
static const char *find_label(hdf5_reader *r)
{
    const read_request *request = r->request;
    const tm_reading_file *like = request->like ? &request->like->file : NULL;
    const char *label = like ? like->response : NULL;
    char path[PATH];
    if (request->label || request->response_apart)
        return request->label;
    for (size_t i = 0; like && i < like->count; i += 2)
        if (strcmp(like->options[i], "label") == 0)
            label = like->options[i + 1];
    snprintf(path, sizeof path, "obs/%s", label ? label : "");
    bool there = label && hdf5_kind(&r->file, path) != HDF5_NONE;
    return there || !request->may_lack ? label : NULL;
}

/* Finds the parts of an AnnData file. The response is a column of obs. */
static tm_status find_anndata(hdf5_reader *r)
{
    const char *layer = read_text_option(r->request, "layer");
    bool raw = layer && strcmp(layer, "raw") == 0;
    const char *of_names = raw ? "raw/var" : "var";
    char index[PATH - 32];
    if (raw)
        strcpy(r->matrix, "raw/X");
    else if (layer)
        snprintf(r->matrix, sizeof r->matrix, "layers/%s", layer);
    else
        strcpy(r->matrix, "X");
    if (!hdf5_text_attribute(&r->file, of_names, "_index", index, sizeof index))
        strcpy(index, "_index");
    snprintf(r->names, sizeof r->names, "%s/%s", of_names, index);
    const char *label = find_label(r);
    if (label)
        snprintf(r->response, sizeof r->response, "obs/%s", label);
    else if (!r->request->response_apart && !r->request->may_lack)
        return input_fail_whole(r->file.in, "AnnData without a response; name a column of obs with "
                                            "label, or the file that holds it with response");
    return TM_OK;
}

static void find_10x(hdf5_reader *r)
{
    strcpy(r->matrix, "matrix");
    strcpy(r->names, "matrix/features/name");
    r->by_barcode = true;
}

static tm_status find_layout(hdf5_reader *r, read_result *result)
{
    hdf5_file *f = &r->file;
    const char *what = "HDF5, matrix X";
    tm_status status = TM_OK;
    if (hdf5_kind(f, "obs") != HDF5_NONE) {
        what = "AnnData";
        status = find_anndata(r);
    } else if (read_text_option(r->request, "layer")) {
        status = input_fail_whole(f->in, "layer is for AnnData, and this is another HDF5 file");
    } else if (hdf5_kind(f, "matrix/indptr") == HDF5_DATASET) {
        what = "10x Genomics, barcodes are rows";
        find_10x(r);
    } else if (hdf5_kind(f, "X") != HDF5_NONE) {
        strcpy(r->matrix, "X");
        if (!r->request->label && !r->request->response_apart && hdf5_kind(f, "y") == HDF5_DATASET)
            strcpy(r->response, "y");
    } else {
        status = input_fail_whole(f->in, "neither AnnData (X, obs, var) nor counts of 10x Genomics "
                                         "(matrix), and there is no dataset X");
    }
    snprintf(result->note, sizeof result->note, "format: %s%s%s%s%s", what,
             r->by_barcode ? "" : ", ", r->by_barcode ? "" : r->matrix,
             r->response[0] ? "\nresponse: " : "", r->response);
    return status;
}

static tm_status read_all(hdf5_reader *r, read_result *result, tm_error *err)
{
    if (r->request->features > 0)
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: columns is for other formats; HDF5 files know "
                       "how many columns they have",
                       input_name(r->file.in));
    tm_status status = find_layout(r, result);
    if (status == TM_OK)
        status = read_matrix(r, err);
    if (status == TM_OK)
        status = read_names(r);
    if (status != TM_OK || !r->response[0])
        return status;
    const char *slash = strrchr(r->response, '/');
    r->parts->response.name = text_copy(slash ? slash + 1 : r->response);
    if (!r->parts->response.name ||
        (slash && !reading_add_option(r->parts->reading, "label", slash + 1)))
        return input_fail_memory(r->file.in, "the name of the response");
    result->complete = slash != NULL; /* otherwise a column of X may have been the response there */
    return read_response(r, err);
}

static tm_status read_hdf5(read_result *result, input *in, const read_request *request,
                           tm_error *err)
{
    hdf5_reader r = {.request = request, .parts = &result->parts};
    bool plain = request->path && input_is_plain(in);
    tm_status status = hdf5_open(&r.file, in, plain ? request->path : NULL, err);
    if (status == TM_OK)
        status = read_all(&r, result, err);
    hdf5_close(&r.file);
    return status == TM_OK ? input_status(in) : status;
}

#endif

static const char *const extensions[] = {".h5ad", ".h5", ".hdf5", NULL};

const read_format read_format_hdf5 = {
    .info = {"hdf5", "HDF5: AnnData (.h5ad), counts of 10x Genomics (.h5), or a matrix X and y"},
    .title = "HDF5",
    .extensions = extensions,
    .recognise = recognise,
    .read = read_hdf5,
};
