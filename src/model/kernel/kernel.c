#include "model/kernel/kernel.h"

#include "base/numeric/exp_log.h"

const tm_choice kernel_choices[KERNEL_KINDS + 1] = {
    {"linear", "x'y: weights of the features"},
    {"rbf", "exp(-gamma |x - y|^2)"},
    {"poly", "(gamma x'y + coef0)^degree"},
    {NULL, NULL},
};

const char *kernel_name(kernel_kind kind)
{
    return kernel_choices[kind].name;
}

bool kernel_find(kernel_kind *kind, const char *name)
{
    for (int k = 0; k < KERNEL_KINDS; k++)
        if (strcmp(kernel_choices[k].name, name) == 0) {
            *kind = (kernel_kind)k;
            return true;
        }
    return false;
}

bool kernel_is_valid(const kernel *k)
{
    bool scaled = k->gamma > 0 && isfinite(k->gamma);
    switch (k->kind) {
    case KERNEL_RBF:
        return scaled;
    case KERNEL_POLY:
        return scaled && k->coef0 >= 0 && isfinite(k->coef0) && k->degree >= 1;
    default:
        return true;
    }
}

static double power(double base, int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2)
            result *= base;
    return result;
}

PER_MACHINE
static void gaussian_values(double gamma, double square, const double *restrict squares,
                            size_t count, double *restrict values)
{
    for (size_t i = 0; i < count; i++) {
        double distance = square + squares[i] - 2 * values[i];
        values[i] = exp_negative(-gamma * (distance > 0 ? distance : 0));
    }
}

void kernel_values(const kernel *k, double square, const double *squares, size_t count,
                   double *values)
{
    if (k->kind == KERNEL_RBF)
        gaussian_values(k->gamma, square, squares, count, values);
    else if (k->kind == KERNEL_POLY)
        for (size_t i = 0; i < count; i++)
            values[i] = power(k->gamma * values[i] + k->coef0, k->degree);
}

double kernel_self(const kernel *k, double square)
{
    double value = square;
    kernel_values(k, square, &square, 1, &value);
    return value;
}
