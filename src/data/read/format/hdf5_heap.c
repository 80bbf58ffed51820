#include "data/read/format/hdf5_heap.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* WINDOW: bytes of a file that are held at a time, of which at least PART are looked at. */
enum { WINDOW = 1 << 20, PART = 64, SMALLEST = 4096, LENGTH_MAX = 32 };
static const char SIGNATURE[] = "\211HDF\r\n\032\n", COLLECTION[] = "GCOL\1";
enum { SIGNATURE_SIZE = sizeof SIGNATURE - 1, COLLECTION_SIZE = sizeof COLLECTION - 1 };

typedef struct source {
    int fd; /* negative: all bytes are in the window */
    uint64_t size;
    const unsigned char *window;
    unsigned char *buffer; /* what the window points to when it is read from a file */
    uint64_t from;         /* where the window begins */
    size_t held;
} source;

/* The bytes at a place, at least `count` of them; NULL behind the end. */
static const unsigned char *at(source *s, uint64_t place, size_t count)
{
    if (place > s->size || count > s->size - place)
        return NULL;
    if (place >= s->from && place - s->from <= s->held && count <= s->held - (place - s->from))
        return s->window + (place - s->from);
    if (s->fd < 0)
        return NULL;
    ssize_t got = pread(s->fd, s->buffer, WINDOW, (off_t)place);
    s->from = place;
    s->held = got > 0 ? (size_t)got : 0;
    return count <= s->held ? s->window : NULL;
}

static uint64_t whole_number(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t k = count < sizeof value ? count : sizeof value; k-- > 0;)
        value = value << 8 | bytes[k];
    return value;
}

static uint64_t align(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

/* How many bytes a length has in this file; 0: it is none of HDF5. Its header stands at the
 * beginning, or at a power of two from 512 on. */
static size_t length_size(source *s)
{
    for (uint64_t place = 0; place < s->size; place = place ? 2 * place : 512) {
        const unsigned char *bytes = at(s, place, SIGNATURE_SIZE + 8);
        if (!bytes)
            return 0;
        if (memcmp(bytes, SIGNATURE, SIGNATURE_SIZE) == 0)
            return bytes[8] < 2 ? bytes[14] : bytes[10];
    }
    return 0;
}

/* Whether each object of the collection at this place takes bytes, and those of the collection. */
static bool is_whole(source *s, uint64_t place, size_t length)
{
    const uint64_t header = align(8 + length);
    const unsigned char *bytes = at(s, place, header);
    uint64_t size = bytes ? whole_number(bytes + 8, length) : 0;
    if (size < SMALLEST || size > s->size - place)
        return true; /* not a collection, which libhdf5 notices */
    uint64_t end = place + size;
    for (place += header; end - place >= header;) {
        bytes = at(s, place, header);
        if (!bytes)
            return false;
        uint64_t number = whole_number(bytes, 2), object = whole_number(bytes + 8, length);
        if (object > end - place)
            return false;
        uint64_t need = number > 0 ? header + align(object) : object;
        if (need < header || need > end - place)
            return false;
        place += need;
    }
    return true;
}

static bool all_whole(source *s)
{
    size_t length = length_size(s);
    if (length == 0 || length > LENGTH_MAX)
        return true;
    for (uint64_t place = 0; s->size - place >= PART;) {
        const unsigned char *bytes = at(s, place, PART);
        if (!bytes)
            return true;
        size_t count = s->held - (size_t)(place - s->from);
        const unsigned char *found = memmem(bytes, count, COLLECTION, COLLECTION_SIZE);
        if (!found) {
            place += count - COLLECTION_SIZE + 1;
            continue;
        }
        place += (uint64_t)(found - bytes);
        if (!is_whole(s, place, length))
            return false;
        place++;
    }
    return true;
}

bool hdf5_heaps_are_whole(const char *path, const void *bytes, size_t size)
{
    source s = {.fd = -1, .size = size, .window = bytes, .held = size};
    struct stat about;
    if (path) {
        s.fd = open(path, O_RDONLY | O_CLOEXEC);
        s.buffer = malloc(WINDOW);
        s.window = s.buffer;
        s.size = s.fd >= 0 && fstat(s.fd, &about) == 0 ? (uint64_t)about.st_size : 0;
        s.held = 0;
    }
    bool whole = !s.window || all_whole(&s);
    free(s.buffer);
    if (s.fd >= 0)
        close(s.fd);
    return whole;
}
