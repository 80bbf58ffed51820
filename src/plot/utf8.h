/* UTF-8 and column widths, independent of the locale. */
#ifndef PLOT_UTF8_H
#define PLOT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Reads one code point and advances *text past it; 0 at the end. Malformed bytes (overlong forms,
 * surrogates, stray or cut sequences) give U+FFFD, one for each byte skipped. */
uint32_t utf8_next(const char **text);

/* The number of columns of a code point in a terminal: 0 (combining, formatting), 1 or 2. Control
 * characters count as 1, as they are replaced before they are shown. */
int utf8_width(uint32_t code);

/* The width of a text in columns. */
size_t utf8_columns(const char *text);

/* Writes code as UTF-8, up to 4 bytes, and returns how many. */
size_t utf8_put(uint32_t code, char bytes[4]);

/* The code point to display for code: itself, or U+FFFD for a control character. */
uint32_t utf8_printable(uint32_t code);

#endif
