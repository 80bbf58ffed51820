#include "base/numeric/nonzero.h"

#include "base/numeric/lanes.h"

/* Values that are skipped together where all are zero. */
enum { SKIPPED = 4 * MANY };

/* Tests many values with one comparison: the bits of a double without the sign are 0 only for +0
 * and -0. Where most values are nonzero the next one ends the search. */
PER_MACHINE size_t next_nonzero(const double *v, size_t from, size_t count)
{
    if (from < count && v[from] != 0)
        return from;
    for (; from + SKIPPED <= count; from += SKIPPED) {
        lane_bits any = {0};
        for (int k = 0; k < SKIPPED / LANES; k++)
            any |= (lane_bits)((const lanes *)(v + from))[k];
        if ((lanes_any(&any) & MAGNITUDE) != 0)
            break;
    }
    for (; from + MANY <= count; from += MANY) {
        lane_bits bits[MANY / LANES], any = {0};
        for (int k = 0; k < MANY / LANES; k++) {
            bits[k] = -((lane_bits)((const lanes *)(v + from))[k] & MAGNITUDE);
            any |= bits[k];
        }
        if (lanes_any(&any) != 0)
            return from + (size_t)__builtin_ctz(lanes_marks(bits));
    }
    while (from < count && v[from] == 0)
        from++;
    return from;
}
