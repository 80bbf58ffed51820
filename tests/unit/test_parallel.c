/* Ranges over threads: every index once, whatever the counts; and passes that give the same bits.
 */
#include "tests/check.h"

#include "base/threads/parallel.h"
#include "model/certificate/certificate.h"
#include "tamis/rng.h"
#include "tamis/solve.h"

#include <stdlib.h>
#include <string.h>

static void mark(size_t from, size_t to, void *payload)
{
    unsigned char *seen = payload;
    for (size_t i = from; i < to; i++)
        seen[i]++;
}

CHECK(every_index_is_visited_once)
{
    for (size_t count = 0; count < 40; count++)
        for (int threads = -1; threads < 12; threads++) {
            unsigned char seen[40] = {0};
            thread_team *team = team_new(threads);
            parallel_ranges(count, team, mark, seen);
            team_free(team);
            for (size_t i = 0; i < 40; i++)
                assert_int_equal(seen[i], i < count ? 1 : 0);
        }
}

typedef struct marks {
    unsigned char seen[300];
    bool apart; /* a range has begun within a group */
} marks;

static void mark_groups(size_t from, size_t to, void *payload)
{
    marks *m = payload;
    if (from % PARALLEL_GROUP != 0)
        m->apart = true;
    for (size_t i = from; i < to; i++)
        m->seen[i]++;
}

CHECK(every_group_is_visited_once)
{
    for (size_t count = 0; count < 300; count += 7)
        for (int threads = -1; threads < 8; threads++) {
            marks m = {.apart = false};
            thread_team *team = team_new(threads);
            parallel_groups(count, team, mark_groups, &m);
            team_free(team);
            assert_false(m.apart);
            for (size_t i = 0; i < 300; i++)
                assert_int_equal(m.seen[i], i < count ? 1 : 0);
        }
}

CHECK(every_chunk_is_visited_once)
{
    for (int threads = -1; threads < 12; threads++) {
        thread_team *team = team_new(threads);
        assert_int_equal(team_threads(team), threads < 1 ? 1 : threads);
        for (size_t count = 0; count < 40; count++) {
            unsigned char seen[40] = {0};
            parallel_chunks(count, (size_t)(threads + 1), team, mark, seen);
            for (size_t i = 0; i < 40; i++)
                assert_int_equal(seen[i], i < count ? 1 : 0);
        }
        team_free(team);
    }
}

/* A table that loops fill and read in turn, without a lock. */
typedef struct chain {
    size_t round, count;
    size_t values[64];
    thread_team *team;
    bool wrong;
} chain;

static void lengthen(size_t from, size_t to, void *payload)
{
    chain *c = payload;
    for (size_t i = from; i < to; i++) {
        size_t other = (i * 31 + c->round) % c->count;
        /* Even rounds read what others have written in the odd rounds. */
        if (c->round % 2)
            c->values[i] = c->round + i;
        else if (c->round > 0 && c->values[other] != c->round - 1 + other)
            c->wrong = true;
    }
}

CHECK(a_loop_sees_what_the_last_one_wrote)
{
    chain c = {.count = 64, .team = team_new(4)};
    for (c.round = 0; c.round < 3000; c.round++)
        parallel_ranges(c.count, c.team, lengthen, &c);
    team_free(c.team);
    assert_false(c.wrong);
}

static void nest(size_t from, size_t to, void *payload)
{
    chain *c = payload;
    for (size_t i = from; i < to; i++) {
        unsigned char seen[8] = {0};
        parallel_ranges(8, c->team, mark, seen);
        for (size_t k = 0; k < 8; k++)
            c->values[i] += seen[k];
    }
}

CHECK(a_loop_within_a_loop_is_its_thread_s_alone)
{
    chain c = {.count = 64, .team = team_new(3)};
    parallel_chunks(c.count, 1, c.team, nest, &c);
    team_free(c.team);
    for (size_t i = 0; i < c.count; i++)
        assert_int_equal(c.values[i], 8);
}

static tm_dataset *dense(size_t n, size_t p)
{
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    double *x = malloc(n * p * sizeof *x), *y = malloc(n * sizeof *y);
    for (size_t i = 0; i < n * p; i++)
        x[i] = tm_rng_normal(&rng) + 3;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] - x[n + i] + tm_rng_normal(&rng);
    tm_dataset_parts parts = {.name = "dense", .response.y = y, .response.numeric = true};
    tm_dataset *data = NULL;
    assert_int_equal(tm_matrix_new_dense(&parts.x, n, p, x, NULL), TM_OK);
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    return data;
}

/* 37 x 40,003 is above the size from which passes are shared, and no multiple of anything. */
enum { N = 37, P = 40003 };

CHECK(certificates_have_the_same_bits)
{
    tm_dataset *data = dense(N, P);
    double *w = calloc(2 * P, sizeof *w), *products = calloc(4 * P, sizeof *products);
    w[0] = 0.3;
    w[P] = 0.5;
    w[P + 1] = -0.2;
    certificate_item one[2], many[2];
    for (size_t v = 0; v < 2; v++) {
        one[v] =
            (certificate_item){.problem = {.loss = "squared", .lambda = 1.5, .intercept = true},
                               .w = w + v * P,
                               .products = products + v * P};
        many[v] = one[v];
        many[v].products = products + (2 + v) * P;
        assert_int_equal(certificate_many(&one[v], 1, &(data_pass){data, NULL, NULL}, NULL), TM_OK);
    }
    thread_team *team = team_new(3);
    assert_int_equal(certificate_many(many, 2, &(data_pass){data, team, NULL}, NULL), TM_OK);
    team_free(team);
    assert_memory_equal(products, products + 2 * P, 2 * P * sizeof *products);
    for (size_t v = 0; v < 2; v++)
        assert_memory_equal(&one[v].certificate, &many[v].certificate, sizeof one[v].certificate);
    free(w);
    free(products);
    tm_dataset_unref(data);
}

static tm_solution solve(const tm_dataset *data, const char *screen, int threads)
{
    tm_params *params = NULL;
    tm_solver *solver = NULL;
    tm_solution solution;
    const tm_method *lasso = tm_method_find("lasso", NULL);
    assert_int_equal(tm_method_params_new(&params, lasso, NULL), TM_OK);
    tm_params_set_text(params, "screen", screen, NULL);
    tm_params_set_int(params, "threads", threads, NULL);
    tm_params_set_real(params, "lambda", 20, NULL);
    assert_int_equal(tm_solver_new(&solver, lasso, data, params, NULL, NULL), TM_OK);
    assert_int_equal(tm_solver_update(solver, params, NULL), TM_OK);
    assert_int_equal(tm_solver_solve(solver, &solution, NULL), TM_OK);
    tm_solver_free(solver);
    tm_params_free(params);
    return solution;
}

CHECK(answers_have_the_same_bits)
{
    static const char *const screens[] = {"auto", "saif", "gap"};
    tm_dataset *data = dense(N, P);
    for (int k = 0; k < 3; k++) {
        tm_solution one = solve(data, screens[k], 1), three = solve(data, screens[k], 3);
        size_t nnz = tm_model_nnz(one.model);
        assert_true(nnz > 0 && nnz == tm_model_nnz(three.model));
        assert_memory_equal(tm_model_weights(one.model), tm_model_weights(three.model),
                            nnz * sizeof(double));
        assert_true(one.gap == three.gap && one.columns == three.columns);
        tm_solution_clear(&one);
        tm_solution_clear(&three);
    }
    tm_dataset_unref(data);
}

RUN_TESTS(every_index_is_visited_once, every_group_is_visited_once, every_chunk_is_visited_once,
          a_loop_sees_what_the_last_one_wrote, a_loop_within_a_loop_is_its_thread_s_alone,
          certificates_have_the_same_bits, answers_have_the_same_bits)
