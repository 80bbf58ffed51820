/* Collections of texts in an HDF5 file. libhdf5 goes through one without an end, or out of its
 * memory, when an object in it takes no bytes or more than there are, as where a part of the file
 * is lost and reads as zeros. */
#ifndef DATA_READ_FORMAT_HDF5_HEAP_H
#define DATA_READ_FORMAT_HDF5_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether all collections of a file can be gone through: of the file at `path`, or of the bytes
 * when it is null. What is no HDF5 file, or cannot be read, is left to libhdf5. */
bool hdf5_heaps_are_whole(const char *path, const void *bytes, size_t size);

#endif
