/* The inside of the CSV reader: head.c reads the first lines, csv.c the rows, result.c makes the
 * data of them. */
#ifndef DATA_READ_CSV_READER_H
#define DATA_READ_CSV_READER_H

#include "base/number.h"
#include "data/read/common/table.h"
#include "data/read/csv/record.h"

#define NO_COLUMN SIZE_MAX

/* A record in memory: the first two, until it is known whether the first is a header. */
typedef struct csv_record {
    csv_field *fields; /* texts malloc'ed */
    size_t count, capacity;
    uint64_t line;
    bool short_of_one; /* of a header: an empty name was put before those in the file */
} csv_record;

typedef struct csv_reader {
    input *in;
    const read_request *request;
    number_parser numbers;
    table table; /* of numbers alone its classes are the first three at most */
    char separator;
    bool has_header;
    csv_record first, second;
    size_t columns;       /* fields of a record, the response included */
    size_t response;      /* its place, from 0; NO_COLUMN when it is in a file of its own */
    bool row_names;       /* the first column names or numbers the rows: it is no feature */
    uint64_t text_line;   /* line of the first response that is not a number; 0: none */
    uint64_t number_line; /* and of the first that is one */
    double y;             /* response of the row being read */
    bool drop;            /* it has a missing value, and such rows are left out */
} csv_reader;

void csv_record_clear(csv_record *record);

/* Whether the field is one of the words for a missing value. */
bool csv_is_missing(const csv_field *field);
/* The number that the whole field is; NUMBER_MALFORMED for any other text. */
number_kind csv_cell_number(const csv_reader *reader, const csv_field *field, double *value);
/* The name of a column as messages show it, empty without a header. */
input_quote csv_column_name(const csv_reader *reader, size_t number);

/* The feature that the column at this place is, which is not the response, and the way back. */
static inline size_t csv_feature_of(const csv_reader *reader, size_t place)
{
    return place - reader->row_names - (place > reader->response);
}

static inline size_t csv_place_of(const csv_reader *reader, size_t feature)
{
    size_t place = feature + reader->row_names;
    return place + (place >= reader->response);
}

static inline size_t csv_feature_count(const csv_reader *reader)
{
    return reader->columns - reader->row_names - (reader->response != NO_COLUMN);
}

/* Finds separator, header, columns and response. */
tm_status csv_read_first_lines(csv_reader *reader);
/* Turns what was read into the result. */
tm_status csv_finish(csv_reader *reader, read_result *result, tm_error *err);

#endif
