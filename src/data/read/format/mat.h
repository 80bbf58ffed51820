/* MATLAB .mat files. */
#ifndef DATA_READ_FORMAT_MAT_H
#define DATA_READ_FORMAT_MAT_H

#include "data/read/common/build.h"
#include "data/read/common/format.h"

/* Whether the window's first bytes are those of a .mat of version 5 or later. */
bool read_mat_is_next(const input *in);

read_function read_mat;

#endif
