#include "base/numeric/golden_section.h"

#include <math.h>

static const double RATIO = 0.6180339887498949; /* (sqrt(5) - 1) / 2 */

double golden_section_search(const golden_section *q, double *best)
{
    double low = 0, high = q->high, found = 0;
    double t1 = high - RATIO * (high - low), t2 = low + RATIO * (high - low);
    double at1 = q->value(t1, q->payload), at2 = q->value(t2, q->payload);
    for (int step = 0; step < q->steps && !isnan(at1) && !isnan(at2); step++) {
        if (fmax(at1, at2) > *best) {
            *best = fmax(at1, at2);
            found = at1 > at2 ? t1 : t2;
        }
        if (high - low <= q->width * q->high && found > 0)
            break;
        if (at1 > at2) {
            high = t2;
            t2 = t1;
            at2 = at1;
            t1 = high - RATIO * (high - low);
            at1 = q->value(t1, q->payload);
        } else {
            low = t1;
            t1 = t2;
            at1 = at2;
            t2 = low + RATIO * (high - low);
            at2 = q->value(t2, q->payload);
        }
    }
    return found;
}
