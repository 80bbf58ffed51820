/* What is written in a cell. */
#ifndef DATA_READ_CSV_CELL_H
#define DATA_READ_CSV_CELL_H

#include "data/read/csv/reader.h"

/* Whether the field is one of the words for a missing value. */
bool csv_is_missing(const csv_field *field);
/* The number that the whole field is; NUMBER_MALFORMED for any other text. */
number_kind csv_cell_number(const csv_reader *reader, const csv_field *field, double *value);
/* Whether the field is TRUE or FALSE, in any case, and then 1 or 0. */
bool csv_cell_boolean(const csv_field *field, double *value);
/* Whether text that is no number has a digit: a unit, a date, a thousands separator. */
bool csv_has_digit(const csv_field *field);
/* Whether the field is digits alone, which may have a sign. */
bool csv_is_whole(const csv_field *field);
/* Whether it would be a number with the other decimal mark. */
bool csv_has_other_mark(const csv_reader *reader, const csv_field *field);
/* Whether numbers with a point have to be looked at: their mark may be a comma. */
bool csv_looks_at_marks(const csv_reader *reader);
/* Remembers which decimal mark the number has; false when the file has had the other one, where
 * nothing says which it is. */
bool csv_note_mark(csv_reader *reader, const csv_field *field);

#endif
