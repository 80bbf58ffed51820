/* Columns of text in a table as indicators: one feature for each of a column's distinct texts, 1
 * in the rows that have it ("one-hot").
 *
 * While rows are read, feature f < features is the column's own, and feature features + k is
 * category k. A column is one of text when its first value is no number; then its own feature
 * collects the rows in which the text is missing. */
#ifndef DATA_READ_COMMON_TEXTS_H
#define DATA_READ_COMMON_TEXTS_H

#include "data/read/common/categories.h"
#include "data/read/common/row_store.h"

/* A column with more distinct texts is an identifier, or prose. */
enum { MAX_TEXTS = 1 << 16 };

typedef enum texts_kind { COLUMN_UNKNOWN, COLUMN_NUMBERS, COLUMN_TEXTS } texts_kind;

/* What another file says about a column of text. */
typedef enum texts_known {
    KNOWN_NOT,          /* nothing: its texts are those of this file */
    KNOWN_TEXTS,        /* which texts it may have */
    KNOWN_WITH_MISSING, /* the same, and that they may be missing */
} texts_known;

typedef struct column_texts {
    categories all;
    unsigned char *kinds; /* texts_kind of each feature; NULL: text is an error */
    unsigned char *known; /* texts_known of each feature */
    uint32_t *distinct;   /* texts of each feature */
    size_t features;
    /* after texts_finish */
    size_t count;       /* features of the result */
    size_t *origin;     /* count: which column's feature it comes from */
    const char **texts; /* count: the text it stands for, "" when that is missing; NULL: numbers */
    size_t text_count;  /* columns of text */
} column_texts;

bool texts_init(column_texts *texts, size_t features);
void texts_clear(column_texts *texts);
/* The feature of a text in a column of texts. False when memory ran out; *feature is SIZE_MAX when
 * there are too many. */
bool texts_feature(column_texts *texts, size_t column, const char *text, size_t length,
                   size_t *feature);
/* What a column was in another file: one of texts, of which this is one ("": a missing one), or
 * with NULL one of numbers. False when memory ran out. */
bool texts_know(column_texts *texts, size_t column, const char *text);
/* Whether the text may occur in the column. */
bool texts_allow(const column_texts *texts, size_t column, const char *text, size_t length);
/* Missing values of columns of text become 1, and all entries get their feature in the result: the
 * columns in order, the texts of each sorted. False when memory ran out. */
bool texts_finish(column_texts *texts, row_store *store);

#endif
