/* Bound propagation never excludes a feasible point, and what it proves holds. */
#include "tests/core_check.h"

#include "solve/structure/screening/bounds.h"
#include "tamis/rng.h"

#include <math.h>

enum { ROWS = 6, VARIABLES = 7 };

/* Random systems around a known point: it stays inside however often the rows are propagated, and
 * intervals only become narrower. */
CHECK(a_feasible_point_stays_within_the_bounds)
{
    tm_rng rng;
    tm_rng_seed(&rng, 11);
    int narrowed = 0;
    for (int k = 0; k < 300; k++) {
        double point[VARIABLES], low[VARIABLES], high[VARIABLES];
        for (int i = 0; i < VARIABLES; i++) {
            point[i] = tm_rng_range(&rng, -1, 1);
            low[i] = -1;
            high[i] = 1;
        }
        bounds_row rows[ROWS];
        size_t at[ROWS][VARIABLES];
        double values[ROWS][VARIABLES];
        for (int r = 0; r < ROWS; r++) {
            size_t count = 0;
            double sum = 0;
            for (size_t i = 0; i < VARIABLES; i++) {
                if (tm_rng_below(&rng, 2))
                    continue;
                at[r][count] = i;
                values[r][count] = tm_rng_range(&rng, -3, 3);
                sum += values[r][count++] * point[i];
            }
            double slack = tm_rng_range(&rng, 0, 0.5);
            rows[r] = (bounds_row){count, at[r], values[r], sum - slack, sum + slack};
        }
        for (int round = 0; round < 20; round++)
            for (int r = 0; r < ROWS; r++)
                narrowed += (int)bounds_propagate(&rows[r], low, high, NULL);
        for (int i = 0; i < VARIABLES; i++)
            if (!(low[i] <= point[i] + 1e-9 && point[i] - 1e-9 <= high[i]))
                fail_msg("system %d: variable %d at %g is not in [%g, %g]", k, i, point[i], low[i],
                         high[i]);
    }
    assert_true(narrowed > 1000);
}

/* The example of the thesis: -2 u1 + 3 u2 - u3 + 0.4 >= 0 with u2 <= 0.1 and u3 >= -0.8 gives u1 <=
 * 0.75. */
CHECK(the_thesis_example)
{
    double low[] = {-1, -0.7, -0.8}, high[] = {1, 0.1, 0.6};
    bounds_row row = {3, (size_t[]){0, 1, 2}, (double[]){-2, 3, -1}, -0.4, INFINITY};
    bounds_propagate(&row, low, high, NULL);
    assert_true(fabs(high[0] - 0.75) < 1e-12 && low[0] == -1);
}

/* x <= y / 2 and y <= x: every round halves the intervals, and none excludes 0. */
CHECK(rounds_without_end_are_safe_at_any_time)
{
    double low[] = {0, 0}, high[] = {1, 1};
    bounds_row first = {2, (size_t[]){0, 1}, (double[]){1, -0.5}, -INFINITY, 0};
    bounds_row second = {2, (size_t[]){0, 1}, (double[]){-1, 1}, -INFINITY, 0};
    for (int round = 0; round < 50; round++) {
        bounds_propagate(&first, low, high, NULL);
        bounds_propagate(&second, low, high, NULL);
        assert_true(low[0] == 0 && low[1] == 0 && high[0] > 0 && high[1] > 0);
    }
    assert_true(high[0] < 1e-9);
}

RUN_TESTS(a_feasible_point_stays_within_the_bounds, the_thesis_example,
          rounds_without_end_are_safe_at_any_time)
