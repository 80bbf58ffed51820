/* Vectors of eight doubles, and compilation of loops for several instruction sets. */
#ifndef BASE_NUMERIC_LANES_H
#define BASE_NUMERIC_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The compiler splits it if the machine's registers are shorter. Alignment 8, since columns start
 * anywhere. */
typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));

/* One copy of each loop for each vector length; the dynamic linker selects one. Sanitizers
 * instrument the selection before they are initialised, so that their builds keep one copy. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PER_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PER_MACHINE
#endif

enum { LANES = 8, MANY = 4 * LANES };

/* The bits of eight doubles as integers. For nonnegative doubles these have the same order, with
 * NaN above all: subtracting them tests many values at once, while compilers turn comparisons into
 * scalar code. */
typedef long long lane_bits __attribute__((vector_size(64), aligned(8), may_alias));

/* All bits of a double except its sign. */
#define MAGNITUDE 0x7fffffffffffffff

static inline void lanes_drop_signs(lanes *v)
{
    *v = (lanes)((lane_bits)*v & MAGNITUDE);
}

/* The limit (> 0) minus |value| as integers: negative where |value| reaches the limit, and where
 * value is NaN. */
static inline void lanes_room(lane_bits *out, const lanes *value, const lanes *limit)
{
    *out = (lane_bits)*limit - 1 - ((lane_bits)*value & MAGNITUDE);
}

/* Whether one of MANY values is at least `limit` (> 0) without its sign, or NaN: in a loop of
 * integers, which compilers turn into the shortest code. */
static inline bool lanes_reach(const double *values, double limit)
{
    long long most, bits[MANY], any = 0;
    memcpy(&most, &limit, sizeof most);
    memcpy(bits, values, sizeof bits);
    for (int k = 0; k < MANY; k++)
        any |= most - 1 - (bits[k] & MAGNITUDE);
    return any < 0;
}

/* The bitwise or of all lanes. */
static inline long long lanes_any(const lane_bits *b)
{
    const lane_bits v = *b;
    return ((v[0] | v[4]) | (v[2] | v[6])) | ((v[1] | v[5]) | (v[3] | v[7]));
}

/* One bit for each of MANY numbers that is negative, the first one's lowest. */
static inline uint32_t lanes_marks(const lane_bits b[MANY / LANES])
{
    const lane_bits each = {1, 2, 4, 8, 16, 32, 64, 128};
    lane_bits marks = {0};
    for (int k = 0; k < MANY / LANES; k++)
        marks |= (b[k] < 0) & (each << (LANES * k));
    return (uint32_t)lanes_any(&marks);
}

/* The same, sooner where there is none. Loops over those alone read for (uint32_t left =
 * lanes_negative(b); left; left &= left - 1) { size_t j = from + (size_t)__builtin_ctz(left);
 */
static inline uint32_t lanes_negative(const lane_bits b[MANY / LANES])
{
    lane_bits any = {0};
    for (int k = 0; k < MANY / LANES; k++)
        any |= b[k];
    return lanes_any(&any) < 0 ? lanes_marks(b) : 0;
}

static inline double add_lanes(const lanes *sum)
{
    const lanes s = *sum;
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

#endif
