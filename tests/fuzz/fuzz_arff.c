/* Fuzz target: the ARFF reader. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "arff", "text", "onehot");
    fuzz_read(bytes, size, "arff", "missing", "drop");
    return 0;
}
