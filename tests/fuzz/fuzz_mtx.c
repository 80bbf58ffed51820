/* Fuzz target: the Matrix Market reader. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!has_huge_number(bytes, size, '\0'))
        fuzz_read(bytes, size, "mtx", "label", "1");
    return 0;
}
