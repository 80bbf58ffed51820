/* Collections of texts in an HDF5 file. libhdf5 goes through one without an end, or out of its
 * memory, when an object in it takes no bytes or more than there are, as where a part of the file
 * is lost and reads as zeros; and it follows a reference to an object that is not in its
 * collection, or is longer than the reference says. Texts are read here, therefore, and by libhdf5
 * only what refers to them. */
#ifndef DATA_READ_HDF5_HEAP_H
#define DATA_READ_HDF5_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hdf5_heap {
    int fd; /* negative: all bytes are in the window */
    uint64_t size;
    const unsigned char *window;
    unsigned char *buffer; /* what the window points to when it is read from a file */
    uint64_t from;         /* where the window begins */
    size_t held;
    uint64_t base;          /* where addresses count from */
    size_t address, length; /* bytes of an address and of a length; 0: it is no HDF5 file */
    uint64_t next;          /* behind the last text */
} hdf5_heap;

/* Of the file at `path`, or of the bytes when it is null. What is no HDF5 file, or cannot be read,
 * is left to libhdf5. */
void hdf5_heap_open(hdf5_heap *s, const char *path, const void *bytes, size_t size);
/* Also after a failure, and once more. */
void hdf5_heap_close(hdf5_heap *s);
/* Whether all collections can be gone through. */
bool hdf5_heap_is_whole(hdf5_heap *s);
/* How many bytes a reference to a text has in this file: its length, the address of its collection,
 * and its number there; 0: no text can be read. */
size_t hdf5_heap_reference_size(const hdf5_heap *s);
/* The text that a reference is to, malloc'ed; NULL when it is not there or memory ran out. */
char *hdf5_heap_text(hdf5_heap *s, const unsigned char *reference);

#endif
