#include "tamis/rng.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* splitmix64: expands any seed, including 0, to the whole state. */
static uint64_t spread(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void tm_rng_seed(tm_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->state[i] = spread(&seed);
    rng->spare = 0;
    rng->has_spare = 0;
}

uint64_t tm_rng_next(tm_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double tm_rng_uniform(tm_rng *rng)
{
    return (double)(tm_rng_next(rng) >> 11) * 0x1.0p-53;
}

double tm_rng_range(tm_rng *rng, double low, double high)
{
    return low + (high - low) * tm_rng_uniform(rng);
}

size_t tm_rng_below(tm_rng *rng, size_t bound)
{
    /* Values at the upper end, which would favour small remainders, are rejected. */
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do
        value = tm_rng_next(rng);
    while (value >= limit);
    return (size_t)(value % bound);
}

double tm_rng_normal(tm_rng *rng)
{
    if (rng->has_spare) {
        rng->has_spare = 0;
        return rng->spare;
    }
    /* Marsaglia's polar method: a point of the unit disc gives two independent normals. */
    double u, v, s;
    do {
        u = tm_rng_range(rng, -1, 1);
        v = tm_rng_range(rng, -1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    double scale = sqrt(-2 * log(s) / s);
    rng->spare = v * scale;
    rng->has_spare = 1;
    return u * scale;
}

void tm_rng_permutation(tm_rng *rng, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t j = tm_rng_below(rng, i);
        size_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}
