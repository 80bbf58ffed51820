/* The formats that tm_read reads, one row each, in the order in which they are tried and listed.
 * ROW(id, help): the format is `read_format_ID` of a file in data/read/format or data/read/csv,
 * `help` explains the choice in a form. Options of a single format are rows of options.c. */
#ifndef DATA_READ_FORMATS_H
#define DATA_READ_FORMATS_H

#include "data/read/common/format.h"

#define READ_FORMATS(ROW)                                                                          \
    ROW(libsvm, "LIBSVM / SVMlight")                                                               \
    ROW(csv, "comma, semicolon or tab separated")                                                  \
    ROW(mtx, "Matrix Market")                                                                      \
    ROW(npy, "NumPy array")                                                                        \
    ROW(npz, "NumPy archive")                                                                      \
    ROW(mat, "MATLAB")                                                                             \
    ROW(plink, "PLINK 1 genotypes")                                                                \
    ROW(tam, "Tamis's column store")

#define READ_FORMAT_EXTERN(id, help) extern const read_format read_format_##id;
READ_FORMATS(READ_FORMAT_EXTERN)

/* All of them, ended by NULL. */
extern const read_format *const read_formats[];

#endif
