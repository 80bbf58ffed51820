/* Groups of features, with a weight for each group.
 *
 * Groups may be disjoint, overlap, or form a tree: any two are disjoint, or one contains the other
 * (FGM definition 1, whose groups also cover all features; here those in no group are allowed).
 * Immutable and reference counted; threads share them without locks.
 *
 * As a parameter (see tm_groups_parse) groups are text:
 *     10                    consecutive groups of 10 features, the last one of what is left
 *     genes.groups          a file, one group a line
 *     [1-3; 4 5 weight=2]   the lines of such a file, with ";" between them
 * A line lists features separated by blanks or commas: numbers from 1, ranges like 7-12, or names.
 * Text in double quotes is a name (quotes in it are doubled), even if it looks like a number. The
 * line may also contain weight=W (positive), name=N and parent=N: all features of a group also
 * belong to its parent, so that the upper groups of a tree need not list them. "#" starts a
 * comment. */
#ifndef TAMIS_GROUPS_H
#define TAMIS_GROUPS_H

#include "tamis/dataset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tm_groups tm_groups;

#define TM_NO_GROUP SIZE_MAX

/* Groups of features 0 .. size-1, size .. 2 size-1, ... of p; the last group may be smaller.
 * TM_EUSAGE when size is 0. */
tm_status tm_groups_consecutive(tm_groups **out, size_t p, size_t size, tm_error *err);
/* Group g contains features[starts[g] .. starts[g+1]-1], from 0, in any order; starts has count + 1
 * entries. weights: `count` positive values, or NaN for none; or NULL. The arrays are copied.
 * TM_EDATA for an empty group, a feature out of range, or one listed twice in a group. */
tm_status tm_groups_new(tm_groups **out, size_t p, size_t count, const size_t *starts,
                        const size_t *features, const double *weights, tm_error *err);
/* Parses the parameter's text, see above. `data` gives the number of features and their names.
 * TM_EUSAGE, or TM_EDATA with file, line and column. */
tm_status tm_groups_parse(tm_groups **out, const char *text, const tm_dataset *data, tm_error *err);
/* A file, plain or compressed; "-" is standard input. */
tm_status tm_groups_read(tm_groups **out, const char *path, const tm_dataset *data, tm_error *err);

tm_groups *tm_groups_ref(const tm_groups *groups);
void tm_groups_unref(tm_groups *groups);

size_t tm_groups_features(const tm_groups *groups); /* p */
size_t tm_groups_count(const tm_groups *groups);
/* The *count features of group g, ascending; a pointer into the groups. */
const size_t *tm_groups_members(const tm_groups *groups, size_t g, size_t *count);
/* The groups that feature j belongs to, ascending; *count may be 0. */
const size_t *tm_groups_of(const tm_groups *groups, size_t j, size_t *count);
/* The weight given for group g, or `fallback` when there is none. */
double tm_groups_weight(const tm_groups *groups, size_t g, double fallback);
const char *tm_groups_name(const tm_groups *groups, size_t g); /* or NULL */
bool tm_groups_overlap(const tm_groups *groups);               /* two groups share a feature */
bool tm_groups_is_tree(const tm_groups *groups); /* also true for groups that do not overlap */
bool tm_groups_cover(const tm_groups *groups);   /* every feature is in a group */
/* In a tree the smallest group that contains group g (among equal ones a later one); TM_NO_GROUP at
 * the top, and when the groups are not a tree. */
size_t tm_groups_parent(const tm_groups *groups, size_t g);

#endif
