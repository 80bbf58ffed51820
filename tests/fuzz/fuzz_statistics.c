/* Fuzz target: files of Stata, SPSS and SAS: ReadStat's answers are judged, and ReadStat is run. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const formats[] = {"stata", "spss", "sas"};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        fuzz_read(bytes, size, formats[k], "text", "onehot");
    return 0;
}
