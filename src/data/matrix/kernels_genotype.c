/* Products with packed genotypes: a byte holds four samples, whose values are looked up in a table
 * of doubles instead of being unpacked. */
#include "base/numeric/kept_sum.h"
#include "base/numeric/lanes.h"
#include "data/matrix/kernels.h"

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

#define V(code) ((code) == 0 ? 2.0 : (code) == 2 ? 1.0 : 0.0)
#define ROW(b)                                                                                     \
    {                                                                                              \
        V((b)&3), V((b) >> 2 & 3), V((b) >> 4 & 3), V((b) >> 6 & 3)                                \
    }
#define ROW4(b) ROW(b), ROW((b) + 1), ROW((b) + 2), ROW((b) + 3)
#define ROW16(b) ROW4(b), ROW4((b) + 4), ROW4((b) + 8), ROW4((b) + 12)
#define ROW64(b) ROW16(b), ROW16((b) + 16), ROW16((b) + 32), ROW16((b) + 48)

/* Values of the four samples of each byte when none is missing: 8 KiB. */
static const double values_of_byte[256][4] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};

enum { PER_BYTE = 4, STEP = 16, MISSING_PAIRS = 16 };

/* Values of each pair of samples, for a column in which missing genotypes have a value. */
static void fill_pairs(double pairs[MISSING_PAIRS][2], double missing)
{
    const double of_code[4] = {2, missing, 1, 0};
    for (unsigned code = 0; code < MISSING_PAIRS; code++) {
        pairs[code][0] = of_code[code & 3];
        pairs[code][1] = of_code[code >> 2];
    }
}

static inline double value_at(const uint8_t *packed, double missing, size_t i)
{
    const double of_code[4] = {2, missing, 1, 0};
    return of_code[packed[i / PER_BYTE] >> 2 * (i % PER_BYTE) & 3];
}

/* A macro, because the calling convention for vectors depends on the target machine. */
#define quad_of(pairs, byte)                                                                       \
    ((quad){(pairs)[(byte)&15][0], (pairs)[(byte)&15][1], (pairs)[(byte) >> 4][0],                 \
            (pairs)[(byte) >> 4][1]})

/* Adds the lanes as kernel_dot does, held in four quads. */
static inline double add_quads(const quad s[4])
{
    quad a = s[0] + s[2], b = s[1] + s[3];
    lanes sum = {a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
    return add_lanes(&sum);
}

PER_MACHINE
static double dot_plain(const uint8_t *packed, const double *v, size_t n, size_t *done)
{
    quad s[4] = {{0}};
    size_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (size_t q = 0; q < 4; q++)
            s[q] += *(const quad *)values_of_byte[packed[i / PER_BYTE + q]] *
                    *(const quad *)(v + i + PER_BYTE * q);
    *done = i;
    return add_quads(s);
}

PER_MACHINE
static double dot_missing(const uint8_t *packed, const double pairs[MISSING_PAIRS][2],
                          const double *v, size_t n, size_t *done)
{
    quad s[4] = {{0}};
    size_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (size_t q = 0; q < 4; q++)
            s[q] +=
                quad_of(pairs, packed[i / PER_BYTE + q]) * *(const quad *)(v + i + PER_BYTE * q);
    *done = i;
    return add_quads(s);
}

double kernel_genotype_dot(const uint8_t *packed, double missing, const double *v, size_t n)
{
    kept_sum sum = {0};
    double pairs[MISSING_PAIRS][2];
    if (missing != 0)
        fill_pairs(pairs, missing);
    for (size_t from = 0; from < n; from += SUM_ROWS) {
        const uint8_t *part = packed + from / PER_BYTE;
        size_t i, rows = part_rows(from, n);
        double whole = missing == 0 ? dot_plain(part, v + from, rows, &i)
                                    : dot_missing(part, pairs, v + from, rows, &i);
        double tail = 0;
        for (; i < rows; i++)
            tail += value_at(part, missing, i) * v[from + i];
        kept_add(&sum, whole + tail);
    }
    return kept_total(&sum);
}

void kernel_genotype_axpy(double a, const uint8_t *packed, double missing, double *y, size_t n)
{
    double pairs[MISSING_PAIRS][2];
    size_t i = 0;
    fill_pairs(pairs, missing);
    for (; i + PER_BYTE <= n; i += PER_BYTE)
        *(quad *)(y + i) += a * quad_of(pairs, packed[i / PER_BYTE]);
    for (; i < n; i++)
        y[i] += a * value_at(packed, missing, i);
}

void kernel_genotype_unpack(const uint8_t *packed, double missing, double *out, size_t n)
{
    double pairs[MISSING_PAIRS][2];
    size_t i = 0;
    fill_pairs(pairs, missing);
    for (; i + PER_BYTE <= n; i += PER_BYTE)
        *(quad *)(out + i) = quad_of(pairs, packed[i / PER_BYTE]);
    for (; i < n; i++)
        out[i] = value_at(packed, missing, i);
}
