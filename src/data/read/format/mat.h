/* The options of MATLAB files, rows of tm_reader_params. */
#ifndef DATA_READ_FORMAT_MAT_H
#define DATA_READ_FORMAT_MAT_H

#include "tamis/params.h"

#define MAT_OPTIONS                                                                                \
    {"x",                                                                                          \
     TM_PARAM_TEXT,                                                                                \
     NULL,                                                                                         \
     0,                                                                                            \
     0,                                                                                            \
     NULL,                                                                                         \
     "mat: the variable with the features; X, data, fea, features, A or the only matrix "          \
     "otherwise",                                                                                  \
     NULL,                                                                                         \
     0},                                                                                           \
    {                                                                                              \
        "y", TM_PARAM_TEXT, NULL, 0, 0, NULL,                                                      \
            "mat: the variable with the response; y, label, labels, target, gnd or class "         \
            "otherwise",                                                                           \
            NULL, 0                                                                                \
    }

#endif
