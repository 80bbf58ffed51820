/* The parts of the implementation of tm_dataset_split. */
#ifndef DATA_SPLIT_SPLIT_H
#define DATA_SPLIT_SPLIT_H

#include "tamis/dataset.h"

/* Puts the rows whose mark is 0 into *train_out and the others into *test_out, in their original
 * order; both are NULL on failure. */
tm_status split_by_marks(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                         const unsigned char *in_test, tm_error *err);

/* tm_dataset_split with groups. */
tm_status split_groups(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                       const tm_split *how, tm_error *err);

#endif
