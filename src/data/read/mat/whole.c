#include "data/read/mat/whole.h"

#include <stdint.h>
#include <string.h>

enum {
    HEADER = 128,
    TAG = 8,
    FLAGS = 8, /* bytes of a variable's first part, which matio takes for granted */
    INT32 = 5,
    UINT32 = 6,
    MATRIX = 14,
    CLASS_CELL = 1,
    CLASS_STRUCT = 2,
    MARK = 0x4d49, /* "MI" as a number of the machine that wrote it */
    OTHER_MARK = 0x494d
};
/* Cells in cells that are looked at; matio itself gives up on deeper ones. */
enum { DEPTH = 20 };

typedef struct walker {
    FILE *file;
    bool swapped; /* written on a machine with the other byte order */
} walker;

/* An element of the file: its type and content, which is in the tag itself if it is small. */
typedef struct element {
    uint32_t type;
    uint64_t from, end; /* its content */
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
    *out = (element){small ? first & 0xffff : first, at + (small ? TAG / 2 : TAG),
                     at + TAG + (small ? 0 : size)};
    return small ? first >> 16 <= 4 : out->end <= end;
}

static uint64_t round_up(uint64_t at)
{
    return (at + TAG - 1) / TAG * TAG;
}

/* The number at this place of the file; 0 behind its end. */
static uint32_t word_at(const walker *w, uint64_t at)
{
    uint32_t word;
    return fseek(w->file, (long)at, SEEK_SET) == 0 && fread(&word, sizeof word, 1, w->file) == 1
               ? number_of(w, word)
               : 0;
}

/* How many cells a variable has, as its first parts tell. */
typedef struct cells {
    uint32_t class;
    uint64_t count, width; /* width: bytes of a field's name */
} cells;

static void take_part(cells *c, const walker *w, int k, const element *part)
{
    if (k == 0 && part->type == UINT32)
        c->class = word_at(w, part->from) & 0xff;
    if (k == 1 && part->type == INT32) {
        c->count = 1;
        for (uint64_t at = part->from; at + sizeof(uint32_t) <= part->end; at += sizeof(uint32_t))
            if (__builtin_mul_overflow(c->count, (uint64_t)word_at(w, at), &c->count))
                c->count = UINT64_MAX;
    }
    if (k == 3 && c->class == CLASS_STRUCT)
        c->width = word_at(w, part->from);
    if (k == 4 && c->class == CLASS_STRUCT) {
        uint64_t fields = c->width > 0 ? (part->end - part->from) / c->width : 0;
        if (__builtin_mul_overflow(c->count, fields, &c->count))
            c->count = UINT64_MAX;
    }
}

/* Whether the parts of a variable fit, each padded to a multiple of eight bytes; and whether there
 * are bytes for as many cells as it claims to have, which matio would make all of. */
static bool parts_fit(const walker *w, uint64_t at, uint64_t end, int depth)
{
    element part;
    cells c = {0};
    int k = 0;
    for (uint64_t start = at; at < end; at = start + round_up(part.end - start), k++) {
        if (!read_element(w, at, end, &part))
            return false;
        if (k == 0 && (part.type != UINT32 || part.end - part.from != FLAGS))
            return false;
        take_part(&c, w, k, &part);
        bool counted = (k == 2 && c.class == CLASS_CELL) || (k == 4 && c.class == CLASS_STRUCT);
        if (counted && c.count > (end - part.end) / TAG)
            return false;
        if (part.type == MATRIX && depth < DEPTH && !parts_fit(w, part.from, part.end, depth + 1))
            return false;
    }
    return true;
}

bool mat_is_whole(FILE *file)
{
    unsigned char header[HEADER];
    if (fread(header, 1, sizeof header, file) < sizeof header)
        return true; /* version 4 */
    uint16_t version, mark;
    memcpy(&version, header + 124, sizeof version);
    memcpy(&mark, header + 126, sizeof mark);
    walker w = {file, mark == OTHER_MARK};
    version = w.swapped ? __builtin_bswap16(version) : version;
    if ((!w.swapped && mark != MARK) || version != 0x0100)
        return true;
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    element variable;
    for (uint64_t at = HEADER; end >= 0 && at < (uint64_t)end; at = variable.end)
        if (!read_element(&w, at, (uint64_t)end, &variable) ||
            (variable.type == MATRIX && !parts_fit(&w, at + TAG, variable.end, 0)))
            return false;
    return end >= 0;
}
