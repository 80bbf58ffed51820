/* Fuzz target: the CSV reader, with and without a header. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "csv", "header", "auto");
    fuzz_read(bytes, size, "csv", "header", "true");
    fuzz_read(bytes, size, "csv", "header", "false");
    fuzz_read(bytes, size, "csv", "missing", "mean");
    fuzz_read(bytes, size, "csv", "missing", "drop");
    fuzz_read(bytes, size, "csv", "text", "onehot");
    return 0;
}
