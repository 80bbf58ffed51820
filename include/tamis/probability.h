/* Probabilities of the class +1 from what a model predicts.
 *
 * The logistic loss has them: 1 / (1 + exp(-z)), as far as its penalty has not shrunk z. Scores of
 * other losses have none, and are calibrated on labelled rows by Platt's sigmoid (1999) when that
 * is asked for. */
#ifndef TAMIS_PROBABILITY_H
#define TAMIS_PROBABILITY_H

#include "tamis/model.h"

/* p = 1 / (1 + exp(-(slope z + shift))) */
typedef struct tm_sigmoid {
    double slope, shift;
} tm_sigmoid;

/* The sigmoid of greatest likelihood for n scores z of rows of the classes y = +-1, whose targets
 * are (n+ + 1) / (n+ + 2) and 1 / (n- + 2), as Platt has them. TM_EDATA when a class has no rows or
 * all scores are equal. */
tm_status tm_sigmoid_fit(tm_sigmoid *out, const double *y, const double *z, size_t n,
                         tm_error *err);
/* The same for the model's predictions of labelled rows, which should not be those that it was
 * fitted to. */
tm_status tm_model_calibrate(tm_sigmoid *out, const tm_model *model, const tm_dataset *data,
                             tm_error *err);
/* Of a model of the logistic loss the sigmoid that it means. TM_EUSAGE for other models, which have
 * to be calibrated. */
tm_status tm_model_sigmoid(tm_sigmoid *out, const tm_model *model, tm_error *err);
double tm_sigmoid_value(const tm_sigmoid *sigmoid, double z);

#endif
