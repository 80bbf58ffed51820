/* Whether a loss can be used with a data set's response. */
#ifndef SOLVE_COMMON_RESPONSE_H
#define SOLVE_COMMON_RESPONSE_H

#include "model/loss/loss.h"
#include "tamis/dataset.h"

/* TM_EDATA when the loss needs two classes and the response does not have exactly two. */
tm_status response_check(const tm_dataset *data, const loss *l, tm_error *err);

#endif
