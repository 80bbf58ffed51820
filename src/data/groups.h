/* The internals of tm_groups, for the reader. */
#ifndef DATA_GROUPS_H
#define DATA_GROUPS_H

#include "tamis/groups.h"

#include <stdatomic.h>

struct tm_groups {
    atomic_size_t references;
    size_t p, count;
    size_t *starts;                /* count + 1 */
    size_t *features;              /* of group g, ascending, at starts[g] .. starts[g+1]-1 */
    double *weights;               /* count, NaN: not given; or NULL */
    char **names;                  /* count, entries may be NULL; or NULL */
    size_t *of_starts, *of_groups; /* the inverse: the groups of each feature */
    size_t *parents;               /* count; NULL unless the groups are a tree */
    bool overlap, cover;
};

/* Lists of features by group, during construction. */
typedef struct groups_parts {
    size_t p, count;
    size_t *starts, *features;
    double *weights;
    char **names;
} groups_parts;

void groups_parts_clear(groups_parts *parts);
/* Makes groups from the lists; takes ownership of their arrays, also on failure. */
tm_status groups_from_parts(tm_groups **out, groups_parts *parts, tm_error *err);

#endif
