#include "base/numeric/order.h"

static int compare_reals(double x, double y)
{
    return (x > y) - (x < y);
}

static int compare_sizes(size_t x, size_t y)
{
    return (x > y) - (x < y);
}

int order_reals(const void *a, const void *b)
{
    return compare_reals(*(const double *)a, *(const double *)b);
}

int order_reals_descending(const void *a, const void *b)
{
    return compare_reals(*(const double *)b, *(const double *)a);
}

int order_sizes(const void *a, const void *b)
{
    return compare_sizes(*(const size_t *)a, *(const size_t *)b);
}

int order_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int order = compare_reals(x->value, y->value);
    return order ? order : compare_sizes(x->place, y->place);
}

int order_ranked_descending(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int order = compare_reals(y->value, x->value);
    return order ? order : compare_sizes(x->place, y->place);
}
