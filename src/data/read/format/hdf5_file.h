/* The functions of libhdf5 that the readers use; the library is loaded when the first file is read,
 * because loading it would slow down the start of the program. */
#ifndef DATA_READ_FORMAT_HDF5_FILE_H
#define DATA_READ_FORMAT_HDF5_FILE_H

#include "data/read/common/input.h"
#include "data/read/format/hdf5_heap.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#define HDF5_FUNCTIONS(X)                                                                          \
    X(H5open)                                                                                      \
    X(H5Eset_auto2)                                                                                \
    X(H5Pcreate)                                                                                   \
    X(H5Pclose)                                                                                    \
    X(H5Pget_external_count)                                                                       \
    X(H5Pget_layout)                                                                               \
    X(H5Pset_elink_cb)                                                                             \
    X(H5Pset_fapl_core)                                                                            \
    X(H5Pset_file_image)                                                                           \
    X(H5Fopen)                                                                                     \
    X(H5Fclose)                                                                                    \
    X(H5Lget_name_by_idx)                                                                          \
    X(H5Lexists)                                                                                   \
    X(H5Oopen)                                                                                     \
    X(H5Oclose)                                                                                    \
    X(H5Iget_type)                                                                                 \
    X(H5Aexists)                                                                                   \
    X(H5Aopen)                                                                                     \
    X(H5Aclose)                                                                                    \
    X(H5Aget_type)                                                                                 \
    X(H5Aget_space)                                                                                \
    X(H5Aread)                                                                                     \
    X(H5Pget_chunk)                                                                                \
    X(H5Dget_create_plist)                                                                         \
    X(H5Dget_type)                                                                                 \
    X(H5Dget_space)                                                                                \
    X(H5Dget_storage_size)                                                                         \
    X(H5Rdereference2)                                                                             \
    X(H5Rget_name)                                                                                 \
    X(H5Dread)                                                                                     \
    X(H5Sget_simple_extent_ndims)                                                                  \
    X(H5Sget_simple_extent_dims)                                                                   \
    X(H5Sget_simple_extent_npoints)                                                                \
    X(H5Sclose)                                                                                    \
    X(H5Tcopy)                                                                                     \
    X(H5Tcreate)                                                                                   \
    X(H5Tregister)                                                                                 \
    X(H5Tunregister)                                                                               \
    X(H5Tset_size)                                                                                 \
    X(H5Tget_size)                                                                                 \
    X(H5Tget_class)                                                                                \
    X(H5Tget_cset)                                                                                 \
    X(H5Tset_cset)                                                                                 \
    X(H5Tis_variable_str)                                                                          \
    X(H5Tclose)

#define HDF5_POINTER(name) __typeof__(name) *name;

typedef struct hdf5_file {
    input *in; /* for messages */
    struct {
        HDF5_FUNCTIONS(HDF5_POINTER)
    } h;
    hid_t real, whole, small, string; /* types in memory: double, int64, int8, C string */
    hid_t access, links;              /* the property list classes for opening a file, a link */
    hid_t within;                     /* a property list that follows no link to another file */
    hid_t reference;                  /* to an object */
    hid_t id;
    char *image; /* the bytes of a file that is not opened by its path, or NULL */
    size_t image_size;
    hdf5_heap heap;
} hdf5_file;

/* `path` is that of an uncompressed file, or NULL to read the rest of the input. Until hdf5_close,
 * which must be called also after a failure, other threads wait. */
tm_status hdf5_open(hdf5_file *f, input *in, const char *path, tm_error *err);
void hdf5_close(hdf5_file *f);

/* Whether an open dataset of so many values of a type can be what it says, by the bytes that the
 * file has of it and by the size of its chunks (hdf5_claim.c). */
bool hdf5_can_hold(hdf5_file *f, hid_t dataset, hid_t type, uint64_t count);

/* The type of the object at a path: H5I_BADID when there is none. */
H5I_type_t hdf5_kind(hdf5_file *f, const char *path);
/* The dimensions of a dataset with at most two (1 for a missing dimension). */
tm_status hdf5_shape(hdf5_file *f, const char *path, uint64_t shape[2]);
/* All values of a dataset, malloc'ed. */
tm_status hdf5_reals(hdf5_file *f, const char *path, double **out, uint64_t *count);
tm_status hdf5_wholes(hdf5_file *f, const char *path, int64_t **out, uint64_t *count);
bool hdf5_is_text(hdf5_file *f, const char *path);
/* Texts, to be freed with text_list_free. */
tm_status hdf5_texts(hdf5_file *f, const char *path, char ***out, uint64_t *count);
/* Reads a text attribute of an object; false when it does not exist, or is not text. */
bool hdf5_text_attribute(hdf5_file *f, const char *path, const char *name, char *text, size_t size);
/* Reads an attribute with this number of integers; false when it does not exist. */
bool hdf5_attribute(hdf5_file *f, const char *path, const char *name, int64_t *out, size_t count);
/* The name of the k-th object of the file in alphabetical order; false when there are fewer. */
bool hdf5_name(hdf5_file *f, uint64_t k, char *name, size_t size);
/* The same as hdf5_shape, but false if there is no such dataset. */
bool hdf5_size(hdf5_file *f, const char *path, uint64_t shape[2]);
/* The paths of the objects that a dataset refers to, to be freed with text_list_free. */
tm_status hdf5_references(hdf5_file *f, const char *path, char ***out, uint64_t *count);

#endif
