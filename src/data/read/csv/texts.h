/* Columns of text in a CSV file as indicators: one feature for each of a column's distinct texts, 1
 * in the rows that have it ("one-hot").
 *
 * While rows are read, feature f < features is the column's own, and feature features + k is
 * category k. A column is one of text when its first value is no number; then its own feature
 * collects the rows in which the text is missing. */
#ifndef DATA_READ_CSV_TEXTS_H
#define DATA_READ_CSV_TEXTS_H

#include "data/read/common/categories.h"
#include "data/read/common/row_store.h"

/* A column with more distinct texts is an identifier, or prose. */
enum { MAX_CSV_TEXTS = 1 << 16 };

typedef enum csv_column { COLUMN_UNKNOWN, COLUMN_NUMBERS, COLUMN_TEXTS } csv_column;

/* What another file says about a column of text. */
typedef enum csv_known {
    KNOWN_NOT,          /* nothing: its texts are those of this file */
    KNOWN_TEXTS,        /* which texts it may have */
    KNOWN_WITH_MISSING, /* the same, and that they may be missing */
} csv_known;

typedef struct csv_texts {
    categories all;
    unsigned char *kinds; /* csv_column of each feature; NULL: text is an error */
    unsigned char *known; /* csv_known of each feature */
    uint32_t *distinct;   /* texts of each feature */
    size_t features;
    /* after csv_texts_finish */
    size_t count;       /* features of the result */
    size_t *origin;     /* count: which column's feature it comes from */
    const char **texts; /* count: the text it stands for, "" when that is missing; NULL: numbers */
    size_t text_count;  /* columns of text */
} csv_texts;

bool csv_texts_init(csv_texts *texts, size_t features);
void csv_texts_clear(csv_texts *texts);
/* The feature of a text in a column of texts. False when memory ran out; *feature is SIZE_MAX when
 * there are too many. */
bool csv_texts_feature(csv_texts *texts, size_t column, const char *text, size_t length,
                       size_t *feature);
/* What a column was in another file: one of texts, of which this is one ("": a missing one), or
 * with NULL one of numbers. False when memory ran out. */
bool csv_texts_know(csv_texts *texts, size_t column, const char *text);
/* Whether the text may occur in the column. */
bool csv_texts_allow(const csv_texts *texts, size_t column, const char *text, size_t length);
/* Missing values of columns of text become 1, and all entries get their feature in the result: the
 * columns in order, the texts of each sorted. False when memory ran out. */
bool csv_texts_finish(csv_texts *texts, row_store *store);

#endif
