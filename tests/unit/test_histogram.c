/* Histograms count every value once, in the bin whose edges hold it. */
#include "tui/widgets/histogram.h"

#include "tests/check.h"

#include <float.h>
#include <math.h>

static size_t sum(const histogram *h, int side)
{
    size_t total = 0;
    for (size_t i = 0; i < h->bins; i++)
        total += h->counts[side][i];
    return total;
}

static void whole_numbers_have_a_bin_each(void **state)
{
    const double values[] = {3, 1, 1, 4, 1};
    const double sign[] = {1, -1, 1, -1, -1};
    histogram h;
    (void)state;
    histogram_fill(&h, values, sign, 5, 10);
    assert_true(h.whole);
    assert_int_equal(h.bins, 4); /* 1, 2, 3, 4 */
    const size_t minus[] = {2, 0, 0, 1}, plus[] = {1, 0, 1, 0};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(h.counts[0][i], minus[i]);
        assert_int_equal(h.counts[1][i], plus[i]);
        assert_true(histogram_edge(&h, i) == 1.0 + (double)i);
    }
    assert_int_equal(h.total[0], 3);
    assert_int_equal(h.total[1], 2);
    assert_true(fabs(histogram_peak(&h) - 2.0 / 3.0) < 1e-15);
}

/* The edges are exact in binary, so that counting by comparison is the truth. */
static void bins_hold_what_lies_between_their_edges(void **state)
{
    double values[1000];
    histogram h;
    (void)state;
    for (int i = 0; i < 1000; i++)
        values[i] = (double)((i * 7919) % 1000) / 64.0 - 7.8125;
    for (size_t most = 1; most <= HISTOGRAM_BINS; most++) {
        histogram_fill(&h, values, NULL, 1000, most);
        assert_in_range(h.bins, 1, most);
        assert_int_equal(sum(&h, 0), 1000);
        for (size_t b = 0; b < h.bins; b++) {
            double from = histogram_edge(&h, b), to = histogram_edge(&h, b + 1);
            size_t surely = 0, perhaps = 0;
            for (int i = 0; i < 1000; i++) {
                surely += values[i] > from + 1e-9 && values[i] < to - 1e-9;
                perhaps += values[i] > from - 1e-9 && values[i] < to + 1e-9;
            }
            assert_in_range(h.counts[0][b], surely, perhaps);
        }
    }
}

static void edges_are_round(void **state)
{
    double values[200];
    histogram h;
    (void)state;
    for (int i = 0; i < 200; i++)
        values[i] = -1.483 + 4.351 * i / 199.0;
    histogram_fill(&h, values, NULL, 200, 10);
    assert_true(h.bins >= 5);
    for (size_t b = 0; b <= h.bins; b++) {
        double tenths = histogram_edge(&h, b) * 10.0;
        assert_true(fabs(tenths - round(tenths)) < 1e-9);
    }
}

static void extremes_do_no_harm(void **state)
{
    const double cases[][4] = {
        {-DBL_MAX, DBL_MAX, 0, 1},
        {5e-324, 1e-323, 0, 1.5e-323},
        {1e16, 1e16 + 2, 1e16 + 4, 1e16 + 80},
        {0.1, 0.1, 0.1, 0.1},
        {1.0, 1.0 + DBL_EPSILON, 1.0, 1.0},
        {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
    };
    histogram h;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t most = 0; most < 40; most++) {
            histogram_fill(&h, cases[c], NULL, 4, most);
            assert_in_range(h.bins, 1, HISTOGRAM_BINS);
            assert_int_equal(sum(&h, 0), 4);
            assert_true(isfinite(histogram_edge(&h, 0)));
        }
    }
    histogram_fill(&h, NULL, NULL, 0, 4);
    assert_int_equal(h.bins, 0);
}

RUN_TESTS(whole_numbers_have_a_bin_each, bins_hold_what_lies_between_their_edges, edges_are_round,
          extremes_do_no_harm)
