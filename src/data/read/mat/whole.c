#include "data/read/mat/whole.h"

#include <stdint.h>
#include <string.h>

enum { HEADER = 128, TAG = 8, MATRIX = 14 };

typedef struct walker {
    FILE *file;
    bool swapped; /* written on a machine with the other byte order */
} walker;

/* An element of the file: its type and content, which is in the tag itself if it is small. */
typedef struct element {
    uint32_t type;
    uint64_t end; /* end of its content */
} element;

static uint32_t number_of(const walker *w, uint32_t word)
{
    return w->swapped ? __builtin_bswap32(word) : word;
}

/* False when the tag or the content extend beyond `end`. */
static bool read_element(const walker *w, uint64_t at, uint64_t end, element *out)
{
    uint32_t tag[2];
    if (end - at < TAG || fseek(w->file, (long)at, SEEK_SET) != 0 ||
        fread(tag, sizeof tag, 1, w->file) != 1)
        return false;
    uint32_t first = number_of(w, tag[0]), size = number_of(w, tag[1]);
    bool small = first >> 16 != 0;
    *out = (element){small ? first & 0xffff : first, at + TAG + (small ? 0 : size)};
    return small ? first >> 16 <= 4 : out->end <= end;
}

static uint64_t round_up(uint64_t at)
{
    return (at + TAG - 1) / TAG * TAG;
}

/* Whether the parts of a variable fit, each padded to a multiple of eight bytes. */
static bool parts_fit(const walker *w, uint64_t at, uint64_t end)
{
    element part;
    for (uint64_t start = at; at < end; at = start + round_up(part.end - start))
        if (!read_element(w, at, end, &part))
            return false;
    return true;
}

bool mat_is_whole(FILE *file)
{
    unsigned char header[HEADER];
    if (fread(header, 1, sizeof header, file) < sizeof header)
        return true; /* version 4 */
    walker w = {file, memcmp(header + 126, "MI", 2) == 0};
    uint16_t version;
    memcpy(&version, header + 124, sizeof version);
    version = w.swapped ? __builtin_bswap16(version) : version;
    if ((!w.swapped && memcmp(header + 126, "IM", 2) != 0) || version != 0x0100)
        return true;
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    element variable;
    for (uint64_t at = HEADER; end >= 0 && at < (uint64_t)end; at = variable.end)
        if (!read_element(&w, at, (uint64_t)end, &variable) ||
            (variable.type == MATRIX && !parts_fit(&w, at + TAG, variable.end)))
            return false;
    return end >= 0;
}
