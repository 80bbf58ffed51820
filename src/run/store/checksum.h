/* Checksums of the rows that sweeps record. */
#ifndef RUN_STORE_CHECKSUM_H
#define RUN_STORE_CHECKSUM_H

#include "run/plan/digest.h"
#include "tamis/sweep_table.h"

#include <stdint.h>

/* The checksum of a result; `scores` is the stored text. */
int64_t store_result_sum(size_t config, size_t split, const tm_sweep_cell *cell,
                         const char *scores);
/* The checksum of an answer; `model` is its text, or NULL. */
int64_t store_answer_sum(const sweep_digest *content, const char *metrics, double lambda_max,
                         const char *model);
/* The checksum of what is kept of a cell. */
int64_t store_kept_sum(size_t config, size_t split, const void *bytes, size_t size);
/* The checksum of a chain's mark; `model` is its text, or NULL. */
int64_t store_mark_sum(size_t task, size_t cells, double lambda_max, const char *model);

#endif
