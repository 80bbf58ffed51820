/* The options of a format, which its row in data/read/formats.h lists. */
#ifndef DATA_READ_COMMON_OPTION_H
#define DATA_READ_COMMON_OPTION_H

#include "tamis/params.h"

/* Rows of tm_reader_params. */
#define READ_TEXT(name, help)                                                                      \
    {                                                                                              \
        name, TM_PARAM_TEXT, NULL, 0, 0, NULL, help, NULL, 0                                       \
    }
#define READ_CHOICE(name, fallback, help, values)                                                  \
    {                                                                                              \
        name, TM_PARAM_CHOICE, fallback, 0, 0, NULL, help, values, 0                               \
    }
#define READ_NO_OPTIONS

#endif
