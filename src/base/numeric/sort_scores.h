/* Sorts pairs of a number and a payload by the number. */
#ifndef BASE_NUMERIC_SORT_SCORES_H
#define BASE_NUMERIC_SORT_SCORES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scored {
    double score, of;
} scored;

/* Sorts by descending score; the order of equal ones is unspecified, and -0 equals 0. No score may
 * be NaN. False, with nothing changed, when memory for a copy ran out. */
bool sort_scores(scored *list, size_t count);

#endif
