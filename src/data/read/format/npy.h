/* One NumPy array (.npy, versions 1 to 3). */
#ifndef DATA_READ_FORMAT_NPY_H
#define DATA_READ_FORMAT_NPY_H

#include "data/read/common/build.h"
#include "data/read/common/input.h"

enum { NPY_TEXT = 8 };

typedef struct npy_array {
    int dimensions;      /* 0, 1 or 2 */
    uint64_t shape[2];   /* 1 where there is no such dimension */
    bool fortran;        /* column after column */
    value_list list;     /* the numbers in the order of the file */
    char text[NPY_TEXT]; /* the start of an array of bytes, which has no numbers; else "" */
} npy_array;

/* Whether the input starts like an array. */
bool npy_is_next(const input *in);
/* On failure nothing is kept. `name` is of the array within the file, or NULL. */
tm_status npy_read(npy_array *array, input *in, const char *name);
void npy_clear(npy_array *array);

#endif
