/* The inputs of scores over all rows, where several processes have some each. */
#ifndef MODEL_METRIC_JUDGED_H
#define MODEL_METRIC_JUDGED_H

#include "tamis/metric.h"

typedef struct judged {
    size_t n;
    double *y, *z; /* n each, in one allocation, which is freed with y */
} judged;

/* The response of `data` in the model's coding and its predictions, of the rows of all processes if
 * there are several. TM_EDATA as for tm_model_score, in all of them. Clear it with free(out->y). */
tm_status judge_all(judged *out, const tm_model *model, const tm_dataset *data, tm_error *err);

#endif
