/* The certificate of a solve, as a step of the screen log. */
#ifndef SOLVE_CERTIFICATE_LOG_H
#define SOLVE_CERTIFICATE_LOG_H

#include "model/certificate/certificate.h"
#include "solve/common/progress.h"

/* Logs every feature at the answer's dual point: the final check of what screening did. `item` has
 * been certified with `visited` features, `active` of which are in the solver's working set; its
 * dual variables belong to the log (screen_log_vector) or are NULL. Products that the certificate
 * left as estimates are computed for the log alone, so that logging does not change the run. */
tm_status certificate_log(solve_progress *progress, const tm_dataset *data, size_t active,
                          const certificate_item *item, size_t visited, tm_error *err);

#endif
