/* The content of a MATLAB file of any version: variables, and their values. */
#ifndef DATA_READ_MAT_VERSION_H
#define DATA_READ_MAT_VERSION_H

#include "data/read/common/format.h"

#include <stdio.h>

enum { MAT_VARIABLES = 64, MAT_MAX_NAME = 63 };

/* MAT_TEXT: characters, one text in each row, or cells of texts. */
typedef enum mat_kind { MAT_NUMBERS, MAT_SPARSE, MAT_TEXT } mat_kind;

typedef struct mat_variable {
    char name[MAT_MAX_NAME + 1];
    size_t rows, cols;
    mat_kind kind;
    bool packed;    /* its values are compressed in the file */
    uint64_t place; /* its location, in a form specific to the version */
} mat_variable;

typedef struct mat_file {
    input *in; /* for messages */
    const char *path;
    uint64_t size;      /* size of the file */
    uint64_t max_bytes; /* limit on the decompressed size of a variable */
    mat_variable list[MAT_VARIABLES];
    size_t count;
    void *own; /* data of the version's reader */
} mat_file;

/* How files of a version are read: opening lists the two-dimensional variables. Results are freed
 * by the caller, also on failure. What fails later than the function that asked for it is in
 * input_status. */
typedef struct mat_version {
    tm_status (*open)(mat_file *file, tm_error *err);
    tm_status (*dense)(mat_file *file, const mat_variable *v, value_list *out); /* in column-major
                                                                                 * order */
    tm_status (*sparse)(mat_file *file, const mat_variable *v, triplet_list *out);
    tm_status (*texts)(mat_file *file, const mat_variable *v, char ***out, size_t *count);
    void (*close)(mat_file *file); /* also called after a failure to open; or NULL */
} mat_version;

/* For versions 4, 5 to 7, and 7.3. */
extern const mat_version mat_version_4, mat_version_5, mat_version_73;

/* Adds a variable, unless there are too many. */
void mat_add(mat_file *file, const char *name, const mat_variable *v);

/* Converts a column-major matrix of characters to texts in UTF-8, without trailing blanks. */
tm_status mat_rows_of_text(const mat_file *file, const uint32_t *characters, size_t rows,
                           size_t cols, char ***out, size_t *count);

#endif
