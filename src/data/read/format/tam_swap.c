#include "data/read/format/tam_swap.h"

#include "base/checksum.h"
#include "data/write/tam_layout.h"

#include <stdlib.h>
#include <string.h>

static uint32_t word32(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return __builtin_bswap32(word);
}

static uint64_t word64(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return __builtin_bswap64(word);
}

bool tam_is_swapped(const uint8_t *bytes, size_t size)
{
    return size >= TAM_PAGE && memcmp(bytes, TAM_MAGIC, sizeof TAM_MAGIC - 1) == 0 &&
           word32(bytes + offsetof(tam_header, endian)) == TAM_ENDIAN;
}

/* The header's fields after the magic number: four of 32 bits, then only fields of 64 bits. */
static void read_header(tam_header *h, const uint8_t *bytes)
{
    uint8_t *to = (uint8_t *)h;
    memcpy(h->magic, bytes, sizeof h->magic);
    for (size_t at = offsetof(tam_header, version); at < offsetof(tam_header, n); at += 4)
        memcpy(to + at, &(uint32_t){word32(bytes + at)}, 4);
    for (size_t at = offsetof(tam_header, n); at < sizeof *h; at += 8)
        memcpy(to + at, &(uint64_t){word64(bytes + at)}, 8);
}

/* The width of the numbers in a section; 0 for the description, which contains texts. */
static size_t width_of(const tam_header *h, tam_section section)
{
    bool single = h->kind == TAM_DENSE_F32 || h->kind == TAM_CSC_F32;
    switch (section) {
    case TAM_META:
        return 0;
    case TAM_EDGES:
    case TAM_ROWS:
        return 4;
    case TAM_VALUES:
        return h->kind == TAM_GENOTYPES ? 1 : single ? 4 : 8;
    default:
        return 8;
    }
}

/* Verifies the checksums of all blocks, and that of the table of checksums. */
static bool is_whole(const tam_header *h, const uint8_t *bytes, size_t size)
{
    uint64_t blocks = 0;
    if (h->file_size != size || h->check != checksum64(bytes, offsetof(tam_header, check)))
        return false;
    for (int s = 0; s < TAM_SECTIONS; s++) {
        tam_range range = h->sections[s];
        if (range.size > size || range.start > size - range.size)
            return false;
        blocks += s == TAM_SUMS ? 0 : tam_blocks(range.size);
    }
    tam_range sums = h->sections[TAM_SUMS];
    const uint8_t *sum = bytes + sums.start;
    if (sums.size != 8 * blocks || h->sums_check != checksum64(sum, (size_t)sums.size))
        return false;
    for (int s = 0; s < TAM_SUMS; s++)
        for (uint64_t from = 0; from < h->sections[s].size; from += TAM_BLOCK, sum += 8) {
            uint64_t left = h->sections[s].size - from;
            if (word64(sum) != checksum64(bytes + h->sections[s].start + from,
                                          (size_t)(left < TAM_BLOCK ? left : TAM_BLOCK)))
                return false;
        }
    return true;
}

static void swap_numbers(uint8_t *to, size_t size, size_t width)
{
    for (size_t at = 0; width > 1 && at + width <= size; at += width)
        if (width == 4)
            memcpy(to + at, &(uint32_t){word32(to + at)}, 4);
        else
            memcpy(to + at, &(uint64_t){word64(to + at)}, 8);
}

/* Two flags, then texts, each after its length; for several classes their number comes before their
 * names. Invalid content is left unchanged: the reader of the result rejects it. */
static void swap_description(const tam_header *h, uint8_t *at, size_t size)
{
    enum { FIXED_TEXTS = 5 };
    const uint8_t *end = at + size;
    uint32_t flags[2];
    if (size < sizeof flags)
        return;
    swap_numbers(at, sizeof flags, 4);
    memcpy(flags, at, sizeof flags);
    at += sizeof flags;
    uint64_t before = FIXED_TEXTS + (flags[1] ? h->p : 0);
    for (uint64_t k = 0; end - at >= 4; k++) {
        uint32_t word = word32(at);
        memcpy(at, &word, sizeof word);
        at += sizeof word;
        if (k == before && flags[0] == TAM_CLASSES)
            continue; /* the number of classes */
        if (word == TAM_NO_TEXT)
            continue;
        if ((size_t)(end - at) < word)
            return;
        at += word;
    }
}

static void renew_sums(tam_header *h, uint8_t *bytes)
{
    tam_range sums = h->sections[TAM_SUMS];
    uint8_t *to = bytes + sums.start;
    for (int s = 0; s < TAM_SUMS; s++)
        for (uint64_t from = 0; from < h->sections[s].size; from += TAM_BLOCK, to += 8) {
            uint64_t left = h->sections[s].size - from;
            uint64_t sum = checksum64(bytes + h->sections[s].start + from,
                                      (size_t)(left < TAM_BLOCK ? left : TAM_BLOCK));
            memcpy(to, &sum, sizeof sum);
        }
    h->sums_check = checksum64(bytes + sums.start, (size_t)sums.size);
    h->check = checksum64(h, offsetof(tam_header, check));
    memcpy(bytes, h, sizeof *h);
}

tm_status tam_swap(uint8_t **out, const uint8_t *bytes, size_t size, const char *name,
                   tm_error *err)
{
    tam_header h;
    *out = NULL;
    read_header(&h, bytes);
    if (!is_whole(&h, bytes, size))
        return tm_fail(err, TM_EDATA,
                       "%.300s: the .tam, of a machine of the other byte order, is damaged: a part "
                       "does not have its checksum; write it again",
                       name);
    uint8_t *copy = malloc(size);
    if (!copy)
        return tm_fail_memory(err, "a .tam in this machine's byte order");
    memcpy(copy, bytes, size);
    for (int s = 0; s < TAM_SUMS; s++)
        swap_numbers(copy + h.sections[s].start, (size_t)h.sections[s].size,
                     width_of(&h, (tam_section)s));
    swap_description(&h, copy + h.sections[TAM_META].start, (size_t)h.sections[TAM_META].size);
    renew_sums(&h, copy);
    *out = copy;
    return TM_OK;
}
