/* String helpers. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Number of single-character edits (insertion, deletion, replacement, transposition of neighbours)
 * that turn a into b when no character is edited twice, counted up to 64 characters. */
size_t text_distance(const char *a, const char *b);

/* The candidate closest to `name`, or NULL when none is close enough to be a likely intention.
 * `candidate(i, payload)` gives the i-th one and NULL past the end. */
const char *text_closest(const char *name, const char *(*candidate)(size_t i, const void *payload),
                         const void *payload);

/* Parses a whole text as a number, with spaces around it allowed; the decimal separator is the
 * point in every locale. False when it is not a number. Accepts "inf" and "nan". */
bool text_to_real(const char *text, double *out);
bool text_to_long(const char *text, long *out);

/* The decimal text with the fewest digits that reads back as exactly the same double, written to
 * `buffer`; integers below a million have no exponent. */
void text_from_real(double value, char *buffer, size_t size);
enum { TEXT_EXACT = 32 };
/* The same for files, as "%.15g" has it where 15 digits are enough; returns the buffer. */
const char *text_exact(double value, char buffer[TEXT_EXACT]);
enum { TEXT_SHOWN = 32 };
/* The display form of a value that is stored as text: six digits of a number with many, written to
 * the buffer of TEXT_SHOWN bytes; other texts unchanged, `none` for NULL. */
const char *text_shown(const char *text, const char *none, char *buffer);

/* A malloc'ed copy; NULL for NULL or when memory ran out. */
char *text_copy(const char *text);
/* Writes one character as UTF-8, at most four bytes, and returns the end. */
char *text_put(char *out, uint32_t point);
/* A copy of `length` bytes, which need not be terminated by NUL. */
char *text_part(const char *text, size_t length);
/* Converts code points, or UTF-16 units, to UTF-8; invalid ones become U+FFFD. NULL when memory ran
 * out. */
char *text_from_units(const uint32_t *units, size_t count);
/* Closes a stream opened by open_memstream. False, with *text freed and set to NULL, unless it
 * holds all that was written: when memory runs out the C library returns no text and reports no
 * error. */
bool text_stream_end(FILE *stream, char **text);
/* Frees `count` texts and their list; the list and the texts may be NULL. */
void text_list_free(char **list, size_t count);

/* Whether `text` ends with `tail`. */
bool text_ends_with(const char *text, const char *tail);

#endif
