/* XXH64, a fast 64-bit checksum: it detects damage, but does not protect against forgery. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `size` bytes, with seed 0; the same on every machine. */
uint64_t checksum64(const void *bytes, size_t size);

#endif
