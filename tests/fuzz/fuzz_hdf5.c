/* Fuzz target: the HDF5 reader. libhdf5 is run, without the sanitizers, in processes of its own. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "hdf5", "label", "kind");
    fuzz_read(bytes, size, "hdf5", "label", "1");
    return 0;
}
