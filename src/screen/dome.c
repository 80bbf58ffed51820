#include "screen/dome.h"

#include "screen/tuning.h"

#include <math.h>

/* Three cases (docs/screening.md). The ball's own furthest point, c + radius x/|x|, when it lies in
 * the half-space (VI theorem 3.7); otherwise a point on the rim, where ball and plane meet
 * (theorem 3.9), of which x parallel to g is the limit (theorem 3.5). */
double dome_greatest(const dome *d, double xc, double xg, double norm)
{
    double extent = norm;
    if (xg > norm * d->cut) {
        double cut = fmax(d->cut, -1);
        double across = fmax((norm - xg) * (norm + xg), 0) + ACROSS_LOST * norm * norm;
        extent = fmin(cut * xg + sqrt(across * (1 - cut) * (1 + cut)), norm);
    }
    return xc + d->radius * (extent + ACROSS_LOST * norm) + d->margin * norm;
}

double dome_greatest_absolute(const dome *d, double xc, double xg, double norm)
{
    return fmax(dome_greatest(d, xc, xg, norm), dome_greatest(d, -xc, -xg, norm));
}
