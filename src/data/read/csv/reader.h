/* The internals of the CSV reader: head.c reads the first lines, csv.c the rows, result.c makes the
 * data set. */
#ifndef DATA_READ_CSV_READER_H
#define DATA_READ_CSV_READER_H

#include "base/number.h"
#include "data/read/common/table.h"
#include "data/read/csv/record.h"

#define NO_COLUMN SIZE_MAX

/* A record in memory: the first two are stored until it is known whether the first is a header. */
typedef struct csv_record {
    csv_field *fields; /* texts malloc'ed */
    size_t count, capacity;
    uint64_t line;
    bool short_of_one; /* for a header: an empty name was inserted before those in the file */
} csv_record;

/* The notations of numbers: the first line with each; 0: none. */
typedef struct csv_marks {
    uint64_t comma_line, point_line; /* decimal separators, if a comma may be one */
    uint64_t rounded_line;           /* integers that a double would round */
    size_t rounded_column;
} csv_marks;

/* The choices of the option `decimal`, in their order. */
typedef enum csv_decimal { DECIMAL_AUTO, DECIMAL_POINT, DECIMAL_COMMA } csv_decimal;

typedef struct csv_reader {
    input *in;
    const read_request *request;
    number_parser numbers;
    table table; /* for a numeric response, `classes` has at most its first three values */
    char separator;
    csv_decimal decimal; /* looked up once: every cell asks */
    bool has_header;
    csv_record first, second;
    size_t columns;  /* number of fields of a record, including the response */
    size_t response; /* its position, from 0; NO_COLUMN when it is in a separate file */
    bool row_names;  /* the first column has names or numbers of the rows and is not a
                      * feature */
    bool trailing;   /* each line ends with a separator: an additional empty field */
    csv_marks marks;
    bool booleans;        /* a feature has the value TRUE or FALSE */
    uint64_t text_line;   /* line of the first response that is not a number; 0: none */
    uint64_t number_line; /* line of the first response that is a number */
    double y;             /* response of the row being read */
    bool drop;            /* it has a missing value, and such rows are left out */
} csv_reader;

void csv_record_clear(csv_record *record);

/* The name of a column for messages, empty without a header. */
input_quote csv_column_name(const csv_reader *reader, size_t number);

/* The feature of the column at this position, which is not the response, and the inverse. */
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

/* Determines separator, header, columns and response. */
tm_status csv_read_first_lines(csv_reader *reader);
/* Makes the result from what was read. */
tm_status csv_finish(csv_reader *reader, read_result *result, tm_error *err);

#endif
