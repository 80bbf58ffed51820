/* The option of LIBSVM text, as a row of tm_reader_params. */
#ifndef DATA_READ_FORMAT_LIBSVM_H
#define DATA_READ_FORMAT_LIBSVM_H

#include "data/read/common/format.h"

/* A LIBSVM line is a label made of number characters, then an entry, a comment or nothing; a line
 * without a separator of a table is also treated as (malformed) LIBSVM if it has a colon or starts
 * with a number. */
bool libsvm_recognise_line(const char *line, const char *end);

extern const tm_choice libsvm_bases[];
#define LIBSVM_OPTIONS                                                                             \
    READ_CHOICE("base", "auto", "LIBSVM: the number of the first feature", libsvm_bases),

#endif
