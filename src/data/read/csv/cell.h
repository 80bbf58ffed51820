/* The value of a cell. */
#ifndef DATA_READ_CSV_CELL_H
#define DATA_READ_CSV_CELL_H

#include "data/read/csv/reader.h"

/* Whether the field is one of the words for a missing value. */
bool csv_is_missing(const csv_field *field);
/* The number in the field; NUMBER_MALFORMED unless the whole field is a number. */
number_kind csv_cell_number(const csv_reader *reader, const csv_field *field, double *value);
/* Whether the field is TRUE or FALSE, in any case; the value is then 1 or 0. */
bool csv_cell_boolean(const csv_field *field, double *value);
/* Whether text that is not a number has a digit: a number with a unit, a date, a thousands
 * separator. */
bool csv_has_digit(const csv_field *field);
/* Whether the field consists of digits, with an optional sign. */
bool csv_is_whole(const csv_field *field);
/* Whether it would be a number with the other decimal separator. */
bool csv_has_other_mark(const csv_reader *reader, const csv_field *field);
/* Whether numbers with a point need to be recorded, because the decimal separator may be a
 * comma. */
bool csv_looks_at_marks(const csv_reader *reader);
/* Records the decimal separator of the number; false when the file also contains the other one and
 * the option does not decide. */
bool csv_note_mark(csv_reader *reader, const csv_field *field);

#endif
