/* Conversion of .tam files from a machine with the other byte order. */
#ifndef DATA_READ_FORMAT_TAM_SWAP_H
#define DATA_READ_FORMAT_TAM_SWAP_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this is the start of a .tam file written in the other byte order. */
bool tam_is_swapped(const uint8_t *bytes, size_t size);
/* Verifies the checksums and makes the file that this machine would have written, `size` bytes
 * freed by the caller. TM_EDATA when it is damaged; `name` is the name of the file in messages. */
tm_status tam_swap(uint8_t **out, const uint8_t *bytes, size_t size, const char *name,
                   tm_error *err);

#endif
