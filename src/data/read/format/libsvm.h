/* The option of LIBSVM text, a row of tm_reader_params. */
#ifndef DATA_READ_FORMAT_LIBSVM_H
#define DATA_READ_FORMAT_LIBSVM_H

#include "tamis/params.h"

extern const tm_choice libsvm_bases[];
#define LIBSVM_OPTIONS                                                                             \
    {                                                                                              \
        "base", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "LIBSVM: the number of the first feature",    \
            libsvm_bases, 0                                                                        \
    }

#endif
