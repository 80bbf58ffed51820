/* Multiple-instance learning: rows that belong to bags, and the embedding that turns each bag into
 * a row (001 section 7, MILES).
 *
 *     feature k of bag i:  s(x^k, B_i) = max exp(-|x - x^k|^2 / (2 sigma^2)) over the bag's rows x
 *
 * x^k are the rows of a data set of concepts, usually the training instances themselves. */
#ifndef TAMIS_BAGS_H
#define TAMIS_BAGS_H

#include "tamis/dataset.h"

typedef struct tm_bags {
    size_t count; /* number of bags, numbered in the order of their first rows */
    size_t *of;   /* n: the bag of each row */
    char *column; /* the column that defined them; NULL: a file or a list */
} tm_bags;

#define TM_BAGS_INIT                                                                               \
    {                                                                                              \
        0, NULL, NULL                                                                              \
    }

/* Makes bags from one identifier for each row. TM_ENOMEM. */
tm_status tm_bags_from_ids(tm_bags *out, const double *ids, size_t n, tm_error *err);
/* Reads a file with one identifier (any text) on each line; TM_EDATA when there are not n of
 * them. */
tm_status tm_bags_read(tm_bags *out, const char *path, size_t n, tm_error *err);
void tm_bags_clear(tm_bags *bags);

/* The bags defined by column `column` (a name, or its number from 1), and in *rest the data without
 * it. "qid" (if no column has that name), or the column that was read as ids, stands for the bags
 * of tm_dataset_qids; then *rest is the whole data set. */
tm_status tm_bags_from_column(tm_bags *out, tm_dataset **rest, const tm_dataset *data,
                              const char *column, tm_error *err);

/* One row for each bag, one feature for each row of `concepts` (which has as many columns as
 * `data`, or fewer: the missing ones are zero). For two classes a bag is +1 when one of its rows
 * is; other responses must be equal in all rows of a bag, otherwise TM_EDATA. sigma > 0. The result
 * is dense: count x rows of concepts. */
tm_status tm_dataset_miles(tm_dataset **out, const tm_dataset *data, const tm_bags *bags,
                           const tm_dataset *concepts, double sigma, tm_error *err);

#endif
