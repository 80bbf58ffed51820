/* Fuzz target: the readers of NumPy arrays and of zip archives. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (has_huge_number(bytes, size, '\0'))
        return 0;
    fuzz_read(bytes, size, "npy", "label", "1");
    fuzz_read(bytes, size, "npz", "columns", "3");
    fuzz_read(bytes, size, "auto", "label", "2");
    return 0;
}
