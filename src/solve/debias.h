/* De-biasing for use within solvers, which count its cost. */
#ifndef SOLVE_DEBIAS_H
#define SOLVE_DEBIAS_H

#include "solve/common/progress.h"

#include "tamis/debias.h"

/* tm_debias with the caller's counters and cancel token; `certificate` must not be NULL. */
tm_status debias_with(tm_model **out, tm_certificate *certificate, const tm_model *model,
                      const tm_dataset *data, const tm_debias_options *options,
                      solve_progress *progress, tm_error *err);

#endif
