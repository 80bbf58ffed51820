/* What a reader has learnt from a file besides the data, as a value: a model that was fitted on the
 * file keeps it, and the reader applies it to other files (tm_read_options.like), so that nothing
 * is learnt from the rows that are predicted. Immutable once a data set has it, reference counted;
 * threads share it without locks. */
#ifndef TAMIS_READING_H
#define TAMIS_READING_H

#include <stdbool.h>
#include <stddef.h>

/* How the file that the data were read from numbers its features. */
typedef enum tm_numbering {
    TM_NUMBERING_NONE, /* it does not, or there was no file */
    TM_NUMBERING_FROM_0,
    TM_NUMBERING_FROM_1,
} tm_numbering;

/* How one feature of the data set as it was read was made. Selections of columns do not change it.
 */
typedef struct tm_reading_feature {
    char *column;  /* name of the file's column; NULL: it has none */
    size_t number; /* of the file's column, from 1, the response not counted */
    char *level;   /* the feature is 1 where the column has this text ("": a missing one); NULL:
                      the column's number */
    double fill;   /* what a missing value becomes; NaN: a missing value is an error */
} tm_reading_feature;

/* How a file was read: what a user has chosen, and where a table has what. */
typedef struct tm_reading_file {
    char *format;    /* id of the format; NULL: there was no file */
    char **options;  /* names and values of options that concern the columns, in turn */
    size_t count;    /* of both together */
    size_t fields;   /* of a row of a table, or of a matrix one of whose columns is the response,
                        which is included; 0: it is neither */
    bool header;     /* a table's first line has names */
    bool apart;      /* the response is no column */
    size_t place;    /* of the response among the fields, from 0 */
    char *response;  /* its name; or NULL */
    bool unlabelled; /* there was no response, or not for every row: y is all zeros */
} tm_reading_file;

typedef struct tm_reading {
    size_t references;
    tm_numbering numbering;
    char missing[96]; /* what became of missing values: "3 rows left out"; "": there were none */
    bool fills;       /* missing values are filled */
    size_t count;     /* of the features, in the order in which they were read; 0: their columns are
                         as they are in the file, and none was filled */
    tm_reading_feature *features;
    tm_reading_file file;
} tm_reading;

/* With room for the features, of which nothing is known; NULL when memory ran out. */
tm_reading *tm_reading_new(size_t count);
/* NULL stays NULL. */
tm_reading *tm_reading_ref(const tm_reading *reading);
void tm_reading_unref(tm_reading *reading);

#endif
