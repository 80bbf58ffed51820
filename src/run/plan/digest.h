/* Digests of what determines a sweep's cells (content.c), as a plan holds them. */
#ifndef RUN_PLAN_DIGEST_H
#define RUN_PLAN_DIGEST_H

#include <stdint.h>

enum { SWEEP_DIGEST = 32 };

typedef struct sweep_digest {
    uint8_t bytes[SWEEP_DIGEST];
} sweep_digest;

/* Digests of the inputs of cells. */
typedef struct sweep_contents {
    sweep_digest *points; /* by point: method and parameters */
    sweep_digest *parts;  /* by split and variant: rows and their treatment */
} sweep_contents;

#endif
