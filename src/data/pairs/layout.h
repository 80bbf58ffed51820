/* Pairs of samples as rows: of each block of samples the pairs (i, j) with i <= j, row after row of
 * the upper triangle of the block's matrix. Values off the diagonal are stored times sqrt(2), so
 * that inner products of rows are those of the whole symmetric matrices. */
#ifndef DATA_PAIRS_LAYOUT_H
#define DATA_PAIRS_LAYOUT_H

#include "tamis/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct pair_layout {
    size_t n, blocks, rows; /* samples, blocks of them, pairs */
    size_t *order;          /* n: samples, block after block */
    size_t *starts;         /* blocks + 1: places in `order` */
} pair_layout;

/* Blocks of `block` samples, the last one longer by what is left, dealt out at random by the seed;
 * 0, or n and more: one block in the samples' order. TM_EUSAGE when there are so many pairs that
 * this machine's memory has no room for some vectors of them. */
tm_status pair_layout_make(pair_layout *out, size_t n, size_t block, uint64_t seed, tm_error *err);
void pair_layout_clear(pair_layout *layout);

static inline size_t pair_count(size_t samples)
{
    return samples * (samples + 1) / 2;
}

static const double PAIR_SCALE = 1.4142135623730951; /* sqrt(2) */

/* Turns one block's triangle, of m samples with unit weights, into the centred one: H K H with H =
 * I - 1 1'/m, each value then times `scale`. `sums` are the row sums of K. */
void pair_centre(double *triangle, size_t m, const double *sums, double scale);

#endif
