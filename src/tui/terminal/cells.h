/* Text as the terminal shows it: characters, their widths, and what replaces the unprintable. */
#ifndef TUI_TERMINAL_CELLS_H
#define TUI_TERMINAL_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Reads one character of text[0..length), length >= 1, in the locale's encoding; returns the bytes
 * taken. Invalid bytes give L'?', one byte each. */
size_t cells_decode(const char *text, size_t length, wchar_t *ch);
/* What is drawn for `ch`: itself, or a stand-in for controls and, without `utf8`, non-ASCII. */
wchar_t cells_shown(wchar_t ch, bool utf8);
/* Columns of a character as cells_shown gives it: 0 (combining), 1 or 2. */
int cells_columns(wchar_t shown);
/* The width of a text in columns. */
int cells_width(const char *text, bool utf8);
/* Bytes of the longest prefix of text[0..length) that fits into `columns`. */
size_t cells_fit(const char *text, size_t length, int columns, bool utf8);

#endif
