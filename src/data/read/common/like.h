/* Looks up the features of another file whose reading is applied to this one. */
#ifndef DATA_READ_COMMON_LIKE_H
#define DATA_READ_COMMON_LIKE_H

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

#endif
