/* Exponentials and logarithms without calls, for loops that the compiler vectorises. Each is within
 * a few ulp, and bitwise the same on every x86-64 machine. */
#ifndef BASE_NUMERIC_EXP_LOG_H
#define BASE_NUMERIC_EXP_LOG_H

#include "base/numeric/many.h"

/* ln 2 in two parts: products of the first with integers below 2^11 are exact. */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
static const double LOG2_E = 0x1.71547652b82fep+0;
/* Adding it rounds to an integer, which is then in the lowest bits. */
static const double ROUNDER = 0x1.8p52;
/* exp below this argument is set to 0, because it would be subnormal. */
static const double EXP_LEAST = -708;

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* exp(x) for x <= 0: 2^k exp(r), |r| <= ln(2)/2, with an error of the Taylor polynomial of
 * 5e-18. */
static inline double exp_negative(double x)
{
    double within = x > EXP_LEAST ? x : EXP_LEAST;
    double shifted = within * LOG2_E + ROUNDER, k = shifted - ROUNDER;
    double r = (within - k * LN2_HIGH) - k * LN2_LOW;
    double sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    double power = 1 + (r + r * r * sum);
    double value = of_bits(bits_of(power) + (bits_of(shifted) << 52));
    return x > EXP_LEAST ? value : 0;
}

/* log(1 + f) - f, for f in [1/sqrt(2) - 1, sqrt(2) - 1]: with s = f / (2 + f), log(1 + f) = 2
 * artanh(s) = f - s (f - 2 (s^2/3 + s^4/5 + ...)). */
static inline double log_beyond(double f)
{
    double s = f / (2 + f), q = s * s;
    double sum = 2.0 / 23;
    sum = sum * q + 2.0 / 21;
    sum = sum * q + 2.0 / 19;
    sum = sum * q + 2.0 / 17;
    sum = sum * q + 2.0 / 15;
    sum = sum * q + 2.0 / 13;
    sum = sum * q + 2.0 / 11;
    sum = sum * q + 2.0 / 9;
    sum = sum * q + 2.0 / 7;
    sum = sum * q + 2.0 / 5;
    sum = sum * q + 2.0 / 3;
    return -s * (f - q * sum);
}

/* log(1 + e) for e in [0, 1]. */
static inline double log1p_unit(double e)
{
    static const double TURN = 0.41421356237309503;
    double f = e > TURN ? (e - 1) / 2 : e;
    double high = e > TURN ? LN2_HIGH : 0, low = e > TURN ? LN2_LOW : 0;
    return high + (f + (log_beyond(f) + low));
}

/* log(x) for x > 0 that is not subnormal: x = 2^k m, m in [1/sqrt(2), sqrt(2)). */
static inline double log_of(double x)
{
    static const uint64_t ROOT_HALF = 0x3fe6a09e667f3bcd, BIAS = (uint64_t)1023 << 52;
    uint64_t raised = bits_of(x) - ROOT_HALF + BIAS, exponent = raised >> 52;
    double k = of_bits(bits_of(ROUNDER) + exponent - 1023) - ROUNDER;
    double f = of_bits(bits_of(x) - ((exponent - 1023) << 52)) - 1;
    return k * LN2_HIGH + (f + (log_beyond(f) + k * LN2_LOW));
}

#endif
