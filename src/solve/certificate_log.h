/* The certificate of a solve in the screen log. */
#ifndef SOLVE_CERTIFICATE_LOG_H
#define SOLVE_CERTIFICATE_LOG_H

#include "model/certificate/certificate.h"
#include "solve/common/progress.h"

/* Every feature at the answer's dual point: the final check of what screening did. `item` has been
 * certified with `visited` features, `active` of which the solver works on; its dual variables are
 * the log's (screen_log_vector), or NULL. Products that the certificate has left as estimates are
 * computed for the log alone, which is a witness: the run is the same without it. */
tm_status certificate_log(solve_progress *progress, const tm_dataset *data, size_t active,
                          const certificate_item *item, size_t visited, tm_error *err);

#endif
