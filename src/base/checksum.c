#include "base/checksum.h"

#include <string.h>

static const uint64_t prime1 = 0x9e3779b185ebca87u, prime2 = 0xc2b2ae3d27d4eb4fu,
                      prime3 = 0x165667b19e3779f9u, prime4 = 0x85ebca77c2b2ae63u,
                      prime5 = 0x27d4eb2f165667c5u;

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* Reads a little-endian word on any machine. */
static uint64_t word64(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

static uint64_t word32(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap32(word);
}

static uint64_t take(uint64_t sum, uint64_t word)
{
    return rotate(sum + word * prime2, 31) * prime1;
}

static uint64_t merge(uint64_t hash, uint64_t sum)
{
    return (hash ^ take(0, sum)) * prime1 + prime4;
}

/* Hashes the part that is a multiple of 32 bytes, in four independent sums. */
static uint64_t hash_stripes(const uint8_t *at, size_t size)
{
    uint64_t a = prime1 + prime2, b = prime2, c = 0, d = 0 - prime1;
    for (; size >= 32; size -= 32, at += 32) {
        a = take(a, word64(at));
        b = take(b, word64(at + 8));
        c = take(c, word64(at + 16));
        d = take(d, word64(at + 24));
    }
    uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
}

uint64_t checksum64(const void *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = at + size;
    uint64_t hash = (size >= 32 ? hash_stripes(at, size) : prime5) + size;
    at += size / 32 * 32;
    for (; end - at >= 8; at += 8)
        hash = rotate(hash ^ take(0, word64(at)), 27) * prime1 + prime4;
    if (end - at >= 4) {
        hash = rotate(hash ^ word32(at) * prime1, 23) * prime2 + prime3;
        at += 4;
    }
    for (; at < end; at++)
        hash = rotate(hash ^ *at * prime5, 11) * prime1;
    hash = (hash ^ hash >> 33) * prime2;
    hash = (hash ^ hash >> 29) * prime3;
    return hash ^ hash >> 32;
}
