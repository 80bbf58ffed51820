/* The options of MATLAB files, as rows of tm_reader_params. */
#ifndef DATA_READ_MAT_MAT_H
#define DATA_READ_MAT_MAT_H

#include "data/read/common/format.h"

#define MAT_OPTIONS                                                                                \
    READ_TEXT("x", "mat: the variable with the features; X, data, fea, features, A or the only "   \
                   "matrix otherwise"),                                                            \
        READ_TEXT("y",                                                                             \
                  "mat: the variable with the response; y, label, labels, target, gnd or class "   \
                  "otherwise"),

#endif
