/* De-biasing: a penalty that selects features also shrinks their weights, so that the selected
 * features are retrained with only an l2 penalty (FGM 5.3). The answer's certificate is that of
 * this second problem, over the selected features. */
#ifndef TAMIS_DEBIAS_H
#define TAMIS_DEBIAS_H

#include "tamis/cancel.h"
#include "tamis/certificate.h"
#include "tamis/model.h"
#include "tamis/params.h"

/* Values of tm_debias_options.loss, for parameters; terminated by {NULL, NULL}. */
extern const tm_choice tm_debias_losses[];

typedef struct tm_debias_options {
    const char *loss; /* NULL: squared for a numeric response, logistic for two classes */
    double C;         /* weight of the loss relative to |w|^2 / 2 */
    bool intercept;
    double tol;        /* the gap is at most this times the objective without features */
    tm_cancel *cancel; /* or NULL */
} tm_debias_options;

#define TM_DEBIAS_OPTIONS_INIT                                                                     \
    {                                                                                              \
        NULL, 1, true, 1e-8, NULL                                                                  \
    }

/* The model with the weights of
 *
 *     min over w, b of  1/2 |w|^2 + C sum_i s_i l(y_i, o_i + x_i'w + b)
 *
 * over the features that `model` has selected; `data` has the model's columns. *certificate (or
 * NULL) is that of this problem, computed from the data and the answer; its gap is above the
 * tolerance if rounding ended the solve. TM_EUSAGE for options out of range or other columns,
 * TM_ECANCELLED. */
tm_status tm_debias(tm_model **out, tm_certificate *certificate, const tm_model *model,
                    const tm_dataset *data, const tm_debias_options *options, tm_error *err);

#endif
