/* SAIF's ADD: the heaps of saif_add_choose against algorithm 2 as the thesis writes it. */
#include "tests/check.h"

#include "screen/saif_add.h"

#include "tamis/rng.h"

#include <math.h>
#include <string.h>

enum { MAX_P = 60 };

typedef struct instance {
    double xr[MAX_P], xy[MAX_P], norms[MAX_P], factors[MAX_P];
    bool in_active[MAX_P];
    screen_features features;
    ball b;
    saif_add_limits limits;
} instance;

/* Values from a short list make ties: equal scores, equal bounds, whole features alike. */
static double pick(tm_rng *rng, bool tied)
{
    return tied ? (double)tm_rng_below(rng, 4) / 2 - 0.5 : tm_rng_normal(rng);
}

static void random_instance(instance *q, tm_rng *rng)
{
    size_t p = 1 + tm_rng_below(rng, MAX_P);
    bool tied = tm_rng_below(rng, 2), alike = tm_rng_below(rng, 2);
    size_t crowd = tm_rng_below(rng, 4); /* of 4: how many are active already */
    for (size_t j = 0; j < p; j++) {
        q->xr[j] = pick(rng, tied);
        q->xy[j] = pick(rng, tied);
        q->norms[j] = alike ? 1 : tm_rng_below(rng, 12) == 0 ? 0 : 0.5 + fabs(pick(rng, tied));
        q->factors[j] = alike ? 1 : 1 + (double)tm_rng_below(rng, 3);
        if (j > 0 && tm_rng_below(rng, 6) == 0) {
            q->xr[j] = q->xr[j - 1];
            q->xy[j] = q->xy[j - 1];
            q->norms[j] = q->norms[j - 1];
            q->factors[j] = q->factors[j - 1];
        }
        q->in_active[j] = tm_rng_below(rng, 4) < crowd;
    }
    q->features = (screen_features){q->xr, q->xy, q->norms, q->factors, p, NULL};
    double radii[] = {0, 0.01, 0.1, 0.5, 2};
    q->b = (ball){pick(rng, tied), pick(rng, tied), radii[tm_rng_below(rng, 5)]};
    q->limits = (saif_add_limits){1 + tm_rng_below(rng, p + 3), 1 + tm_rng_below(rng, p + 3)};
}

static bool remains(const instance *q, const bool *taken, size_t j)
{
    return !q->in_active[j] && !taken[j] && q->norms[j] > 0;
}

/* The remaining feature with the greatest score; the first of equals. SIZE_MAX: none remains. */
static size_t best_remaining(const instance *q, const bool *taken)
{
    size_t best = SIZE_MAX;
    double greatest = -1;
    for (size_t j = 0; j < q->features.count; j++) {
        double score = fabs(q->b.along_r * q->xr[j] + q->b.along_y * q->xy[j]) / q->factors[j];
        if (remains(q, taken, j) && score > greatest) {
            greatest = score;
            best = j;
        }
    }
    return best;
}

/* |S_j| */
static size_t rivals_of(const instance *q, const bool *taken, size_t j)
{
    size_t rivals = 0;
    double lower = screen_lower(&q->features, j, &q->b);
    for (size_t k = 0; k < q->features.count; k++)
        rivals += k != j && remains(q, taken, k) && screen_upper(&q->features, k, &q->b) >= lower;
    return rivals;
}

static size_t algorithm_2(const instance *q, size_t *chosen)
{
    bool taken[MAX_P] = {false};
    size_t count = 0;
    for (size_t i = 0; i < q->limits.most; i++) {
        size_t j = best_remaining(q, taken);
        if (j == SIZE_MAX || rivals_of(q, taken, j) >= q->limits.slack)
            break;
        taken[j] = true;
        chosen[count++] = j;
    }
    return count;
}

CHECK(test_choose_is_algorithm_2)
{
    size_t cut_short = 0, full = 0, ran_out = 0;
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        instance q;
        random_instance(&q, &rng);
        size_t expected[MAX_P + 4], chosen[MAX_P + 4];
        size_t wanted = algorithm_2(&q, expected);
        double upper = 0;
        saif_added added = {.features = chosen};
        tm_error err;
        assert_int_equal(saif_add_choose(&q.features, q.in_active, &q.b, &q.limits, &added, &err),
                         TM_OK);
        size_t count = added.count;
        if (count != wanted)
            fail_msg("seed %lu: %zu features chosen, algorithm 2 takes %zu", seed, count, wanted);
        for (size_t i = 0; i < count; i++)
            if (chosen[i] != expected[i])
                fail_msg("seed %lu: choice %zu is feature %zu, algorithm 2 takes %zu", seed, i,
                         chosen[i], expected[i]);
        size_t left = 0;
        bool none[MAX_P] = {false};
        for (size_t j = 0; j < q.features.count; j++)
            if (remains(&q, none, j)) {
                upper = fmax(upper, screen_upper(&q.features, j, &q.b));
                left++;
            }
        if (added.greatest_upper != upper)
            fail_msg("seed %lu: greatest bound %.17g, expected %.17g", seed, added.greatest_upper,
                     upper);
        cut_short += count < q.limits.most && count < left;
        full += count == q.limits.most;
        ran_out += count == left && left < q.limits.most;
    }
    /* All three ways to end were met. */
    assert_true(cut_short > 500 && full > 500 && ran_out > 300);
}

/* With a point for a ball and no slack, features enter while they are strictly apart. */
CHECK(test_choose_stops_at_a_tie)
{
    double xr[] = {0.5, -2, 1, 1, 3}, xy[5] = {0}, norms[] = {1, 1, 1, 1, 1};
    double factors[] = {1, 1, 1, 1, 1};
    bool in_active[5] = {false};
    screen_features f = {xr, xy, norms, factors, 5, NULL};
    ball b = {1, 0, 0};
    saif_add_limits limits = {5, 1};
    size_t chosen[5];
    saif_added added = {.features = chosen};
    assert_int_equal(saif_add_choose(&f, in_active, &b, &limits, &added, NULL), TM_OK);
    assert_int_equal(added.count, 2);
    assert_int_equal(chosen[0], 4);
    assert_int_equal(chosen[1], 1);
    assert_true(fabs(added.greatest_upper - 3) < 1e-10);
    /* One rival allowed: the twins enter, first come first served. */
    limits.slack = 2;
    assert_int_equal(saif_add_choose(&f, in_active, &b, &limits, &added, NULL), TM_OK);
    assert_int_equal(added.count, 5);
    assert_int_equal(chosen[2], 2);
    assert_int_equal(chosen[3], 3);
    assert_int_equal(chosen[4], 0);
}

CHECK(test_nothing_remains)
{
    double xr[] = {1, 2}, xy[] = {0, 0}, norms[] = {1, 0}, factors[] = {1, 1};
    bool in_active[] = {true, false};
    screen_features f = {xr, xy, norms, factors, 2, NULL};
    ball b = {1, 0, 1};
    saif_add_limits limits = {3, 3};
    size_t chosen[3], count = 7;
    saif_added added = {.features = chosen, .count = 7, .greatest_upper = -1};
    assert_int_equal(saif_add_choose(&f, in_active, &b, &limits, &added, NULL), TM_OK);
    assert_int_equal(added.count, 0);
    assert_true(added.greatest_upper == 0);
    count = 7;
    assert_int_equal(screen_best(&f, in_active, &b, 3, chosen, &count, NULL), TM_OK);
    assert_int_equal(count, 0);
}

CHECK(test_best)
{
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        instance q;
        random_instance(&q, &rng);
        bool taken[MAX_P] = {false};
        size_t chosen[MAX_P + 4], count, expected = 0;
        assert_int_equal(
            screen_best(&q.features, q.in_active, &q.b, q.limits.most, chosen, &count, NULL),
            TM_OK);
        for (size_t j; expected < q.limits.most && (j = best_remaining(&q, taken)) != SIZE_MAX;
             expected++) {
            if (expected >= count || chosen[expected] != j)
                fail_msg("seed %lu: place %zu is not feature %zu", seed, expected, j);
            taken[j] = true;
        }
        if (count != expected)
            fail_msg("seed %lu: %zu features, expected %zu", seed, count, expected);
    }
}

static void check_limits(double median, double max, double lambda, size_t p, double c, double zeta,
                         size_t most, size_t slack)
{
    saif_add_limits found = saif_add_limits_of(median, max, lambda, p, c, zeta);
    assert_int_equal(found.most, most);
    assert_int_equal(found.slack, slack);
}

/* Expected values by hand: log 10 = 2.302585, log 100 = 4.605170, log 1000 = 6.907755. */
CHECK(test_limits)
{
    check_limits(1, 9, 1, 100, 1, 1, 11, 11);      /* 10.6038 */
    check_limits(1, 9, 1, 100, 2, 1, 22, 22);      /* 21.2076 */
    check_limits(1, 9, 1, 1000, 2, 4, 32, 128);    /* 31.8114 */
    check_limits(10, 90, 1, 1000, 1, 0.5, 32, 16); /* 31.8114 */
    check_limits(0, 10, 1, 100, 1, 0.31, 11, 4);   /* 3.41 is rounded up */
    check_limits(1, 9, 1, 100, 100, 4, 100, 100);  /* never more than p */
    check_limits(1, 9, 1, 100, 2, 40, 22, 100);
    check_limits(1, 9, 1, 100, 1e-9, 1e-9, 1, 1);
    /* At least one, whatever the logarithms come to. */
    check_limits(1, 9, 1, 1, 2, 4, 1, 1);
    check_limits(1, 9, 10, 100, 2, 0.5, 1, 1);
    check_limits(1, 9, 20, 100, 2, 0.5, 1, 1);
    check_limits(0, 0, 1, 100, 2, 0.5, 1, 1);
}

RUN_TESTS(test_choose_is_algorithm_2, test_choose_stops_at_a_tie, test_nothing_remains, test_best,
          test_limits)
