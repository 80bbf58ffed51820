/* Sums whose rounding error does not grow with the number of terms: what each addition loses is
 * kept (Knuth). Over many rows with nearly equal terms a plain sum loses about n times the unit
 * roundoff in one direction. */
#ifndef BASE_NUMERIC_KEPT_SUM_H
#define BASE_NUMERIC_KEPT_SUM_H

#include <math.h>

/* Zeros at first. */
typedef struct kept_sum {
    double sum, lost;
} kept_sum;

static inline void kept_add(kept_sum *s, double v)
{
    double next = s->sum + v, added = next - s->sum;
    s->lost += (s->sum - (next - added)) + (v - added);
    s->sum = next;
}

/* Of terms that are infinite, what their plain sum is. */
static inline double kept_total(const kept_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

#endif
