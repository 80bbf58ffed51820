/* Bags of rows, for the reader. */
#ifndef DATA_BAGS_BAGS_H
#define DATA_BAGS_BAGS_H

#include "tamis/bags.h"

/* Puts rows with equal names, n of them, into one bag. */
tm_status bags_from_names(tm_bags *out, char *const *names, size_t n, tm_error *err);

#endif
