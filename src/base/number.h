/* Decimal numbers in text, independent of the locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "tamis/error.h"

#include <locale.h>
#include <stddef.h>

typedef struct number_parser {
    locale_t c_locale;
} number_parser;

typedef enum number_kind {
    NUMBER_FINITE,
    NUMBER_NOT_FINITE, /* nan, inf, or too large for a double */
    NUMBER_MALFORMED,
} number_kind;

tm_status number_parser_init(number_parser *parser, tm_error *err);
void number_parser_clear(number_parser *parser);

/* Reads the longest number at the start of [text, end): [+-] digits [. digits] [e [+-] digits], or
 * nan or inf in any case. *value is the nearest double (possibly NaN or infinite), *rest the first
 * byte after the number. */
number_kind number_parse(const number_parser *parser, const char *text, const char *end,
                         double *value, const char **rest);

enum { NUMBER_TEXT = 32 };
/* The decimal text with the fewest digits that number_parse reads as exactly this double; returns
 * its length (at most NUMBER_TEXT - 1). */
size_t number_write(const number_parser *parser, double value, char buffer[NUMBER_TEXT]);

#endif
