/* Tables whose file says which columns there are and which of them are text: ARFF, and files of
 * statistics programs. Columns are declared, then the table begins, then come its rows. */
#ifndef DATA_READ_COMMON_TYPED_H
#define DATA_READ_COMMON_TYPED_H

#include "data/read/common/table.h"

typedef struct typed_column {
    char *name;
    bool text;
    bool indicators; /* text that becomes indicators, whatever the option text says */
} typed_column;

typedef struct typed {
    table table;
    typed_column *columns;
    size_t count, room;
    size_t response; /* its place, from 0; SIZE_MAX: it is in a file of its own */
    bool unnamed;    /* a response without a name for its value has occurred */
    bool drop;       /* of the row being read */
    double y;
    uint64_t row;  /* from 1, for messages */
    uint64_t line; /* that the row is in; 0: there are no lines */
} typed;

void typed_open(typed *t, input *in, const read_request *request);
void typed_clear(typed *t);
/* A column more, before the table begins. */
tm_status typed_add_column(typed *t, const char *name, bool text, bool indicators);
/* Finds the response: the column that label names, a usual name, or the last. */
tm_status typed_begin(typed *t);
/* A text that the file declares for a column of text. */
tm_status typed_add_level(typed *t, size_t column, const char *text);

/* Cells of the row; those that are not given are 0. A NaN is a missing value. A number of the
 * response may have a name: where all have one, they are classes. */
tm_status typed_number(typed *t, size_t column, double value, const char *name);
tm_status typed_text(typed *t, size_t column, const char *text);
tm_status typed_missing(typed *t, size_t column);
tm_status typed_end_row(typed *t);
/* Everything but the first lines of the note, which are in the result. */
tm_status typed_finish(typed *t, read_result *result, tm_error *err);

#endif
