/* What is done to data before a method sees them, learnt from the training rows alone and then
 * applied to those that are scored on as it stands: columns chosen one by one, columns scaled, rows
 * added. Done to all rows before they are split, a choice that looks at the response (or a scale)
 * would know the rows it is later judged by. */
#ifndef TAMIS_PREPARE_H
#define TAMIS_PREPARE_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/params.h"

/* By what a column is judged on its own. */
typedef enum tm_filter {
    TM_FILTER_CORRELATION, /* |correlation with the response| */
    TM_FILTER_T,           /* |Welch's t| between two classes */
    TM_FILTER_AUC,         /* |area under its ROC curve - 1/2|, two classes */
    TM_FILTER_VARIANCE,    /* its variance: the response is not looked at */
} tm_filter;

extern const tm_choice tm_filters[];  /* by that enum, ended by {NULL, NULL} */
extern const tm_choice tm_scalings[]; /* by tm_scaling, likewise */

/* p scores, each at least 0 and infinite at most; 0 for constant columns. Every row counts once.
 * TM_EUSAGE: the filter needs two classes; TM_ECANCELLED: `cancel` (or NULL) was set. */
tm_status tm_filter_scores(double *scores, const tm_dataset *data, tm_filter by, tm_cancel *cancel,
                           tm_error *err);
/* The `keep` columns with the greatest scores on `like` (NULL: on the data themselves), in their
 * order; of equal ones the first. All, when there are no more. A view of columns. */
tm_status tm_dataset_filter(tm_dataset **out, const tm_dataset *data, tm_filter by, size_t keep,
                            const tm_dataset *like, tm_cancel *cancel, tm_error *err);

/* The parameters `scale` (none or a scaling), `filter` (none or a filter), `keep`, and `rows`, the
 * share of the training rows that is left (tm_dataset_thin) before tm_prepare sees them. */
const tm_param_info *tm_prepare_params(size_t *count);
/* First the rows of `append` (or NULL) are added to the training rows, then columns are chosen,
 * then scaled, as the parameters say. `test` may be NULL, and then *test_out is. Both are the
 * caller's, and none is made on failure. */
tm_status tm_prepare(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *train,
                     const tm_dataset *test, const tm_params *params, const tm_dataset *append,
                     tm_error *err);

#endif
