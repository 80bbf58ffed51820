/* Multiple instances: rows that belong to bags, and the embedding that makes a row of each bag (001
 * section 7, MILES).
 *
 *     feature k of bag i:  s(x^k, B_i) = max exp(-|x - x^k|^2 / (2 sigma^2)) over the bag's rows x
 *
 * x^k are the rows of a data set of concepts, usually the training instances themselves. */
#ifndef TAMIS_BAGS_H
#define TAMIS_BAGS_H

#include "tamis/dataset.h"

typedef struct tm_bags {
    size_t count; /* bags, numbered in the order of their first row */
    size_t *of;   /* n: the bag of each row */
    char *column; /* what told them; NULL: a file or a list */
} tm_bags;

#define TM_BAGS_INIT                                                                               \
    {                                                                                              \
        0, NULL, NULL                                                                              \
    }

/* From one identifier a row. TM_ENOMEM. */
tm_status tm_bags_from_ids(tm_bags *out, const double *ids, size_t n, tm_error *err);
/* From a file of one identifier (any text) a line; TM_EDATA when there are not n of them. */
tm_status tm_bags_read(tm_bags *out, const char *path, size_t n, tm_error *err);
void tm_bags_clear(tm_bags *bags);

/* The bags that column `column` (a name, or its number from 1) tells, and in *rest the data without
 * it; "qid" where no column is called so, or the column that was read as ids: those that
 * tm_dataset_qids tells, and *rest is all of the data. */
tm_status tm_bags_from_column(tm_bags *out, tm_dataset **rest, const tm_dataset *data,
                              const char *column, tm_error *err);

/* A row for each bag, a feature for each row of `concepts` (with as many columns as `data`, or
 * fewer: the others are zero there). A bag of two classes is +1 when one of its rows is; other
 * responses must be the same in all rows of a bag: TM_EDATA otherwise. sigma > 0. Dense: count x
 * rows of concepts. */
tm_status tm_dataset_miles(tm_dataset **out, const tm_dataset *data, const tm_bags *bags,
                           const tm_dataset *concepts, double sigma, tm_error *err);

#endif
