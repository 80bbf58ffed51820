/* Reading .tam files: see data/tam.h for their layout. */
#ifndef DATA_READ_FORMAT_TAM_FILE_H
#define DATA_READ_FORMAT_TAM_FILE_H

#include "data/read/common/format.h"

/* Whether the file begins as a .tam does, uncompressed: such a file is mapped, not read. */
bool read_tam_is_file(const char *path);
/* Whether the window's first bytes are those of a .tam. */
bool read_tam_is_next(const input *in);
/* Maps the file. At most `resident` bytes of it stay in memory (0: half of this machine's when the
 * file is larger, else all). Every block is verified before the call returns. */
tm_status read_tam_file(read_result *result, const input_spec *spec, uint64_t resident,
                        tm_error *err);
/* The same for what comes through a pipe, out of an archive or from memory: held as a whole. */
read_function read_tam;

#endif
