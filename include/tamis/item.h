/* The kinds of items that runs screen: one row of a table each. `active` and `screened` of the
 * events and solutions of a method that has no other count, and the records of a screen log
 * (tm_screen_log_item), refer to items of one kind. */
#ifndef TAMIS_ITEM_H
#define TAMIS_ITEM_H

typedef enum tm_item {
    TM_ITEM_FEATURE,
    TM_ITEM_SAMPLE,
    TM_ITEM_GROUP, /* of features */
    TM_ITEM_EDGE,  /* between two features: a term of a graph's penalty */
    TM_ITEM_TERM,  /* of |D w|_1 that is not an edge; a log of edges and features */
    TM_ITEM_TREE,  /* the level of a tree, which has no penalty */
    TM_ITEMS,
} tm_item;

/* How items of a kind are spoken of. The sentences follow the name of an item. */
typedef struct tm_item_info {
    const char *name, *plural;
    const char *bound;              /* the quantity whose upper bound a record has */
    const char *reaches;            /* the items at which it reaches 1 */
    const char *follows;            /* what holds for those at which it does not */
    const char *holds;              /* what holds for those at their limit */
    const char *excluded;           /* what a bound below 1 over a ball proves */
    const char *open;               /* what a bound of at least 1 over a ball leaves open */
    const char *limit;              /* what TM_SCREEN_AT_LIMIT proves */
    const char *at_zero, *at_limit; /* what a list calls excluded items and those at the limit */
} tm_item_info;

/* "feature", "features", ... */
const char *tm_item_name(tm_item item);
const char *tm_item_plural(tm_item item);
const tm_item_info *tm_item_find(tm_item item);

#endif
