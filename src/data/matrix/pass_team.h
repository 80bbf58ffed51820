/* Which passes over columns threads share. */
#ifndef DATA_MATRIX_PASS_TEAM_H
#define DATA_MATRIX_PASS_TEAM_H

#include "base/threads/team.h"
#include "data/matrix/tuning.h"
#include "tamis/matrix.h"

/* The team for `columns` products with columns of x that have `entries` entries together; NULL, the
 * caller alone, where that takes too little time for a second thread to repay its waking. Products
 * have the same bits on any number of threads, so that this changes none. */
static inline thread_team *pass_team(const tm_matrix *x, size_t columns, uint64_t entries,
                                     thread_team *team)
{
    uint64_t work = entries;
    if (tm_matrix_is_sparse(x))
        work = SPARSE_ENTRY * entries + SPARSE_COLUMN * (uint64_t)columns;
    return work < PASS_SHARE_FROM ? NULL : team;
}

#endif
