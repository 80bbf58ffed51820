/* Converts text in other encodings to UTF-8, block by block, with iconv. If no encoding is given,
 * text is UTF-8; if it turns out not to be, and no non-ASCII character came before, it is treated
 * as Windows-1252 (a superset of latin-1). */
#ifndef DATA_READ_COMMON_DECODER_H
#define DATA_READ_COMMON_DECODER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct decoder decoder;

/* `encoding` is an iconv name; NULL: detected from the text. Returns NULL when iconv does not know
 * it, or memory ran out. */
decoder *decoder_open(const char *encoding);
void decoder_close(decoder *d);
/* Converts the next block of the text to UTF-8, valid until the next call; `last`: nothing follows.
 * Returns a description of the error, or NULL. */
const char *decoder_next(decoder *d, const char **block, size_t *size, bool last);
/* The encoding when the text is not UTF-8, else NULL. */
const char *decoder_encoding(const decoder *d);

#endif
