#ifdef HDF5_SONAME

#include "data/read/hdf5/library.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/input.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of H5F_ACC_RDONLY, whose macro would call the library directly. */
static const unsigned READ_ONLY = 0;

enum { MAX_PATH = 512 };

/* ---- messages ------------------------------------------------------------------------------- */

static tm_status fail(libhdf5 *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

static tm_status fail(libhdf5 *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    return TM_EDATA;
}

/* ---- the library ---------------------------------------------------------------------------- */

/* The types and classes that libhdf5 has made when it began. */
static bool find_types(libhdf5 *f, void *library)
{
    void *found;
    static const char *const names[] = {
        "H5T_NATIVE_DOUBLE_g",      "H5T_NATIVE_INT64_g", "H5T_NATIVE_INT8_g",       "H5T_C_S1_g",
        "H5P_CLS_FILE_ACCESS_ID_g", "H5T_STD_REF_OBJ_g",  "H5P_CLS_LINK_ACCESS_ID_g"};
    hid_t *const places[] = {&f->real,   &f->whole,     &f->small, &f->string,
                             &f->access, &f->reference, &f->links};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (!(found = dlsym(library, names[k])))
            return false;
        memcpy(places[k], found, sizeof **places);
    }
    return true;
}

bool libhdf5_load(libhdf5 *f)
{
    void *library = dlopen(HDF5_SONAME, RTLD_NOW | RTLD_LOCAL), *found;
    if (!library)
        return false;
#define HDF5_FIND(name)                                                                            \
    if (!(found = dlsym(library, #name)))                                                          \
        return false;                                                                              \
    memcpy(&f->h.name, &found, sizeof found);
    HDF5_FUNCTIONS(HDF5_FIND)
    f->h.H5open();
    f->h.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* disables the library's own error messages */
    return find_types(f, library);
}

static void open_bytes(libhdf5 *f, const void *bytes, size_t size)
{
    hid_t access = f->h.H5Pcreate(f->access);
    if (f->h.H5Pset_fapl_core(access, 1 << 20, 0) >= 0 &&
        f->h.H5Pset_file_image(access, (void *)(uintptr_t)bytes, size) >= 0)
        f->id = f->h.H5Fopen("memory", READ_ONLY, access);
    f->h.H5Pclose(access);
}

/* A file that is read has no other one opened: its author may not be the user. */
static herr_t refuse_link(const char *from, const char *from_group, const char *to,
                          const char *path, unsigned *flags, hid_t access, void *payload)
{
    (void)from, (void)from_group, (void)to, (void)path, (void)flags, (void)access, (void)payload;
    return -1;
}

tm_status libhdf5_open(libhdf5 *f, const char *path, const void *bytes, size_t size)
{
    f->id = -1;
    hdf5_heap_open(&f->heap, path, bytes, size);
    if (!hdf5_heap_is_whole(&f->heap))
        return fail(f, "the file is damaged: a collection of its texts cannot be read");
    f->within = f->h.H5Pcreate(f->links);
    f->h.H5Pset_elink_cb(f->within, refuse_link, NULL);
    if (path)
        f->id = f->h.H5Fopen(path, READ_ONLY, H5P_DEFAULT);
    else
        open_bytes(f, bytes, size);
    return f->id < 0 ? fail(f, "the file is damaged, or not an HDF5 file") : TM_OK;
}

/* ---- objects -------------------------------------------------------------------------------- */

/* Each prefix of the path must exist before the next one is looked up. */
static bool exists(libhdf5 *f, const char *path)
{
    char part[MAX_PATH];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return false;
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        memcpy(part, path, k);
        part[k] = '\0';
        if (f->h.H5Lexists(f->id, part, f->within) <= 0)
            return false;
    }
    return length > 0;
}

static hid_t open_object(libhdf5 *f, const char *path)
{
    return exists(f, path) ? f->h.H5Oopen(f->id, path, f->within) : -1;
}

hdf5_object libhdf5_kind(libhdf5 *f, const char *path)
{
    hid_t object = open_object(f, path);
    if (object < 0)
        return HDF5_NONE;
    H5I_type_t kind = f->h.H5Iget_type(object);
    f->h.H5Oclose(object);
    return kind == H5I_DATASET ? HDF5_DATASET : kind == H5I_GROUP ? HDF5_GROUP : HDF5_OTHER;
}

/* A dataset with its type and number of values. */
typedef struct dataset {
    hid_t id, type;
    uint64_t shape[2], count;
    int dimensions;
} dataset;

static void close_dataset(libhdf5 *f, dataset *d)
{
    if (d->type >= 0)
        f->h.H5Tclose(d->type);
    if (d->id >= 0)
        f->h.H5Oclose(d->id);
}

/* Whether the values of a dataset are in other files. */
static bool is_elsewhere(libhdf5 *f, hid_t id)
{
    hid_t made = f->h.H5Dget_create_plist(id);
    bool elsewhere =
        made < 0 || f->h.H5Pget_layout(made) == H5D_VIRTUAL || f->h.H5Pget_external_count(made) > 0;
    if (made >= 0)
        f->h.H5Pclose(made);
    return elsewhere;
}

/* False when it cannot be read: d->id tells whether it exists at all. */
static bool open_quietly(libhdf5 *f, const char *path, dataset *d)
{
    hsize_t sizes[2] = {1, 1};
    *d = (dataset){.id = open_object(f, path), .type = -1};
    if (d->id < 0 || f->h.H5Iget_type(d->id) != H5I_DATASET || is_elsewhere(f, d->id)) {
        close_dataset(f, d);
        d->id = -1;
        return false;
    }
    d->type = f->h.H5Dget_type(d->id);
    hid_t space = f->h.H5Dget_space(d->id);
    d->dimensions = f->h.H5Sget_simple_extent_ndims(space);
    if (d->dimensions >= 0 && d->dimensions <= 2)
        f->h.H5Sget_simple_extent_dims(space, sizes, NULL);
    f->h.H5Sclose(space);
    d->shape[0] = sizes[0];
    d->shape[1] = sizes[1];
    bool good = d->type >= 0 && d->dimensions >= 0 && d->dimensions <= 2 &&
                !__builtin_mul_overflow(d->shape[0], d->shape[1], &d->count) &&
                (double)d->count * 8 <= mem_physical() / 2 &&
                libhdf5_can_hold(f, d->id, d->type, d->count);
    if (!good)
        close_dataset(f, d);
    return good;
}

static tm_status open_dataset(libhdf5 *f, const char *path, dataset *d)
{
    if (open_quietly(f, path, d))
        return TM_OK;
    if (d->id < 0)
        return fail(f, "there is no dataset %.100s, or it is in another file", path);
    return fail(f,
                "dataset %.100s has more than two dimensions, more values than the file "
                "can hold, or more than fit the memory of this machine",
                path);
}

tm_status libhdf5_shape(libhdf5 *f, const char *path, uint64_t shape[2])
{
    dataset d;
    tm_status status = open_dataset(f, path, &d);
    if (status == TM_OK) {
        memcpy(shape, d.shape, sizeof d.shape);
        close_dataset(f, &d);
    }
    return status;
}

/* Booleans are stored as an enumeration of bytes. */
static bool read_truths(libhdf5 *f, const dataset *d, double *out)
{
    signed char *bytes = mem_array(d->count, 1);
    bool good = bytes && f->h.H5Tget_size(d->type) == 1 &&
                f->h.H5Dread(d->id, d->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    for (uint64_t k = 0; good && k < d->count; k++)
        out[k] = bytes[k];
    free(bytes);
    return good;
}

/* Closes the dataset and returns its values, or frees them. */
static tm_status finish(libhdf5 *f, dataset *d, void *values, bool good, const char *path)
{
    close_dataset(f, d);
    if (good)
        return TM_OK;
    free(values);
    return values ? fail(f, "dataset %.100s cannot be read as numbers", path) : TM_ENOMEM;
}

tm_status libhdf5_reals(libhdf5 *f, const char *path, double **out, uint64_t *count)
{
    dataset d;
    *out = NULL;
    tm_status status = open_dataset(f, path, &d);
    if (status != TM_OK)
        return status;
    H5T_class_t class = f->h.H5Tget_class(d.type);
    double *values = mem_array(d.count, sizeof *values);
    bool good = values && (class == H5T_INTEGER || class == H5T_FLOAT)
                    ? f->h.H5Dread(d.id, f->real, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0
                    : values && class == H5T_ENUM && read_truths(f, &d, values);
    *count = d.count;
    status = finish(f, &d, values, good, path);
    *out = status == TM_OK ? values : NULL;
    return status;
}

tm_status libhdf5_wholes(libhdf5 *f, const char *path, int64_t **out, uint64_t *count)
{
    dataset d;
    *out = NULL;
    tm_status status = open_dataset(f, path, &d);
    if (status != TM_OK)
        return status;
    int64_t *whole = mem_array(d.count, sizeof *whole);
    *count = d.count;
    status = finish(f, &d, whole,
                    whole && f->h.H5Tget_class(d.type) == H5T_INTEGER &&
                        f->h.H5Dread(d.id, f->whole, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole) >= 0,
                    path);
    *out = status == TM_OK ? whole : NULL;
    return status;
}

/* ---- texts ---------------------------------------------------------------------------------- */

bool libhdf5_is_text(libhdf5 *f, const char *path)
{
    hid_t object = open_object(f, path);
    bool text = false;
    if (object >= 0 && f->h.H5Iget_type(object) == H5I_DATASET) {
        hid_t type = f->h.H5Dget_type(object);
        text = f->h.H5Tget_class(type) == H5T_STRING;
        f->h.H5Tclose(type);
    }
    if (object >= 0)
        f->h.H5Oclose(object);
    return text;
}

/* References to texts stay as they are in the file. */
static herr_t keep_references(hid_t from, hid_t to, H5T_cdata_t *convert, size_t count, size_t step,
                              size_t background_step, void *bytes, void *background, hid_t transfer)
{
    (void)from, (void)to, (void)count, (void)step, (void)background_step, (void)bytes;
    (void)background, (void)transfer;
    convert->need_bkg = H5T_BKG_NO;
    return 0;
}

/* Reads the texts of variable length of a dataset or an attribute, NULL where one is not there;
 * false when one is not. libhdf5 reads the references alone (heap.h). */
static bool read_variable(libhdf5 *f, hid_t object, bool attribute, hid_t stored, uint64_t count,
                          char **texts)
{
    static const char name[] = "references to texts";
    size_t size = hdf5_heap_reference_size(&f->heap);
    unsigned char *references = mem_zeros(count, size);
    hid_t type = size > 0 ? f->h.H5Tcreate(H5T_OPAQUE, size) : -1;
    bool good = references && type >= 0 &&
                f->h.H5Tregister(H5T_PERS_SOFT, name, stored, type, keep_references) >= 0;
    if (good)
        good = (attribute
                    ? f->h.H5Aread(object, type, references)
                    : f->h.H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, references)) >= 0;
    if (type >= 0) {
        f->h.H5Tunregister(H5T_PERS_SOFT, name, stored, type, keep_references);
        f->h.H5Tclose(type);
    }
    for (uint64_t k = 0; good && k < count; k++)
        good = (texts[k] = hdf5_heap_text(&f->heap, references + k * size)) != NULL;
    free(references);
    return good;
}

/* The type in memory of a string of the file's length. */
static hid_t string_type(libhdf5 *f, hid_t stored, size_t width)
{
    hid_t type = f->h.H5Tcopy(f->string);
    f->h.H5Tset_size(type, width + 1);
    f->h.H5Tset_cset(type, f->h.H5Tget_cset(stored));
    return type;
}

static bool read_fixed(libhdf5 *f, const dataset *d, char **texts)
{
    size_t width = f->h.H5Tget_size(d->type);
    if (width >= INPUT_LOOKAHEAD)
        return false;
    char *found = mem_zeros(d->count, width + 1);
    hid_t type = string_type(f, d->type, width);
    bool good = found && f->h.H5Dread(d->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0;
    for (uint64_t k = 0; good && k < d->count; k++) {
        const char *text = found + k * (width + 1);
        good = (texts[k] = text_part(text, strnlen(text, width))) != NULL;
    }
    f->h.H5Tclose(type);
    free(found);
    return good;
}

tm_status libhdf5_texts(libhdf5 *f, const char *path, char ***out, uint64_t *count)
{
    dataset d;
    tm_status status = open_dataset(f, path, &d);
    if (status != TM_OK)
        return status;
    char **texts = mem_zeros(d.count, sizeof *texts);
    bool good =
        texts && f->h.H5Tget_class(d.type) == H5T_STRING &&
        (f->h.H5Tis_variable_str(d.type) > 0 ? read_variable(f, d.id, false, d.type, d.count, texts)
                                             : read_fixed(f, &d, texts));
    *count = d.count;
    close_dataset(f, &d);
    if (good) {
        *out = texts;
        return TM_OK;
    }
    text_list_free(texts, *count);
    return fail(f, "dataset %.100s cannot be read as texts", path);
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* What exists and cannot be read is no attribute that is not there. */
static tm_status fail_attribute(libhdf5 *f, const char *path, const char *name)
{
    return fail(f, "attribute %.100s of %.100s cannot be read", name, path);
}

/* -1 for one that does not exist; `object` is closed with close_attribute in any case. */
static tm_status open_attribute(libhdf5 *f, const char *path, const char *name, hid_t *object,
                                hid_t *attribute)
{
    *attribute = -1;
    *object = open_object(f, path);
    htri_t exists = *object < 0 ? 0 : f->h.H5Aexists(*object, name);
    if (exists == 0)
        return TM_OK;
    *attribute = exists > 0 ? f->h.H5Aopen(*object, name, H5P_DEFAULT) : -1;
    return *attribute < 0 ? fail_attribute(f, path, name) : TM_OK;
}

static void close_attribute(libhdf5 *f, hid_t object, hid_t attribute)
{
    if (attribute >= 0)
        f->h.H5Aclose(attribute);
    if (object >= 0)
        f->h.H5Oclose(object);
}

static uint64_t count_of(libhdf5 *f, hid_t attribute)
{
    hid_t space = f->h.H5Aget_space(attribute);
    hssize_t count = f->h.H5Sget_simple_extent_npoints(space);
    f->h.H5Sclose(space);
    return count < 0 ? 0 : (uint64_t)count;
}

enum { ATTRIBUTE_WIDTH = 256 }; /* longer ones of a fixed length are none that a reader knows */

static bool is_short_text(libhdf5 *f, hid_t attribute, hid_t stored)
{
    return f->h.H5Tget_class(stored) == H5T_STRING && count_of(f, attribute) == 1 &&
           (f->h.H5Tis_variable_str(stored) > 0 || f->h.H5Tget_size(stored) + 1 < ATTRIBUTE_WIDTH);
}

/* The text of an attribute that is one, malloc'ed. */
static char *attribute_text(libhdf5 *f, hid_t attribute, hid_t stored)
{
    char *text = NULL, buffer[ATTRIBUTE_WIDTH] = "";
    if (f->h.H5Tis_variable_str(stored) > 0)
        return read_variable(f, attribute, true, stored, 1, &text) ? text : NULL;
    hid_t type = string_type(f, stored, f->h.H5Tget_size(stored));
    bool good = f->h.H5Aread(attribute, type, buffer) >= 0;
    f->h.H5Tclose(type);
    return good ? text_copy(buffer) : NULL;
}

tm_status libhdf5_text_attribute(libhdf5 *f, const char *path, const char *name, bool *found,
                                 char *text, size_t size)
{
    hid_t object, attribute;
    tm_status status = open_attribute(f, path, name, &object, &attribute);
    *found = false;
    if (attribute >= 0) {
        hid_t stored = f->h.H5Aget_type(attribute);
        *found = is_short_text(f, attribute, stored);
        char *read = *found ? attribute_text(f, attribute, stored) : NULL;
        if (*found && !read)
            status = fail_attribute(f, path, name);
        snprintf(text, size, "%s", read ? read : "");
        free(read);
        f->h.H5Tclose(stored);
    }
    close_attribute(f, object, attribute);
    return status;
}

tm_status libhdf5_attribute(libhdf5 *f, const char *path, const char *name, bool *found,
                            int64_t *out, size_t count)
{
    hid_t object, attribute;
    tm_status status = open_attribute(f, path, name, &object, &attribute);
    *found = attribute >= 0 && count_of(f, attribute) == count;
    if (*found && f->h.H5Aread(attribute, f->whole, out) < 0)
        status = fail_attribute(f, path, name);
    close_attribute(f, object, attribute);
    return status;
}

/* ---- names and references ------------------------------------------------------------------- */

bool libhdf5_name(libhdf5 *f, uint64_t k, char *name, size_t size)
{
    return f->h.H5Lget_name_by_idx(f->id, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, size,
                                   H5P_DEFAULT) > 0;
}

static char *path_of(libhdf5 *f, hid_t from, const hobj_ref_t *reference)
{
    char path[MAX_PATH] = "";
    hid_t object = f->h.H5Rdereference2(from, H5P_DEFAULT, H5R_OBJECT, reference);
    if (object < 0)
        return NULL;
    ssize_t length = f->h.H5Rget_name(from, H5R_OBJECT, reference, path, sizeof path);
    f->h.H5Oclose(object);
    return length > 0 && length < (ssize_t)sizeof path ? text_copy(path + 1) : NULL;
}

tm_status libhdf5_references(libhdf5 *f, const char *path, char ***out, uint64_t *count)
{
    dataset d;
    tm_status status = open_dataset(f, path, &d);
    if (status != TM_OK)
        return status;
    hobj_ref_t *found = mem_zeros(d.count, sizeof *found);
    char **paths = mem_zeros(d.count, sizeof *paths);
    bool good = found && paths && f->h.H5Tget_class(d.type) == H5T_REFERENCE &&
                f->h.H5Tget_size(d.type) == sizeof *found &&
                f->h.H5Dread(d.id, f->reference, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0;
    for (uint64_t k = 0; good && k < d.count; k++)
        good = (paths[k] = path_of(f, d.id, &found[k])) != NULL;
    free(found);
    *count = d.count;
    close_dataset(f, &d);
    if (good) {
        *out = paths;
        return TM_OK;
    }
    text_list_free(paths, *count);
    return fail(f, "dataset %.100s cannot be read as cells", path);
}

#endif
