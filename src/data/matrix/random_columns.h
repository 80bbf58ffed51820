/* Random columns, each drawn from a stream of its own: column j is the same whatever the number of
 * columns, and may be drawn by any thread, again and again. */
#ifndef DATA_MATRIX_RANDOM_COLUMNS_H
#define DATA_MATRIX_RANDOM_COLUMNS_H

#include "tamis/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum column_law {
    LAW_NORMAL,  /* N(0, 1) */
    LAW_UNIFORM, /* in [-10, 10) */
    LAW_SIGN,    /* -1 or 1 */
    LAW_BIT,     /* 0 or 1 */
} column_law;

typedef struct random_columns {
    size_t n, p;
    uint64_t seed;
    bool test; /* other rows for the same seed: a test set with the same truth */
    column_law law;
    double density; /* share of the entries that are kept, the others are 0; 0: all */
} random_columns;

/* A column as a stream of values. */
typedef struct random_column {
    tm_rng rng;
    column_law law;
    double density;
    tm_rng choice; /* which entries are kept */
} random_column;
void random_column_begin(random_column *stream, const random_columns *columns, size_t j);
void random_column_draw(random_column *stream, double *out, size_t count);
/* Column j: n values. */
void random_columns_draw(const random_columns *columns, size_t j, double *out);
/* A stream for everything else that the seed decides. That of the truth is the same for both parts,
 * that of the noise is not. */
typedef enum random_use { RANDOM_TRUTH, RANDOM_NOISE } random_use;
void random_stream(tm_rng *rng, const random_columns *columns, random_use use);
#endif
