#include "data/read/hdf5/heap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* WINDOW: bytes of a file that are held at a time, of which at least PART are looked at. */
enum { WINDOW = 1 << 20, PART = 64, SMALLEST = 4096, LENGTH_MAX = 32, COUNT = 4 };
static const char SIGNATURE[] = "\211HDF\r\n\032\n", COLLECTION[] = "GCOL\1";
enum { SIGNATURE_SIZE = sizeof SIGNATURE - 1, COLLECTION_SIZE = sizeof COLLECTION - 1 };

/* The bytes at a place, at least `count` of them; NULL behind the end. */
static const unsigned char *at(hdf5_heap *s, uint64_t place, size_t count)
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

/* Sets how many bytes a length and an address have in this file, and where addresses count from:
 * its header stands at the beginning, or at a power of two from 512 on. */
static void read_header(hdf5_heap *s)
{
    const unsigned char *bytes;
    for (uint64_t place = 0; place < s->size && (bytes = at(s, place, SIGNATURE_SIZE + 8));
         place = place ? 2 * place : 512) {
        if (memcmp(bytes, SIGNATURE, SIGNATURE_SIZE) != 0)
            continue;
        bool old = bytes[8] < 2;
        s->base = place;
        s->address = bytes[old ? 13 : 9];
        s->length = bytes[old ? 14 : 10];
        return;
    }
}

/* Whether each object of the collection at this place takes bytes, and those of the collection. */
static bool is_whole(hdf5_heap *s, uint64_t place)
{
    const size_t length = s->length;
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

bool hdf5_heap_is_whole(hdf5_heap *s)
{
    if (s->length == 0 || s->length > LENGTH_MAX)
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
        if (!is_whole(s, place))
            return false;
        place++;
    }
    return true;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The object with this number between two places of a collection: where its bytes begin; 0: there
 * is none. */
static uint64_t find_between(hdf5_heap *s, uint64_t place, uint64_t end, uint64_t number,
                             uint64_t *size)
{
    const uint64_t header = align(8 + s->length);
    const unsigned char *bytes;
    while (place < end && end - place >= header && (bytes = at(s, place, header))) {
        uint64_t found = whole_number(bytes, 2);
        *size = whole_number(bytes + 8, s->length);
        if (*size > end - place)
            return 0;
        uint64_t need = found > 0 ? header + align(*size) : *size;
        if (need < header || need > end - place)
            return 0;
        if (found == number) {
            s->next = place + need;
            return place + header;
        }
        place += need;
    }
    return 0;
}

/* Texts stand one behind the other, mostly: the search begins behind the last one. */
static uint64_t find(hdf5_heap *s, uint64_t place, uint64_t number, uint64_t *size)
{
    const uint64_t header = align(8 + s->length);
    const unsigned char *bytes = at(s, place, header);
    if (!bytes || memcmp(bytes, COLLECTION, COLLECTION_SIZE) != 0)
        return 0;
    uint64_t whole = whole_number(bytes + 8, s->length), first = place + header;
    if (whole < header || whole > s->size - place)
        return 0;
    uint64_t end = place + whole;
    uint64_t begin = s->next >= first && s->next <= end ? s->next : first;
    uint64_t found = find_between(s, begin, end, number, size);
    return found ? found : find_between(s, first, begin, number, size);
}

static bool copy(hdf5_heap *s, uint64_t place, size_t count, char *to)
{
    const unsigned char *bytes = at(s, place, count);
    if (bytes)
        memcpy(to, bytes, count);
    for (ssize_t got; !bytes && count > 0; place += (uint64_t)got, to += got, count -= (size_t)got)
        if (s->fd < 0 || (got = pread(s->fd, to, count, (off_t)place)) <= 0)
            return false;
    return true;
}

size_t hdf5_heap_reference_size(const hdf5_heap *s)
{
    bool usual = s->address > 0 && s->address <= 8 && s->length > 0 && s->length <= 8;
    return usual ? COUNT + s->address + COUNT : 0;
}

char *hdf5_heap_text(hdf5_heap *s, const unsigned char *reference)
{
    uint64_t length = whole_number(reference, COUNT), size = 0;
    uint64_t address = whole_number(reference + COUNT, s->address);
    uint64_t number = whole_number(reference + COUNT + s->address, COUNT);
    if (address == 0)
        return calloc(1, 1);
    uint64_t place = address < s->size ? find(s, s->base + address, number, &size) : 0;
    if (place == 0 || number == 0 || size < length)
        return NULL;
    char *text = malloc(length + 1);
    if (!text || !copy(s, place, length, text)) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* ---- opening -------------------------------------------------------------------------------- */

void hdf5_heap_open(hdf5_heap *s, const char *path, const void *bytes, size_t size)
{
    *s = (hdf5_heap){.fd = -1, .size = size, .window = bytes, .held = size};
    struct stat about;
    if (path) {
        s->fd = open(path, O_RDONLY | O_CLOEXEC);
        s->buffer = malloc(WINDOW);
        s->window = s->buffer;
        s->size =
            s->buffer && s->fd >= 0 && fstat(s->fd, &about) == 0 ? (uint64_t)about.st_size : 0;
        s->held = 0;
    }
    if (s->window)
        read_header(s);
}

void hdf5_heap_close(hdf5_heap *s)
{
    free(s->buffer);
    if (s->fd >= 0)
        close(s->fd);
    *s = (hdf5_heap){.fd = -1};
}
