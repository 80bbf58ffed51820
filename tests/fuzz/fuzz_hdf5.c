/* Fuzz target: the HDF5 reader: libhdf5's answers are judged, and libhdf5 itself is run. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "hdf5", "label", "kind");
    fuzz_read(bytes, size, "hdf5", "label", "1");
    return 0;
}
