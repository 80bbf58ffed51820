/* One NumPy array (.npy, versions 1 to 3). */
#ifndef DATA_READ_FORMAT_NPY_H
#define DATA_READ_FORMAT_NPY_H

#include "data/read/common/build.h"
#include "data/read/common/input.h"

/* Python objects are not read. */
typedef enum npy_content { NPY_NUMBERS, NPY_TEXTS, NPY_OBJECTS } npy_content;

typedef struct npy_array {
    int dimensions;    /* 0, 1 or 2 */
    uint64_t shape[2]; /* 1 for a missing dimension */
    bool fortran;      /* column-major */
    npy_content content;
    value_list list; /* the numbers in the order of the file */
    char **texts;    /* or the texts */
    size_t text_count, text_room;
} npy_array;

/* On failure nothing is kept. `name` is the name of the array within the file, or NULL. */
tm_status npy_read(npy_array *array, input *in, const char *name);
void npy_clear(npy_array *array);
/* Rejects an array that is not numeric if a matrix or a vector of numbers is expected. */
tm_status npy_check_numbers(const npy_array *array, input *in, const char *name);
/* Whether the input starts like an array. */
bool npy_is_next(const input *in);

#endif
