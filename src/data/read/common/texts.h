/* Text columns of a table as indicators: one feature for each distinct text of a column, 1 in the
 * rows that have it ("one-hot").
 *
 * While rows are read, feature f < features is that of the column itself, and feature features + k
 * is category k. A column is a text column when its first value is not a number; its own feature
 * then collects the rows in which the text is missing. */
#ifndef DATA_READ_COMMON_TEXTS_H
#define DATA_READ_COMMON_TEXTS_H

#include "data/read/common/categories.h"
#include "data/read/common/row_store.h"

/* A column with more distinct texts contains identifiers or prose. */
enum { MAX_TEXTS = 1 << 16 };

typedef enum texts_kind { COLUMN_UNKNOWN, COLUMN_NUMBERS, COLUMN_TEXTS } texts_kind;

/* What is known from another file about a text column. */
typedef enum texts_known {
    KNOWN_NOT,          /* nothing: its texts are those of this file */
    KNOWN_TEXTS,        /* the texts that may occur */
    KNOWN_WITH_MISSING, /* the same, and that they may be missing */
} texts_known;

typedef struct column_texts {
    categories all;
    unsigned char *kinds; /* texts_kind of each feature; NULL: text is an error */
    unsigned char *known; /* texts_known of each feature */
    uint32_t *distinct;   /* number of distinct texts of each feature */
    size_t features;
    /* after texts_finish */
    size_t count;       /* number of features of the result */
    size_t *origin;     /* count: the feature of the column it comes from */
    const char **texts; /* count: the text it indicates, "" for a missing one; NULL: numeric */
    size_t text_count;  /* number of text columns */
} column_texts;

bool texts_init(column_texts *texts, size_t features);
void texts_clear(column_texts *texts);
/* The feature of a text in a text column. False when memory ran out; *feature is SIZE_MAX when
 * there are too many. */
bool texts_feature(column_texts *texts, size_t column, const char *text, size_t length,
                   size_t *feature);
/* Declares what a column was in another file: a text column, with this as one of its texts ("": a
 * missing one), or with NULL a numeric one. False when memory ran out. */
bool texts_know(column_texts *texts, size_t column, const char *text);
/* Whether the text is allowed in the column. */
bool texts_allow(const column_texts *texts, size_t column, const char *text, size_t length);
/* Sets missing values of text columns to 1, and gives all entries their feature in the result: the
 * columns in order, the texts of each sorted. False when memory ran out. */
bool texts_finish(column_texts *texts, row_store *store);

#endif
