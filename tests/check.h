/* What every test in C begins with, and its main. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A row of a table: what is given, and what must come of it. */
typedef struct text_case {
    const char *text, *want;
} text_case;

/* NumPy's sign of this machine's byte order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE "<"
#else
#define NATIVE ">"
#endif

/* A test function that has no use for what the setup hands over. */
#define CHECK(name) static void name(__attribute__((unused)) void **state)

/* How many of `n` random problems a test takes: a third under ThreadSanitizer, which looks for
 * races and takes ten times as long. */
#ifdef __SANITIZE_THREAD__
#define SOME_OF(n) ((n) / 3)
#else
#define SOME_OF(n) (n)
#endif

/* Leaves out the rest of a test that reads decimals to the last bit: memcheck computes long doubles
 * with the 53 bits of a double, whatever LDBL_MANT_DIG promises. */
#define NEEDS_LONG_DOUBLES()                                                                       \
    do {                                                                                           \
        volatile long double check_one = 1;                                                        \
        if (check_one + LDBL_EPSILON == check_one)                                                 \
            skip();                                                                                \
    } while (0)

/* Whether random problems are those of scripts/test, not of a round of scripts/soak. */
static inline bool check_committed(void)
{
    return !getenv("TAMIS_TEST_ROUND");
}

/* Leaves out the rest of a test that compares with committed numbers, which are those of the
 * problems of scripts/test. */
#define NEEDS_COMMITTED_SEEDS()                                                                    \
    do {                                                                                           \
        if (!check_committed())                                                                    \
            skip();                                                                                \
    } while (0)

/* The seed of a random problem: `seed`, or far from it in round TAMIS_TEST_ROUND of scripts/soak.
 */
static inline uint64_t check_seed(uint64_t seed)
{
    const char *round = getenv("TAMIS_TEST_ROUND");
    return seed + (round ? 1000000 * strtoull(round, NULL, 10) : 0);
}

/* CHECK_LIST(setup, teardown, a, b): the entries of a and of b, by expanding a deferred macro often
 * enough for 80 tests. */
#define CHECK_PARENS ()
#define CHECK_EXPAND(...) CHECK_EXPAND3(CHECK_EXPAND3(CHECK_EXPAND3(CHECK_EXPAND3(__VA_ARGS__))))
#define CHECK_EXPAND3(...) CHECK_EXPAND2(CHECK_EXPAND2(CHECK_EXPAND2(CHECK_EXPAND2(__VA_ARGS__))))
#define CHECK_EXPAND2(...) CHECK_EXPAND1(CHECK_EXPAND1(CHECK_EXPAND1(CHECK_EXPAND1(__VA_ARGS__))))
#define CHECK_EXPAND1(...) __VA_ARGS__
#define CHECK_ONE(setup, teardown, test, ...)                                                      \
    cmocka_unit_test_setup_teardown(test, setup, teardown),                                        \
        __VA_OPT__(CHECK_AGAIN CHECK_PARENS(setup, teardown, __VA_ARGS__))
#define CHECK_AGAIN() CHECK_ONE
#define CHECK_LIST(setup, teardown, ...) CHECK_EXPAND(CHECK_ONE(setup, teardown, __VA_ARGS__))

#define CHECK_MAIN(before, after, ...)                                                             \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, before, after);                                       \
    }

/* main: runs these test functions; with `setup` before the first and `teardown` behind the last of
 * them; or with both around each of them. */
#define RUN_TESTS(...) CHECK_MAIN(NULL, NULL, CHECK_LIST(NULL, NULL, __VA_ARGS__))
#define RUN_TESTS_BETWEEN(setup, teardown, ...)                                                    \
    CHECK_MAIN(setup, teardown, CHECK_LIST(NULL, NULL, __VA_ARGS__))
#define RUN_TESTS_WITH(setup, teardown, ...)                                                       \
    CHECK_MAIN(NULL, NULL, CHECK_LIST(setup, teardown, __VA_ARGS__))

#endif
