/* Probabilities of the class +1 from a model's predictions.
 *
 * The logistic loss gives them directly: 1 / (1 + exp(-z)), apart from the shrinkage of z by the
 * penalty. Scores of other losses are not probabilities, and are calibrated on labelled rows by
 * Platt's sigmoid (1999) on request. */
#ifndef TAMIS_PROBABILITY_H
#define TAMIS_PROBABILITY_H

#include "tamis/model.h"

/* p = 1 / (1 + exp(-(slope z + shift))) */
typedef struct tm_sigmoid {
    double slope, shift;
} tm_sigmoid;

/* The maximum likelihood sigmoid for n scores z of rows with classes y = +-1, with Platt's
 * targets (n+ + 1) / (n+ + 2) and 1 / (n- + 2). TM_EDATA when a class has no rows or all scores
 * are equal. */
tm_status tm_sigmoid_fit(tm_sigmoid *out, const double *y, const double *z, size_t n,
                         tm_error *err);
/* The same for the model's predictions of labelled rows, which should not be its training rows. */
tm_status tm_model_calibrate(tm_sigmoid *out, const tm_model *model, const tm_dataset *data,
                             tm_error *err);
/* For a model of the logistic loss, its own sigmoid. TM_EUSAGE for other models, which must be
 * calibrated. */
tm_status tm_model_sigmoid(tm_sigmoid *out, const tm_model *model, tm_error *err);
double tm_sigmoid_value(const tm_sigmoid *sigmoid, double z);

#endif
