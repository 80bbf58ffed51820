/* Another file whose reading is applied to this one: its features, and the place of its response.
 */
#ifndef DATA_READ_COMMON_LIKE_H
#define DATA_READ_COMMON_LIKE_H

#include "data/read/common/format.h"
#include "tamis/reading.h"

#include <stdbool.h>

typedef struct like_index {
    const tm_reading *like;
    bool by_name;  /* columns are matched by name, otherwise by number */
    size_t *order; /* features, sorted */
} like_index;

/* Whether the columns of the other file have names. */
bool like_has_names(const tm_reading *like);
/* False when memory ran out. */
bool like_open(like_index *index, const tm_reading *like, bool by_name);
void like_close(like_index *index);
/* The other file's feature that was made in the same way as this one, or NULL; `hint` is where it
 * probably is. */
const tm_reading_feature *like_find(const like_index *index, const tm_reading_feature *feature,
                                    size_t hint);

/* The columns that are searched for the other file's response. */
typedef struct like_columns {
    input *in; /* for messages */
    size_t count;
    bool named;
    bool (*is_called)(const void *of, size_t place, const char *name);
    const void *of;
} like_columns;

typedef enum like_place {
    LIKE_UNKNOWN, /* not known from the other file */
    LIKE_COLUMN,
    LIKE_NONE, /* there is no response, and none is required */
} like_place;

/* Finds the response: by name if both files have names, otherwise by the number of columns. */
tm_status like_response(like_place *out, size_t *place, const read_request *request,
                        const like_columns *columns);

#endif
