/* The record of how a file was read: a model fitted to the data keeps it, and the reader applies it
 * to other files (tm_read_options.like), so that nothing is learnt from rows that are predicted.
 * Immutable once a data set has it, reference counted; threads share it without locks. */
#ifndef TAMIS_READING_H
#define TAMIS_READING_H

#include <stdbool.h>
#include <stddef.h>

/* How the features are numbered in the file that the data were read from. */
typedef enum tm_numbering {
    TM_NUMBERING_NONE, /* not numbered, or there was no file */
    TM_NUMBERING_FROM_0,
    TM_NUMBERING_FROM_1,
} tm_numbering;

/* How one feature of the data set was made when it was read. Selections of columns do not change
 * it. */
typedef struct tm_reading_feature {
    char *column;  /* name of the file's column; NULL: it has none */
    size_t number; /* number of the file's column, from 1, not counting the response */
    char *level;   /* the feature indicates this text of the column ("": a missing value); NULL: the
                    * column's number */
    double fill;   /* replacement of missing values; NaN: a missing value is an error */
} tm_reading_feature;

/* How a file was read: the options chosen by the user, and the layout of a table. */
typedef struct tm_reading_file {
    char *format;    /* id of the format; NULL: there was no file */
    char **options;  /* names and values of options that concern the columns, alternating */
    size_t count;    /* number of both together */
    size_t fields;   /* fields of a row, including the response, of a table or of a matrix with the
                      * response as a column; 0: neither */
    bool header;     /* a table's first line has names */
    bool apart;      /* the response is not a column */
    size_t place;    /* position of the response among the fields, from 0 */
    char *response;  /* its name; or NULL */
    bool unlabelled; /* there was no response, or not for every row: y is all zeros */
} tm_reading_file;

typedef struct tm_reading {
    size_t references;
    tm_numbering numbering;
    char missing[96]; /* what was done about missing values: "3 rows left out"; "": there were
                       * none */
    bool fills;       /* missing values are replaced */
    size_t count;     /* number of features, in the order in which they were read; 0: the columns
                       * are those of the file, without replacements */
    tm_reading_feature *features;
    tm_reading_file file;
} tm_reading;

/* Allocates the features, without content; NULL when memory ran out. */
tm_reading *tm_reading_new(size_t count);
/* NULL is allowed and returned. */
tm_reading *tm_reading_ref(const tm_reading *reading);
void tm_reading_unref(tm_reading *reading);

#endif
