/* Splits a text that describes groups or a graph into words, with their positions. */
#ifndef DATA_READ_GROUPS_TEXT_H
#define DATA_READ_GROUPS_TEXT_H

#include "data/name_index.h"
#include "data/read/common/input.h"

typedef struct groups_text {
    const char *name;      /* name of the file, for messages */
    const char *parameter; /* "groups" or "graph": the parameter whose value it is */
    const char *cur, *end;
    const char *line_start;
    size_t line;
    bool inner; /* in a parameter, where ";" ends a group and there are no lines */
    char *room; /* of the text's length: buffer for unquoting */
    tm_error *err;
} groups_text;

typedef struct groups_word {
    const char *at;   /* its position, for messages */
    const char *text; /* `length` bytes, without quotes; for attributes, the value */
    size_t length;
    const char *key; /* "weight", "name" or "parent"; NULL: a feature or range */
    bool quoted;
} groups_word;

/* The next word of this group; false at the end of the group, and with *status not TM_OK when the
 * text is malformed. */
bool groups_text_word(groups_text *t, groups_word *word, tm_status *status);
/* Moves on to the next group; false at the end of the text. */
bool groups_text_next(groups_text *t);
/* An error unless there is a file at `path` ("-": standard input), the value of a parameter that
 * may also be what `other` says. */
tm_status groups_text_find(const char *parameter, const char *path, const char *other,
                           tm_error *err);
/* The whole text of the file at `path` ("-": standard input); `what` is named in the message when
 * memory runs out. The caller frees *text and closes the input, both also on failure. */
tm_status groups_text_open(input **in, char **text, size_t *length, const char *path,
                           const char *what, tm_error *err);

/* The feature with this name, from 0. `names` belong to the data. */
tm_status groups_text_name(const groups_text *t, const groups_word *word, name_index *names,
                           size_t *feature);
/* Reads digits at *at as a number from 1 to p; 0 when there are none, SIZE_MAX when the number is
 * out of range. */
size_t groups_text_number(const char **at, const char *end, size_t p);
/* "FILE: line L, column C: ...", TM_EDATA; in a parameter "groups: column C: ...", TM_EUSAGE. */
tm_status groups_text_fail(const groups_text *t, size_t line, const char *line_start,
                           const char *at, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
