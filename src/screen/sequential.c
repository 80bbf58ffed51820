#include "screen/sequential.h"

#include "screen/tuning.h"

#include <math.h>

static const double *axis_of(const screen_earlier *earlier, const screen_region *region, int axis)
{
    if (axis == AXIS_EARLIER)
        return earlier->dual;
    return axis == AXIS_NULL ? earlier->null_dual : region->extras[axis - AXIS_EXTRA];
}

void screen_combine(const screen_earlier *earlier, const screen_region *region,
                    const double weights[AXES], double *out)
{
    for (size_t i = 0; i < earlier->of->n; i++)
        out[i] = 0;
    for (int axis = 0; axis < AXES; axis++) {
        const double *from = axis_of(earlier, region, axis);
        for (size_t i = 0; weights[axis] != 0 && i < earlier->of->n; i++)
            out[i] += weights[axis] * from[i];
    }
}

dome screen_dome(const screen_earlier *earlier, const screen_region *region, double *normal_length,
                 double *vectors)
{
    size_t n = earlier->of->n;
    double *centre = vectors, *normal = vectors + n;
    screen_combine(earlier, region, region->centre, centre);
    double centre_length = sqrt(samples_inner(earlier->of, centre, centre));
    dome d = {region->radius * (1 + PRODUCT_LOST), 1, PRODUCT_LOST * centre_length};
    *normal_length = 1;
    if (!region->halved)
        return d;
    screen_combine(earlier, region, region->normal, normal);
    double length = sqrt(samples_inner(earlier->of, normal, normal));
    if (!(length > 0) || !(d.radius > 0))
        return d;
    double lost = PRODUCT_LOST * (fabs(region->offset) + length * centre_length);
    d.cut =
        (region->offset - samples_inner(earlier->of, normal, centre) + lost) / (length * d.radius);
    *normal_length = length;
    return d;
}
