/* Another file, whose reading is applied to this one: its features, and where its response was. */
#ifndef DATA_READ_COMMON_LIKE_H
#define DATA_READ_COMMON_LIKE_H

#include "data/read/common/format.h"
#include "tamis/reading.h"

#include <stdbool.h>

typedef struct like_index {
    const tm_reading *like;
    bool by_name;  /* columns are found by their name, else by their number */
    size_t *order; /* features, sorted */
} like_index;

/* Whether the other file named its columns. */
bool like_has_names(const tm_reading *like);
/* False when memory ran out. */
bool like_open(like_index *index, const tm_reading *like, bool by_name);
void like_close(like_index *index);
/* The other file's feature that was made like this one, or NULL; `hint` is where it may be. */
const tm_reading_feature *like_find(const like_index *index, const tm_reading_feature *feature,
                                    size_t hint);

/* Columns among which the response of the other file is looked for. */
typedef struct like_columns {
    input *in; /* for messages */
    size_t count;
    bool named;
    bool (*is_called)(const void *of, size_t place, const char *name);
    const void *of;
} like_columns;

typedef enum like_place {
    LIKE_UNKNOWN, /* the other file does not tell */
    LIKE_COLUMN,
    LIKE_NONE, /* the response is not there, and need not be */
} like_place;

/* Where the response is: by its name where both files have names, else by the number of columns. */
tm_status like_response(like_place *out, size_t *place, const read_request *request,
                        const like_columns *columns);

#endif
