/* Metrics of predictions, a table. */
#ifndef TAMIS_METRIC_H
#define TAMIS_METRIC_H

#include "tamis/model.h"

typedef struct tm_metric {
    const char *id;      /* "accuracy" */
    const char *summary; /* one line, with what ties and empty classes give */
    bool binary;         /* needs y = +-1; otherwise any numbers */
    bool greater_is_better;
    /* y and z have n >= 1 values; NaN where the metric is undefined */
    double (*value)(const double *y, const double *z, size_t n);
} tm_metric;

const tm_metric *tm_metrics(size_t *count);
/* NULL and an error naming the closest known metric when there is no such id. */
const tm_metric *tm_metric_find(const char *id, tm_error *err);
/* accuracy for two classes, r2 otherwise. */
const tm_metric *tm_metric_default(bool binary);

/* The metric of the model's predictions on `data`. TM_EDATA when it does not apply, or when the
 * labels of `data` are not those the model was trained on. */
tm_status tm_model_score(const tm_model *model, const tm_dataset *data, const tm_metric *metric,
                         double *out, tm_error *err);

#endif
