/* The option of LIBSVM text, a row of tm_reader_params. */
#ifndef DATA_READ_FORMAT_LIBSVM_H
#define DATA_READ_FORMAT_LIBSVM_H

#include "data/read/common/format.h"

extern const tm_choice libsvm_bases[];
#define LIBSVM_OPTIONS                                                                             \
    READ_CHOICE("base", "auto", "LIBSVM: the number of the first feature", libsvm_bases),

#endif
