/* What the readers of HDF5 ask of a file. libhdf5 answers in a process of its own, since damaged
 * files lead it out of its memory: then the reading fails, and nothing else. */
#ifndef DATA_READ_HDF5_FILE_H
#define DATA_READ_HDF5_FILE_H

#include "base/process.h"
#include "data/read/common/input.h"
#include "data/read/hdf5/object.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hdf5_file {
    input *in; /* for messages */
    process reader;
} hdf5_file;

/* `path` is that of an uncompressed file, or NULL to read the rest of the input. hdf5_close must be
 * called also after a failure. */
tm_status hdf5_open(hdf5_file *f, input *in, const char *path, tm_error *err);
void hdf5_close(hdf5_file *f);

/* The following report the end of the process, and that reading was cancelled, as failures of the
 * input: those that return no status as if what they look for were not there. So input_status has
 * to be looked at when all has been read. */

/* The type of the object at a path: HDF5_NONE when there is none. */
hdf5_object hdf5_kind(hdf5_file *f, const char *path);
/* The dimensions of a dataset with at most two (1 for a missing dimension). */
tm_status hdf5_shape(hdf5_file *f, const char *path, uint64_t shape[2]);
/* All values of a dataset, malloc'ed; NULL after a failure. */
tm_status hdf5_reals(hdf5_file *f, const char *path, double **out, uint64_t *count);
tm_status hdf5_wholes(hdf5_file *f, const char *path, int64_t **out, uint64_t *count);
bool hdf5_is_text(hdf5_file *f, const char *path);
/* Texts, to be freed with text_list_free. */
tm_status hdf5_texts(hdf5_file *f, const char *path, char ***out, uint64_t *count);
/* Reads a text attribute of an object; false, and "", when it does not exist, or is not text. */
bool hdf5_text_attribute(hdf5_file *f, const char *path, const char *name, char *text, size_t size);
/* Reads an attribute with this number of integers, one or two; false when it does not exist. */
bool hdf5_attribute(hdf5_file *f, const char *path, const char *name, int64_t *out, size_t count);
/* The name of the k-th object of the file in alphabetical order; false when there are fewer. */
bool hdf5_name(hdf5_file *f, uint64_t k, char *name, size_t size);
/* The same as hdf5_shape, but false if there is no such dataset. */
bool hdf5_size(hdf5_file *f, const char *path, uint64_t shape[2]);
/* The paths of the objects that a dataset refers to, to be freed with text_list_free. */
tm_status hdf5_references(hdf5_file *f, const char *path, char ***out, uint64_t *count);

#endif
