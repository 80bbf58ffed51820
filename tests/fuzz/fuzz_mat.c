/* Fuzz target: the MATLAB reader: matio's answers are judged, and matio itself is run. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[FUZZ_PATH];
    int fd = fuzz_file(path, bytes, size);
    fuzz_read_file(path, "mat", "label", "1");
    fuzz_read_file(path, "mat", "x", "X");
    fuzz_read_file(path, "mat", "y", "y");
    close(fd);
    return 0;
}
