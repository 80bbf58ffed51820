/* Output for the writers: a buffer, the compression implied by the name, and a file that gets its
 * name only when all of it has been written.
 *
 * Failures are sticky: after one, nothing more is written, and output_status reports the first. */
#ifndef DATA_WRITE_OUTPUT_H
#define DATA_WRITE_OUTPUT_H

#include "tamis/cancel.h"
#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct output output;

/* Opens `path` ("-": standard output) for an uncompressed or compressed stream, or, with `zip`, for
 * a zip archive. `err` is kept for later failures and must outlive the output; it may be NULL. */
tm_status output_open(output **out, const char *path, bool zip, tm_cancel *cancel, tm_error *err);
/* Starts the next member of a zip archive, `size` bytes long. */
void output_member(output *out, const char *name, uint64_t size);

void output_bytes(output *out, const void *bytes, size_t size);
void output_text(output *out, const char *text);
/* The fewest digits that read back as the same double, with a decimal point in every locale. */
void output_real(output *out, double value);
void output_count(output *out, uint64_t value);

/* The first failure, or TM_OK. */
tm_status output_status(const output *out);
/* Reports that memory ran out for `what`. */
tm_status output_fail_memory(output *out, const char *what);
/* Flushes the buffer and closes the file, which keeps its temporary name. */
tm_status output_finish(output *out);
/* To be called after output_finish: gives the file its final name. */
tm_status output_commit(output *out);
/* Frees the output; a file that was not committed is removed. NULL is allowed. */
void output_close(output *out);

#endif
