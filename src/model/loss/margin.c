#include "model/loss/margin.h"

#include "model/loss/losses.h"

#include <math.h>
#include <string.h>

static double hinge_value(double y, double z)
{
    return fmax(0, 1 - y * z);
}

static double hinge_slope(double y, double z)
{
    return y * z < 1 ? -y : 0;
}

static double hinge_dual(double y, double a)
{
    return y * a;
}

margin_loss margin_loss_of(const char *id)
{
    if (strcmp(id, "hinge") == 0)
        return (margin_loss){hinge_value, hinge_slope, hinge_dual};
    const loss *l = &loss_logistic;
    return (margin_loss){l->value, l->slope, l->dual};
}
