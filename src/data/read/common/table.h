/* What readers of tables gather row by row, and the data that it becomes: classes of a response
 * that is text, indicators of columns that are, names. */
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
    row_store store;     /* entries of features, and numbers of the response */
    class_texts classes; /* the response as text */
    bool classes_are_text;
    column_texts words;  /* columns of text, when they become indicators */
    categories ids;      /* texts of the column that tells which rows belong together */
    size_t id_column;    /* the feature that it is while rows are read; SIZE_MAX: none */
    bool ids_are_text;   /* one of them is no number */
    size_t features;     /* columns that are features */
    char **names;        /* of them; NULL: they have none. An empty one is replaced */
    char *response_name; /* or NULL */
    bool has_response;
    bool lacks;       /* the response of some row, where there need be none */
    size_t *left_out; /* rows left out, from 0 */
    size_t dropped, left_out_room;
} table;

/* Once names and features are known: which columns are text, and which texts they may have, when
 * another file's reading says so; `indicators`: columns of text may become some in any case. */
tm_status table_begin(table *t, bool indicators);
/* The cell of a row in the column of ids: a number, or with a text that. */
tm_status table_add_id(table *t, double number, const char *text, size_t length);
/* Ends the row with its response, or leaves it out, before the next. */
tm_status table_end_row(table *t, double y);
tm_status table_leave_out_row(table *t);

/* Names of columns that are taken for the response when none is named, ended by NULL. */
extern const char *const table_responses[];

void table_clear(table *t);
/* Fills in everything but the note. */
tm_status table_finish(table *t, read_result *result, tm_error *err);
/* Adds to the note which columns became indicators. */
void table_note(const table *t, read_result *result);

#endif
