/* The option of .tam files, as a row of tm_reader_params. It affects how the file is read, not its
 * content: other formats ignore it instead of rejecting it. */
#ifndef DATA_READ_FORMAT_TAM_FILE_H
#define DATA_READ_FORMAT_TAM_FILE_H

#include "data/read/common/format.h"

#define TAM_OPTIONS                                                                                \
    {"resident",                                                                                   \
     TM_PARAM_INT,                                                                                 \
     "0",                                                                                          \
     0,                                                                                            \
     9.0e15,                                                                                       \
     "bytes",                                                                                      \
     "tam: how much of the file may stay in memory; 0: half of this machine's",                    \
     NULL,                                                                                         \
     TM_PARAM_EXPERT},

#endif
