/* Splitting CSV text into fields: RFC 4180, any one-byte separator, LF, CR LF or CR.
 *
 * In messages about CSV a column is a field of the record, counted from 1. */
#ifndef DATA_READ_CSV_RECORD_H
#define DATA_READ_CSV_RECORD_H

#include "data/read/common/input.h"

/* A field: `text` lies in the input's window until the next call. */
typedef struct csv_field {
    const char *text; /* blanks around an unquoted field are left out */
    size_t length;
    size_t number; /* its place in the record, from 1 */
    uint64_t line; /* where it starts */
    bool quoted;
    bool last; /* it ends its record */
} csv_field;

/* Skips blank lines; true when a record follows. */
bool csv_at_record(input *in);
/* The next field of the record. The caller starts each record with field->number = 0. After the
 * last field, cur is at the next line. */
tm_status csv_next_field(csv_field *field, input *in, char separator);
/* The separator among tab, semicolon and comma that the first records at cur use, or 0. */
char csv_find_separator(const input *in);

/* Records that lie in the window, without reading them. */
typedef struct csv_sight {
    const char *at, *end;
    char separator;
    bool whole; /* nothing follows the window */
} csv_sight;

/* The first field of the next record, without its quotes; NULL when there is none that is whole. */
const char *csv_next_first_field(csv_sight *sight, size_t *length);

#endif
