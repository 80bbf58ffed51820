/* Searches that look at what was found: the halving's schedule by counting, proposals against
 * random draws on functions whose best value is known. */
#include "tests/core_check.h"

#include "tamis/sweep_search.h"

/* ---- halving ------------------------------------------------------------------------------- */

static void a_share_goes_on(void **state)
{
    static const size_t of_27[] = {27, 9, 3, 1, 1}, of_10[] = {10, 5, 2, 1, 1};
    (void)state;
    for (size_t r = 0; r < 5; r++) {
        assert_int_equal(tm_halving_left(27, 3, r), of_27[r]);
        assert_int_equal(tm_halving_left(10, 2, r), of_10[r]);
    }
    /* Counted one by one: of every `eta` that stand in a row one is left. */
    for (size_t n = 1; n < 40; n++)
        for (size_t eta = 2; eta < 6; eta++)
            for (size_t r = 0; r < 4; r++) {
                size_t left = n;
                for (size_t k = 0; k < r; k++) {
                    size_t whole = 0;
                    for (size_t i = eta; i <= left; i += eta)
                        whole++;
                    left = whole > 0 ? whole : 1;
                }
                assert_int_equal(tm_halving_left(n, eta, r), left);
            }
}

/* ---- proposals ----------------------------------------------------------------------------- */

enum { AXES = 3, TRIES = 48, STARTS = 12, BATCH = 4, SEEDS = 21 };

static const char *const words[] = {"a", "b", "c", "d"};
static const tm_sweep_axis axes[AXES] = {
    {.name = "C", .min = 1e-3, .max = 1e3, .log = true},
    {.name = "share", .min = 0, .max = 1},
    {.name = "kind", .values = words, .count = 4},
};

/* 0 at C = 3, share = 0.2, kind "b"; below everywhere else. */
static double truth(char *const *row)
{
    double c = log10(strtod(row[0], NULL)) - log10(3), u = strtod(row[1], NULL) - 0.2;
    return -c * c - 4 * u * u - (strcmp(row[2], "b") == 0 ? 0 : 0.5);
}

static double best_of(char *const *rows, size_t count)
{
    double best = -INFINITY;
    for (size_t i = 0; i < count; i++)
        best = fmax(best, truth(rows + i * AXES));
    return best;
}

/* The values that a search tries; freed with tm_sweep_values_free. */
static char **search(uint64_t seed)
{
    tm_error err = TM_ERROR_INIT;
    double scores[TRIES];
    char **rows = calloc(TRIES * AXES, sizeof *rows), **more;
    must(tm_sweep_random(&more, axes, AXES, STARTS, seed, &err), &err);
    for (size_t count = 0, made = STARTS; count < TRIES;) {
        memcpy(rows + count * AXES, more, made * AXES * sizeof *rows);
        free(more);
        for (size_t i = count; i < count + made; i++)
            scores[i] = truth(rows + i * AXES);
        count += made;
        if (count == TRIES)
            break;
        tm_sweep_tried tried = {axes, AXES, (const char *const *)rows, scores, count};
        must(tm_sweep_propose(&more, &made, &tried, BATCH, seed + count, &err), &err);
        assert_int_equal(made, BATCH);
    }
    return rows;
}

static int compare_reals(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void proposals_beat_random_draws(void **state)
{
    tm_error err = TM_ERROR_INIT;
    double ours[SEEDS], drawn[SEEDS];
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        char **rows = search(seed + 1), **random;
        must(tm_sweep_random(&random, axes, AXES, TRIES, seed + 1, &err), &err);
        for (size_t i = 0; i < STARTS * AXES; i++) /* both begin alike */
            assert_string_equal(rows[i], random[i]);
        ours[seed] = best_of(rows, TRIES);
        drawn[seed] = best_of(random, TRIES);
        tm_sweep_values_free(rows, TRIES * AXES);
        tm_sweep_values_free(random, TRIES * AXES);
    }
    qsort(ours, SEEDS, sizeof *ours, compare_reals);
    qsort(drawn, SEEDS, sizeof *drawn, compare_reals);
    /* Less than half of what random draws lack of the best value, in the median. */
    if (!(-ours[SEEDS / 2] < -drawn[SEEDS / 2] / 2))
        fail_msg("%g, random draws %g", ours[SEEDS / 2], drawn[SEEDS / 2]);
}

static void proposals_are_decided_by_their_arguments(void **state)
{
    (void)state;
    char **one = search(3), **two = search(3), **other = search(4);
    size_t differ = 0;
    for (size_t i = 0; i < TRIES * AXES; i++) {
        assert_string_equal(one[i], two[i]);
        differ += strcmp(one[i], other[i]) != 0;
    }
    assert_true(differ > TRIES);
    for (size_t i = 0; i < TRIES; i++) /* and none is tried twice */
        for (size_t k = 0; k < i; k++)
            assert_false(strcmp(one[i * AXES], one[k * AXES]) == 0 &&
                         strcmp(one[i * AXES + 1], one[k * AXES + 1]) == 0 &&
                         strcmp(one[i * AXES + 2], one[k * AXES + 2]) == 0);
    tm_sweep_values_free(one, TRIES * AXES);
    tm_sweep_values_free(two, TRIES * AXES);
    tm_sweep_values_free(other, TRIES * AXES);
}

/* Axes with few values are tried out, and then nothing is left to propose. */
static void exhausted_axes_give_fewer(void **state)
{
    static const tm_sweep_axis few[] = {{.name = "kind", .values = words, .count = 4},
                                        {.name = "T", .min = 1, .max = 3, .whole = true}};
    static const char *const tried[] = {"a", "1", "b", "2", "c", "3"};
    static const double scores[] = {1, NAN, 2};
    tm_error err = TM_ERROR_INIT;
    bool seen[4][4] = {{false}};
    char **rows;
    size_t made;
    (void)state;
    for (size_t i = 0; i < 3; i++)
        seen[tried[2 * i][0] - 'a'][atoi(tried[2 * i + 1])] = true;
    tm_sweep_tried of = {few, 2, tried, scores, 3};
    must(tm_sweep_propose(&rows, &made, &of, 20, 1, &err), &err);
    assert_int_equal(made, 9);
    for (size_t i = 0; i < made; i++) {
        bool *at = &seen[rows[2 * i][0] - 'a'][atoi(rows[2 * i + 1])];
        assert_false(*at);
        *at = true;
    }
    tm_sweep_values_free(rows, made * 2);
    static const tm_sweep_axis wrong[] = {{.name = "C", .min = 2, .max = 1}};
    must_refuse(
        tm_sweep_propose(&rows, &made, &(tm_sweep_tried){wrong, 1, NULL, NULL, 0}, 1, 1, &err),
        TM_EUSAGE, &err, "expected min <= max");
}

RUN_TESTS(a_share_goes_on, proposals_beat_random_draws, proposals_are_decided_by_their_arguments,
          exhausted_axes_give_fewer)
