/* What a cell follows from, as a digest: cells of any two sweeps with equal ones have equal
 * results: to the bit, or, when they were solved together with others along a path, to the
 * tolerance. */
#ifndef RUN_PLAN_CONTENT_H
#define RUN_PLAN_CONTENT_H

#include "tamis/error.h"

#include <stddef.h>
#include <stdint.h>

enum { SWEEP_DIGEST = 32 };

typedef struct sweep_digest {
    uint8_t bytes[SWEEP_DIGEST];
} sweep_digest;

/* Digests of what cells are made of. */
typedef struct sweep_contents {
    sweep_digest *points; /* methods and their parameters, by point */
    sweep_digest *parts;  /* rows, and what is done to them, by split and variant */
} sweep_contents;

struct sweep_plan;

/* Fills the plan's contents; it has its points, its splits and its chains. */
tm_status sweep_contents_make(struct sweep_plan *plan, tm_error *err);
void sweep_contents_clear(sweep_contents *contents);
/* The digests of the task's cells, in the chain's order, into out[]. The metrics are in none: they
 * are computed from the answer. A cell's digest is of all that its chain solves before it too, as
 * its answer starts from there. */
void sweep_contents_of(const struct sweep_plan *plan, size_t task, sweep_digest *out);

#endif
