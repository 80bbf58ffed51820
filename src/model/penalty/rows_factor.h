/* The QR factorisation of D' with pivots, for a matrix D whose rows are not edges: its rank, the
 * weights w with D w = 0, and solutions v of D'v = q. Unlike products with D'D it does not square
 * the condition of D, which for differences of order k grows with the k-th power of their number.
 */
#ifndef MODEL_PENALTY_ROWS_FACTOR_H
#define MODEL_PENALTY_ROWS_FACTOR_H

#include "tamis/graph.h"

#include <stdbool.h>

typedef struct rows_factor rows_factor;

/* Whether D has few enough rows and columns to be processed as a dense matrix. */
bool rows_factor_fits(const tm_graph *graph);
/* NULL when memory ran out. The graph must outlive it. */
rows_factor *rows_factor_new(const tm_graph *graph);
void rows_factor_free(rows_factor *f);

/* The dimension of the weights w with D w = 0. */
size_t rows_factor_null_count(const rows_factor *f);
/* A basis of them, orthonormal up to rounding: p x count, column-major; NULL when memory ran out.
 */
double *rows_factor_null_space(const rows_factor *f);
/* Adds to v (one value for each term) a solution of D'v = rest, whose p values are overwritten. */
void rows_factor_solve(const rows_factor *f, double *rest, double *v);

#endif
