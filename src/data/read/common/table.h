/* What readers of tables collect row by row, and the data made from it: classes of a text response,
 * indicators of text columns, names. */
#ifndef DATA_READ_COMMON_TABLE_H
#define DATA_READ_COMMON_TABLE_H

#include "data/read/common/categories.h"
#include "data/read/common/class_texts.h"
#include "data/read/common/format.h"
#include "data/read/common/row_store.h"
#include "data/read/common/texts.h"

typedef struct table {
    input *in; /* for messages */
    const read_request *request;
    row_store store;     /* entries of features, and numeric responses */
    class_texts classes; /* text responses */
    bool classes_are_text;
    column_texts words;  /* text columns, if they become indicators */
    categories ids;      /* texts of the column of row ids */
    size_t id_column;    /* its feature while rows are read; SIZE_MAX: none */
    size_t features;     /* number of columns that are features */
    char **names;        /* names of these; NULL: they have none. An empty one is replaced */
    char *response_name; /* or NULL */
    bool has_response;
    bool lacks;       /* some row has no response, which is allowed */
    size_t *left_out; /* rows left out, from 0 */
    size_t dropped, left_out_room;
} table;

/* To be called once names and features are known: determines which columns are text, and which
 * texts they may have, if another file's reading specifies it; `indicators`: text columns may
 * become indicators in any case. */
tm_status table_begin(table *t, bool indicators);
/* The cell of a row in the column of ids: a number, or a text if that is given. */
tm_status table_add_id(table *t, double number, const char *text, size_t length);
/* Ends the row with its response, or leaves it out; to be called before the next row. */
tm_status table_end_row(table *t, double y);
tm_status table_leave_out_row(table *t);

/* Names of columns that are used as the response when none is given, terminated by NULL. */
extern const char *const table_responses[];

void table_clear(table *t);
/* Completes the result except for the note. */
tm_status table_finish(table *t, read_result *result, tm_error *err);
/* Adds to the note which columns became indicators. */
void table_note(const table *t, read_result *result);

#endif
