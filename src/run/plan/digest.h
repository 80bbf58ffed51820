/* Digests of what a sweep's cells follow from (content.h), as a plan holds them. */
#ifndef RUN_PLAN_DIGEST_H
#define RUN_PLAN_DIGEST_H

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

#endif
