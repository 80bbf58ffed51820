/* Fuzz target: the LIBSVM reader and the choice of the format, compressed input included. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "libsvm", "auto");
    fuzz_read(bytes, size, "auto", "auto");
    return 0;
}
