/* Fuzz target: the LIBSVM reader and the choice of the format, compressed input included. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (has_huge_number(bytes, size, ':'))
        return 0;
    fuzz_read(bytes, size, "libsvm", "base", "auto");
    fuzz_read(bytes, size, "libsvm", "base", "0");
    fuzz_read(bytes, size, "auto", "header", "auto");
    return 0;
}
