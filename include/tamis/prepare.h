/* Preparation of data before a method is fitted, learnt from the training rows alone and then
 * applied unchanged to the test rows: selecting columns one by one, scaling columns, adding rows.
 * If it were done on all rows before they are split, a selection that uses the response (or a
 * scale) would use the rows it is later evaluated on. */
#ifndef TAMIS_PREPARE_H
#define TAMIS_PREPARE_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/params.h"

/* The criterion by which single columns are scored. */
typedef enum tm_filter {
    TM_FILTER_CORRELATION, /* |correlation with the response| */
    TM_FILTER_T,           /* |Welch's t| between two classes */
    TM_FILTER_AUC,         /* |area under its ROC curve - 1/2|, two classes */
    TM_FILTER_VARIANCE,    /* its variance: does not use the response */
} tm_filter;

extern const tm_choice tm_filters[];  /* indexed by this enum, terminated by {NULL, NULL} */
extern const tm_choice tm_scalings[]; /* indexed by tm_scaling, likewise */

/* p scores, nonnegative and possibly infinite; 0 for constant columns. Ignores sample weights.
 * TM_EUSAGE: the filter needs two classes; TM_ECANCELLED: `cancel` (or NULL) was set. */
tm_status tm_filter_scores(double *scores, const tm_dataset *data, tm_filter by, tm_cancel *cancel,
                           tm_error *err);
/* The `keep` columns with the greatest scores on `like` (NULL: on the data themselves), in their
 * original order; among equal ones the first. All columns when there are no more. A view of
 * columns. */
tm_status tm_dataset_filter(tm_dataset **out, const tm_dataset *data, tm_filter by, size_t keep,
                            const tm_dataset *like, tm_cancel *cancel, tm_error *err);

/* The parameters `scale` (none or a scaling), `filter` (none or a filter), `keep`, and `rows`, the
 * fraction of the training rows kept (tm_dataset_thin) before tm_prepare. */
const tm_param_info *tm_prepare_params(size_t *count);
/* Adds the rows of `append` (or NULL) to the training rows, then selects columns, then scales them,
 * as the parameters say. `test` may be NULL; *test_out is then NULL too. Both results are owned by
 * the caller; on failure there are none. */
tm_status tm_prepare(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *train,
                     const tm_dataset *test, const tm_params *params, const tm_dataset *append,
                     tm_error *err);

#endif
