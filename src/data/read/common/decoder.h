/* Text of other encodings, turned into UTF-8 block by block by iconv. Without an encoding that is
 * named, text is UTF-8; where it is not, and no character beyond ASCII came before, it is taken for
 * Windows-1252 (latin-1 and more). */
#ifndef DATA_READ_COMMON_DECODER_H
#define DATA_READ_COMMON_DECODER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct decoder decoder;

/* `encoding` as iconv names it; NULL: found from the text. NULL when iconv does not know it, or
 * memory ran out. */
decoder *decoder_open(const char *encoding);
void decoder_close(decoder *d);
/* The next block of the text, and what it is in UTF-8, which is valid until the next call; `last`:
 * nothing follows. What is wrong, or NULL. */
const char *decoder_next(decoder *d, const char **block, size_t *size, bool last);
/* The encoding when the text is not UTF-8, else NULL. */
const char *decoder_encoding(const decoder *d);

#endif
