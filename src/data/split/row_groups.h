/* Counts of a data set's rows by group and by class, for splits and folds that keep groups
 * together. */
#ifndef DATA_SPLIT_ROW_GROUPS_H
#define DATA_SPLIT_ROW_GROUPS_H

#include "tamis/dataset.h"

typedef struct row_groups {
    size_t groups, classes;
    size_t *group;  /* n entries: the group of each row, numbered from 0 by ascending id */
    size_t *class;  /* n entries: the class of each row, numbered from 0 by ascending response */
    size_t *counts; /* counts[g * classes + c]: rows of group g and class c */
    size_t *sizes;  /* number of rows of each group */
    size_t *totals; /* number of rows of each class */
} row_groups;

/* `ids` are n group ids, or NULL: every row is a group of its own. With `by_class` the classes are
 * the distinct values of the response, if there are few (ROW_GROUPS_CLASSES); otherwise there is
 * one. Freed by row_groups_clear, also on failure. */
enum { ROW_GROUPS_CLASSES = 256 };
tm_status row_groups_find(row_groups *out, const tm_dataset *data, const size_t *ids, bool by_class,
                          tm_error *err);
void row_groups_clear(row_groups *found);

/* The groups by descending size, equal ones in random order: `order` has space for all. False when
 * memory ran out. */
bool row_groups_order(const row_groups *found, size_t *order, tm_rng *rng);

#endif
