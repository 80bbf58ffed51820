/* Looks up features by name. */
#ifndef DATA_NAME_INDEX_H
#define DATA_NAME_INDEX_H

#include "tamis/dataset.h"

typedef struct name_index {
    const tm_dataset *data;
    size_t *order; /* features sorted by name; made by the first lookup */
} name_index;

/* The feature called `name`, from 0: a name of the data, or X17 when they have none. TM_EDATA
 * when there is none or several; *why is then a text for the message, and *close a similar name
 * or NULL. */
tm_status name_index_find(name_index *index, const char *name, size_t *feature, const char **why,
                          const char **close);
void name_index_clear(name_index *index);

#endif
