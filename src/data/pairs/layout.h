/* Pairs of samples as rows: for each block of samples the pairs (i, j) with i <= j, row by row of
 * the upper triangle of the block's matrix. Off-diagonal values are stored times sqrt(2), so that
 * inner products of columns equal those of the full symmetric matrices. */
#ifndef DATA_PAIRS_LAYOUT_H
#define DATA_PAIRS_LAYOUT_H

#include "tamis/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct pair_layout {
    size_t n, blocks, rows; /* number of samples, of blocks, and of pairs */
    size_t *order;          /* n: samples, block by block */
    size_t *starts;         /* blocks + 1: indices into `order` */
} pair_layout;

/* Blocks of `block` samples, the last one enlarged by the remainder, assigned at random by the
 * seed; 0, or n and more: one block in the samples' order. TM_EUSAGE when VECTORS vectors over the
 * pairs do not fit in the machine's memory. */
tm_status pair_layout_make(pair_layout *out, size_t n, size_t block, uint64_t seed, tm_error *err);
void pair_layout_clear(pair_layout *layout);

static inline size_t pair_count(size_t samples)
{
    return samples * (samples + 1) / 2;
}

static const double PAIR_SCALE = 1.4142135623730951; /* sqrt(2) */

/* Centres one block's triangle, of m samples with unit weights: H K H with H = I - 1 1'/m, each
 * value then times `scale`. `sums` are the row sums of K; they become its row means. */
void pair_centre(double *triangle, size_t m, double *sums, double scale);
/* Divides the sums of m rows by m; returns the mean of all. */
double pair_means(double *sums, size_t m);

#endif
