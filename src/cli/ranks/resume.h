/* `--resume`: a path goes on from the run store, also in several processes. */
#ifndef CLI_RANKS_RESUME_H
#define CLI_RANKS_RESUME_H

#include "cli/common/record.h"
#include "cli/ranks/comm.h"
#include "run/store/resume.h"

/* Finds in the record's store what there is of the spec's path (store_find_rest), and sets the
 * spec's `warm` accordingly; *rest must live until the job has been submitted, and is
 * cleared by the caller. If `comm` is open the first process finds it, and the others get it from
 * there. */
tm_status resume_find(tm_job_spec *spec, store_rest *rest, const cli_record *record,
                      const cli_comm *comm, tm_error *err);

#endif
