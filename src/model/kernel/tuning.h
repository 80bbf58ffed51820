/* Constants that affect how fast kernels are summed; they change the sums only through the order of
 * summation. Exercised by the tuning part's problems of "samples"; scripts/bench tuning measures
 * the effect of halving and doubling each (docs/benchmarks.md). */
#ifndef MODEL_KERNEL_TUNING_H
#define MODEL_KERNEL_TUNING_H

/* Share of nonzeros from which sparse rows are stored as dense ones, which then take at most 1.7
 * times the memory: on the digits (half of whose cells are zero) `svm` takes three quarters of the
 * time. Less: more memory, and zeros are multiplied. */
static const double DENSE_SHARE = 0.4;
/* Rows of each operand in one product of dense blocks: both fit in the cache. */
enum { SUM_BLOCK = 64 };

#endif
