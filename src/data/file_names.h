/* What the name of a data file implies: its compression, and the names of the files that accompany
 * it. */
#ifndef DATA_FILE_NAMES_H
#define DATA_FILE_NAMES_H

#include <stddef.h>

typedef enum file_compression {
    FILE_PLAIN,
    FILE_GZIP,
    FILE_BZIP2,
    FILE_XZ,
    FILE_ZSTD,
    FILE_LZ4,
    FILE_COMPRESSIONS,
} file_compression;

/* The compression given by the suffix of `path`. */
file_compression file_compression_of(const char *path);
/* The length of `path` without a suffix of a compression. */
size_t file_plain_length(const char *path);
/* The file with the response of a matrix: "x.npy.gz" -> "x_response.npy.gz". Freed by the caller;
 * NULL when memory ran out. */
char *file_response_path(const char *path);
/* The file with the names of the features: "x.svm.xz" -> "x.names", "x.names.xz" or "x.names.gz",
 * whichever is readable; "" when there is none. Freed by the caller; NULL when memory ran out. */
char *file_names_path(const char *path);

/* The i-th of the files that may be read with one of this name: its response, its features' names,
 * the tables of genotypes. malloc'ed; NULL after the last, or when memory ran out. */
char *file_beside(const char *path, size_t i);

#endif
