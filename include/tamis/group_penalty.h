/* The penalty of the group lasso, Omega(v) = sum_g f_g |v_g|_2 (FGM section 2.2).
 *
 * Each group has its own values for its features, one for each member, and a feature's weight is
 * the sum of its values: where groups overlap this duplicates the shared features (FGM section
 * 2.3), otherwise the value is the weight itself. `nested` groups, which form a tree, share the
 * values instead: Omega(w) = sum_g f_g |w_g|_2 over all groups of the tree, so that the features of
 * a group leave the model together with its whole subtree. Groups that are contained in no other
 * are called blocks. */
#ifndef TAMIS_GROUP_PENALTY_H
#define TAMIS_GROUP_PENALTY_H

#include "tamis/groups.h"

typedef struct tm_group_penalty tm_group_penalty;

/* f_g is the weight given with the group, else the square root of its size (`by_size`) or 1. The
 * groups are copied. TM_EUSAGE when `nested` is requested for groups that are not a tree. */
tm_status tm_group_penalty_new(tm_group_penalty **out, const tm_groups *groups, bool by_size,
                               bool nested, tm_error *err);
void tm_group_penalty_free(tm_group_penalty *penalty);

size_t tm_group_penalty_blocks(const tm_group_penalty *penalty);
/* The total number of values: the length of v. Without overlaps each feature in a group has one, in
 * the order of tm_group_penalty_features. */
size_t tm_group_penalty_members(const tm_group_penalty *penalty);
/* The feature of each value. */
const size_t *tm_group_penalty_features(const tm_group_penalty *penalty);
/* Computes w_j, the sum of the feature's values; p of them, 0 for features in no group. */
void tm_group_penalty_weights(const tm_group_penalty *penalty, const double *v, double *w);

#endif
