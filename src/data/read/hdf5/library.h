/* What is read of an HDF5 file with libhdf5, in a process of its own (serve.h). */
#ifndef DATA_READ_HDF5_LIBRARY_H
#define DATA_READ_HDF5_LIBRARY_H

#include "data/read/hdf5/heap.h"
#include "data/read/hdf5/object.h"
#include "tamis/error.h"

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

typedef struct libhdf5 {
    struct {
        HDF5_FUNCTIONS(HDF5_POINTER)
    } h;
    hid_t real, whole, small, string; /* types in memory: double, int64, int8, C string */
    hid_t access, links;              /* the property list classes for opening a file, a link */
    hid_t within;                     /* a property list that follows no link to another file */
    hid_t reference;                  /* to an object */
    hid_t id;
    hdf5_heap heap;
    char message[TM_ERROR_MAX]; /* why a function has failed: without the name of the file */
} libhdf5;

/* Finds the functions; false when the library is not installed. It is loaded when the first file is
 * read, because loading it would slow down the start of the program, and stays loaded, since it
 * does not support being unloaded; and it is made ready here, once, which takes longer than a small
 * file. */
bool libhdf5_load(libhdf5 *f);
/* Opens the file at `path`, or the bytes when it is null, with the functions that were found. */
tm_status libhdf5_open(libhdf5 *f, const char *path, const void *bytes, size_t size);

/* Whether an open dataset of so many values of a type can be what it says, by the bytes that the
 * file has of it and by the size of its chunks (claim.c). */
bool libhdf5_can_hold(libhdf5 *f, hid_t dataset, hid_t type, uint64_t count);

/* The functions of file.h. */
tm_status libhdf5_shape(libhdf5 *f, const char *path, uint64_t shape[2]);
tm_status libhdf5_reals(libhdf5 *f, const char *path, double **out, uint64_t *count);
tm_status libhdf5_wholes(libhdf5 *f, const char *path, int64_t **out, uint64_t *count);
tm_status libhdf5_texts(libhdf5 *f, const char *path, char ***out, uint64_t *count);
tm_status libhdf5_references(libhdf5 *f, const char *path, char ***out, uint64_t *count);
hdf5_object libhdf5_kind(libhdf5 *f, const char *path);
bool libhdf5_is_text(libhdf5 *f, const char *path);
tm_status libhdf5_attribute(libhdf5 *f, const char *path, const char *name, bool *found,
                            int64_t *out, size_t count);
tm_status libhdf5_text_attribute(libhdf5 *f, const char *path, const char *name, bool *found,
                                 char *text, size_t size);
bool libhdf5_name(libhdf5 *f, uint64_t k, char *name, size_t size);

#endif
