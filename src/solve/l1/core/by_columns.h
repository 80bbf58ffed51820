/* The squared loss's problem on the active set, solved by passes over its columns. */
#ifndef SOLVE_L1_CORE_BY_COLUMNS_H
#define SOLVE_L1_CORE_BY_COLUMNS_H

#include "solve/l1/core/state.h"

/* Whether that is expected to cost less than the set's Gram matrix and its factor, as with many
 * short columns. False with limits and unpenalised features. */
bool l1_columns_pay(const l1_state *s);

/* Solves to a gap on the set of at most `goal`, by epochs and by Newton steps with fixed signs. The
 * residual is that of the weights afterwards. *exceeded: it has cost several times what the Gram
 * matrix was expected to, or rounding is the limit. TM_ENOMEM. */
tm_status l1_by_columns(l1_state *s, double goal, bool *exceeded, solve_progress *progress,
                        tm_error *err);

#endif
