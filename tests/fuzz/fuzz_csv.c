/* Fuzz target: the CSV reader, with and without a header. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "csv", "auto");
    fuzz_read(bytes, size, "csv", "true");
    fuzz_read(bytes, size, "csv", "false");
    return 0;
}
