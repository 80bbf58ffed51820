/* Random numbers: the published streams, and the distributions they are turned into. */
#include "tests/core_check.h"

/* The first words of xoshiro256++ from the state 1, 2, 3, 4, and of splitmix64 from 0, as their
 * authors publish them. */
CHECK(test_published_words)
{
    static const uint64_t expected[] = {
        41943041u,
        58720359u,
        3588806011781223u,
        3591011842654386u,
        9228616714210784205u,
        9973669472204895162u,
        14011001112246962877u,
        12406186145184390807u,
        15849039046786891736u,
        10450023813501588000u,
    };
    static const uint64_t seeded[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu,
                                      0xf88bb8a8724c81ecu};
    tm_rng rng = {.state = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(tm_rng_next(&rng) == expected[i]);
    tm_rng_seed(&rng, 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(rng.state[i] == seeded[i]);
}

CHECK(test_same_seed_same_stream)
{
    tm_rng a, b, c;
    tm_rng_seed(&a, 42);
    (void)tm_rng_normal(&a); /* leaves a spare that a new seed must forget */
    tm_rng_seed(&a, 7);
    tm_rng_seed(&b, 7);
    tm_rng_seed(&c, 8);
    size_t differing = 0;
    for (int i = 0; i < 1000; i++) {
        double x = tm_rng_normal(&a);
        assert_true(x == tm_rng_normal(&b));
        differing += x != tm_rng_normal(&c);
    }
    assert_true(differing > 990);
}

/* Pearson's statistic of counts that should all be `expected`. */
static double chi_square(const size_t *counts, size_t cells, double expected)
{
    double sum = 0;
    for (size_t k = 0; k < cells; k++) {
        double off = (double)counts[k] - expected;
        sum += off * off / expected;
    }
    return sum;
}

CHECK(test_uniform)
{
    enum { CELLS = 64, DRAWS = 64000 };
    size_t counts[CELLS] = {0};
    double least = 1, greatest = 0;
    tm_rng rng;
    tm_rng_seed(&rng, 1);
    for (int i = 0; i < DRAWS; i++) {
        double u = tm_rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        least = fmin(least, u);
        greatest = fmax(greatest, u);
        counts[(size_t)(u * CELLS)]++;
    }
    assert_true(least < 1e-3 && greatest > 1 - 1e-3);
    /* 63 degrees of freedom: mean 63, standard deviation 11.2. */
    double chi = chi_square(counts, CELLS, (double)DRAWS / CELLS);
    assert_true(chi > 25 && chi < 110);
}

CHECK(test_range)
{
    tm_rng rng;
    double sum = 0;
    tm_rng_seed(&rng, 2);
    for (int i = 0; i < 10000; i++) {
        double value = tm_rng_range(&rng, -3, 5);
        assert_true(value >= -3 && value < 5);
        sum += value;
    }
    /* Mean 1, standard deviation of the mean 8/sqrt(12)/100. */
    must_be_near(sum / 10000, 1, 5 * 8 / sqrt(12) / 100);
}

CHECK(test_below)
{
    enum { BOUND = 7, DRAWS = 70000 };
    size_t counts[BOUND] = {0};
    tm_rng rng;
    tm_rng_seed(&rng, 3);
    for (int i = 0; i < DRAWS; i++) {
        size_t value = tm_rng_below(&rng, BOUND);
        assert_true(value < BOUND);
        counts[value]++;
    }
    /* 6 degrees of freedom: 99.99 % of the time below 27.9. */
    assert_true(chi_square(counts, BOUND, (double)DRAWS / BOUND) < 27.9);
    for (int i = 0; i < 100; i++)
        assert_int_equal(tm_rng_below(&rng, 1), 0);
}

/* With a bound of 3/4 of 2^64, taking the remainder alone would give the first third twice as
 * often as the others: 1/2 of the draws instead of 1/3. */
CHECK(test_below_is_unbiased)
{
    enum { DRAWS = 9000 };
    const uint64_t bound = 3 * (UINT64_C(1) << 62);
    size_t counts[3] = {0};
    tm_rng rng;
    tm_rng_seed(&rng, 4);
    for (int i = 0; i < DRAWS; i++) {
        size_t value = tm_rng_below(&rng, bound);
        assert_true(value < bound);
        counts[value >> 62]++;
    }
    assert_true(chi_square(counts, 3, DRAWS / 3.0) < 18.4);
}

CHECK(test_normal_moments)
{
    enum { DRAWS = 200000 };
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0, neighbours = 0, last = 0;
    size_t beyond = 0;
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (int i = 0; i < DRAWS; i++) {
        double z = tm_rng_normal(&rng);
        m1 += z / DRAWS;
        m2 += z * z / DRAWS;
        m3 += z * z * z / DRAWS;
        m4 += z * z * z * z / DRAWS;
        neighbours += z * last / DRAWS;
        beyond += fabs(z) > 1.959963984540054;
        last = z;
    }
    /* Five standard deviations: var z = 1, z^2 = 2, z^3 = 15, z^4 = 96. */
    double root = sqrt(DRAWS);
    must_be_near(m1, 0, 5 / root);
    must_be_near(m2, 1, 5 * sqrt(2) / root);
    must_be_near(m3, 0, 5 * sqrt(15) / root);
    must_be_near(m4, 3, 5 * sqrt(96) / root);
    must_be_near(neighbours, 0, 5 / root);
    must_be_near((double)beyond / DRAWS, 0.05, 5 * sqrt(0.05 * 0.95) / root);
}

static void check_is_permutation(const size_t *order, size_t n)
{
    unsigned char *seen = calloc(n + 1, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < n; i++) {
        assert_true(order[i] < n);
        assert_int_equal(seen[order[i]]++, 0);
    }
    free(seen);
}

CHECK(test_permutation)
{
    size_t order[1000];
    tm_rng rng;
    tm_rng_seed(&rng, 6);
    for (size_t n = 0; n <= 1000; n = n < 10 ? n + 1 : n * 2 + 1) {
        tm_rng_permutation(&rng, order, n);
        check_is_permutation(order, n);
    }
}

/* All 24 orders of four things come equally often. */
CHECK(test_permutations_are_uniform)
{
    enum { DRAWS = 24000 };
    size_t counts[256] = {0}, orders = 0;
    double chi = 0;
    tm_rng rng;
    tm_rng_seed(&rng, 8);
    for (int i = 0; i < DRAWS; i++) {
        size_t o[4];
        tm_rng_permutation(&rng, o, 4);
        counts[o[0] << 6 | o[1] << 4 | o[2] << 2 | o[3]]++;
    }
    for (size_t k = 0; k < 256; k++) {
        orders += counts[k] > 0;
        if (counts[k] > 0)
            chi += ((double)counts[k] - 1000) * ((double)counts[k] - 1000) / 1000;
    }
    assert_int_equal(orders, 24);
    assert_true(chi < 58); /* 23 degrees of freedom: 99.99 % of the time */
}

RUN_TESTS(test_published_words, test_same_seed_same_stream, test_uniform, test_range, test_below,
          test_below_is_unbiased, test_normal_moments, test_permutation,
          test_permutations_are_uniform)
