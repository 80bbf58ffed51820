/* Numbers that decide how fast kernels are summed, and never what the sums are up to their order.
 * Exercised by the tuning part's problems of "samples"; scripts/bench tuning tells what half and
 * twice of each moves (docs/benchmarks.md). */
#ifndef MODEL_KERNEL_TUNING_H
#define MODEL_KERNEL_TUNING_H

/* Rows of each side in one product of dense blocks: both stay in the cache. */
enum { SUM_BLOCK = 64 };

#endif
