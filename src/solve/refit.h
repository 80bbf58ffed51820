/* Refitting: trains a model of any method on the features selected by another, for methods whose
 * answer is only a selection. */
#ifndef SOLVE_REFIT_H
#define SOLVE_REFIT_H

#include "solve/common/progress.h"
#include "tamis/model.h"

typedef struct refit {
    const tm_method *method; /* NULL: no refitting, the model is only a selection */
    tm_params *params;       /* parameters of the method */
} refit;

/* Parses "auto", "none", or the name of a method and its parameters as words name=value; text
 * within a value is not quoted. TM_EUSAGE tells what is wrong. */
tm_status refit_read(refit *out, const char *text, const tm_dataset *data, tm_error *err);
void refit_clear(refit *r);

/* The model that predicts from the features of `chosen`, whose columns are those of `data`: trained
 * on these columns alone, each divided by its standard deviation, or the mean of the response when
 * none is chosen. Gives NULL when the method is NULL. TM_ECANCELLED. */
tm_status refit_model(tm_model **out, const refit *r, const tm_model *chosen,
                      const tm_dataset *data, const solve_progress *progress, tm_error *err);

#endif
