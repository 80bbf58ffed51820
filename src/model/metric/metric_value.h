/* The formulas of the metrics; metric.c has the table of them. */
#ifndef MODEL_METRIC_METRIC_VALUE_H
#define MODEL_METRIC_METRIC_VALUE_H

#include "tamis/metric.h"

typedef double metric_value(const double *y, const double *z, size_t n,
                            const tm_metric_argument *argument);

metric_value metric_accuracy;
metric_value metric_error;
metric_value metric_precision;
metric_value metric_recall;
metric_value metric_f1;
metric_value metric_fbeta;
metric_value metric_auc;
metric_value metric_average_precision;
metric_value metric_prbep;
metric_value metric_precision_at;
metric_value metric_recall_at;
metric_value metric_log_loss;
metric_value metric_mse;
metric_value metric_mae;
metric_value metric_r2;

#endif
