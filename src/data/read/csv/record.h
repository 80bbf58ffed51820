/* Splits CSV text into fields: RFC 4180, any one-byte separator, LF, CR LF or CR.
 *
 * In messages about CSV a column is a field of the record, counted from 1. */
#ifndef DATA_READ_CSV_RECORD_H
#define DATA_READ_CSV_RECORD_H

#include "data/read/common/input.h"

/* A field: `text` is in the input's window, valid until the next call. */
typedef struct csv_field {
    const char *text; /* without blanks around an unquoted field */
    size_t length;
    size_t number; /* its position in the record, from 1 */
    uint64_t line; /* where it starts */
    bool quoted;
    bool last; /* it is the last of its record */
} csv_field;

/* Skips blank lines; true when a record follows. */
bool csv_at_record(input *in);
/* Reads the next field of the record. The caller starts each record with field->number = 0. After
 * the last field, cur is at the next line. */
tm_status csv_next_field(csv_field *field, input *in, char separator);
/* The separator (tab, semicolon, comma or blank) that the first records at cur use, or 0. */
char csv_find_separator(const input *in);

/* Iterates over the records in the window without consuming them. */
typedef struct csv_sight {
    const char *at, *end;
    char separator;
    bool whole; /* nothing follows the window */
} csv_sight;

/* The first field of the next record, without its quotes; NULL when there is no complete one. */
const char *csv_next_first_field(csv_sight *sight, size_t *length);

#endif
