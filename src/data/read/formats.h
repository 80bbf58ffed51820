/* The formats that tm_read reads, one row each, in the order in which they are tried and listed.
 * ROW(id, help, options): the format is `read_format_ID` of a file in data/read/format or
 * data/read/csv, `help` explains the choice in a form, `options` are those of this format only (and
 * of formats that list them in `shared`): rows of common/format.h, or nothing. */
#ifndef DATA_READ_FORMATS_H
#define DATA_READ_FORMATS_H

#include "data/read/common/format.h"
#include "data/read/csv/csv.h"
#include "data/read/format/libsvm.h"
#include "data/read/format/tam_file.h"
#include "data/read/hdf5/hdf5.h"
#include "data/read/mat/mat.h"

#define READ_FORMATS(ROW)                                                                          \
    ROW(libsvm, "LIBSVM / SVMlight", LIBSVM_OPTIONS)                                               \
    ROW(csv, "comma, semicolon or tab separated", CSV_OPTIONS)                                     \
    ROW(arff, "Weka's ARFF", READ_NO_OPTIONS)                                                      \
    ROW(mtx, "Matrix Market", READ_NO_OPTIONS)                                                     \
    ROW(npy, "NumPy array", READ_NO_OPTIONS)                                                       \
    ROW(npz, "NumPy archive", READ_NO_OPTIONS)                                                     \
    ROW(mat, "MATLAB", MAT_OPTIONS)                                                                \
    ROW(hdf5, "AnnData, 10x Genomics", HDF5_OPTIONS)                                               \
    ROW(stata, "Stata", READ_NO_OPTIONS)                                                           \
    ROW(spss, "SPSS", READ_NO_OPTIONS)                                                             \
    ROW(sas, "SAS", READ_NO_OPTIONS)                                                               \
    ROW(plink, "PLINK 1 genotypes", READ_NO_OPTIONS)                                               \
    ROW(tam, "Tamis's column store", TAM_OPTIONS)

#define READ_FORMAT_EXTERN(id, help, ...) extern const read_format read_format_##id;
READ_FORMATS(READ_FORMAT_EXTERN)

/* All formats, terminated by NULL. */
extern const read_format *const read_formats[];

#endif
