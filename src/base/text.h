/* String helpers. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Number of single-character edits (insert, delete, replace, swap of neighbours) that turn a into b
 * when no character is edited twice, counted up to 64 characters. */
size_t text_distance(const char *a, const char *b);

/* The candidate closest to `name`, or NULL when none is near enough to be what was meant.
 * `candidate(i, payload)` gives the i-th one and NULL past the end. */
const char *text_closest(const char *name, const char *(*candidate)(size_t i, const void *payload),
                         const void *payload);

/* Reads a whole text as a number: spaces around it allowed, nothing else; the decimal sign is the
 * point whatever the locale. False when it is not a number. "inf" and "nan" are read as such. */
bool text_to_real(const char *text, double *out);
bool text_to_long(const char *text, long *out);

/* The decimal text with the fewest digits that reads back as exactly this double, written to
 * buffer; whole numbers below a million without an exponent. */
void text_from_real(double value, char *buffer, size_t size);
enum { TEXT_SHOWN = 32 };
/* What people are shown of a value that is kept as text: of a number with many digits six, written
 * to the buffer of TEXT_SHOWN bytes; other texts as they are, `none` in place of NULL. */
const char *text_shown(const char *text, const char *none, char *buffer);

/* A malloc'ed copy; NULL for NULL or when memory ran out. */
char *text_copy(const char *text);
/* Writes one character as UTF-8, at most four bytes, and returns where it ends. */
char *text_put(char *out, uint32_t point);
/* The same of `length` bytes, which need not end with a NUL and are not read beyond. */
char *text_part(const char *text, size_t length);
/* UTF-8 of code points, or of units of UTF-16; what is no character becomes U+FFFD. NULL when
 * memory ran out. */
char *text_from_units(const uint32_t *units, size_t count);
/* Closes a stream that open_memstream began. False, with *text freed and NULL, unless it holds all
 * that was written: the C library leaves none when memory runs out, and no error. */
bool text_stream_end(FILE *stream, char **text);
/* Frees `count` texts and their list; NULL, for each of them too, is allowed. */
void text_list_free(char **list, size_t count);

/* Whether `text` ends with `tail`. */
bool text_ends_with(const char *text, const char *tail);

#endif
