/* Fuzz target: the .tam reader. Checksums would keep the fuzzer out of everything behind them, so
 * those of the header, the blocks and their table are made right first when there is a header. */
#include "fuzz_reader.h"

#include "base/checksum.h"
#include "data/write/tam_layout.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void mend(uint8_t *bytes, size_t size)
{
    tam_header h;
    memcpy(&h, bytes, sizeof h);
    h.file_size = size;
    tam_range sums = h.sections[TAM_SUMS];
    uint64_t at = sums.start;
    for (int s = 0; s < TAM_SUMS; s++)
        for (uint64_t from = 0; from < h.sections[s].size; from += TAM_BLOCK, at += 8) {
            tam_range range = h.sections[s];
            uint64_t left = range.size - from, length = left < TAM_BLOCK ? left : TAM_BLOCK;
            if (range.start > size || range.size > size - range.start || at > size - 8)
                break;
            uint64_t sum = checksum64(bytes + range.start + from, (size_t)length);
            memcpy(bytes + at, &sum, sizeof sum);
        }
    if (sums.start <= size && sums.size <= size - sums.start)
        h.sums_check = checksum64(bytes + sums.start, (size_t)sums.size);
    h.check = checksum64(&h, offsetof(tam_header, check));
    memcpy(bytes, &h, sizeof h);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "tam", "format", "tam");
    if (size < TAM_PAGE)
        return 0;
    uint8_t *copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, bytes, size);
    mend(copy, size);
    fuzz_read(copy, size, "tam", "format", "tam");
    free(copy);
    return 0;
}
