/* Tables whose file specifies the columns and which of them are text: ARFF, and files of statistics
 * programs. First the columns are declared, then the table is begun, then the rows are added. */
#ifndef DATA_READ_COMMON_TYPED_H
#define DATA_READ_COMMON_TYPED_H

#include "data/read/common/table.h"

typedef struct typed_column {
    char *name;
    bool text;
    bool indicators; /* text that becomes indicators, independent of the option `text` */
} typed_column;

typedef struct typed {
    table table;
    typed_column *columns;
    size_t count, room;
    size_t response; /* its position, from 0; SIZE_MAX: it is in a separate file */
    bool unnamed;    /* a response value without a name has occurred */
    bool drop;       /* leave out the row being read */
    double y;
    uint64_t row;  /* from 1, for messages */
    uint64_t line; /* line of the row; 0: the format has no lines */
} typed;

void typed_open(typed *t, input *in, const read_request *request);
void typed_clear(typed *t);
/* Declares a column, before the table is begun. */
tm_status typed_add_column(typed *t, const char *name, bool text, bool indicators);
/* Determines the response: the column named by `label`, one with a usual name, or the last. */
tm_status typed_begin(typed *t);
/* Declares a text of a text column. */
tm_status typed_add_level(typed *t, size_t column, const char *text);

/* Sets cells of the row; cells that are not set are 0. NaN is a missing value. A number of the
 * response may have a name: if all have one, they are classes. */
/* Whether the column has the ids of the rows. */
bool typed_is_id(const typed *t, size_t column);
tm_status typed_number(typed *t, size_t column, double value, const char *name);
tm_status typed_text(typed *t, size_t column, const char *text);
tm_status typed_missing(typed *t, size_t column);
tm_status typed_end_row(typed *t);
/* Completes everything except the first lines of the note, which are already in the result. */
tm_status typed_finish(typed *t, read_result *result, tm_error *err);

#endif
