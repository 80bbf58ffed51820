/* grouplasso where groups share columns of very different lengths. */
#include "problem.h"

#include "tests/core_check.h"

static const char *const losses[] = {"squared", "logistic", "squared_hinge"};

/* Groups of four of which each shares two with the next, or with one pair nested in each. */
static void sharing_groups(char *text, size_t size, size_t p, bool nested)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t first = 1; first + 3 <= p; first += nested ? 4 : 2) {
        used += (size_t)snprintf(text + used, size - used, "%s%zu-%zu", first > 1 ? ";" : "", first,
                                 first + 3);
        if (nested)
            used += (size_t)snprintf(text + used, size - used, ";%zu-%zu", first + 1, first + 2);
    }
    used += (size_t)snprintf(text + used, size - used, "]");
    assert_true(used < size);
}

/* Columns whose lengths differ by a factor of up to a million, of blocks that share some of them:
 * groups take weights from each other by steps as small as the longest column's, of which block
 * coordinate descent alone would need hundreds of thousands. */
CHECK(lengths_of_columns_cost_no_epochs)
{
    for (uint64_t k = 0; k < 360; k++) {
        int l = (int)(k % 3);
        bool nested = k % 2;
        problem q = problem_new(1000 + 6 * (k / 6));
        if (l > 0)
            problem_make_binary(&q);
        assert_string_equal(q.kind, "badscaled");
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char groups[2000], words[100];
        sharing_groups(groups, sizeof groups, q.p, nested);
        snprintf(words, sizeof words, "tol=1e-10 loss=%s overlap=%s", losses[l],
                 nested ? "nested" : "duplicate");
        tm_error err = TM_ERROR_INIT;
        tm_params *params = method_params("grouplasso", words);
        tm_solver *solver;
        tm_solution s;
        must(tm_params_set_text(params, "groups", groups, &err), &err);
        must(tm_solver_new(&solver, tm_method_find("grouplasso", NULL), data, params, NULL, &err),
             &err);
        must(tm_params_set_real(params, "lambda", 0.2 * tm_solver_lambda_max(solver), &err), &err);
        must(tm_solver_update(solver, params, &err), &err);
        must(tm_solver_solve(solver, &s, &err), &err);
        if (s.outcome != TM_CONVERGED || s.gap > 1e-10 * s.null_objective)
            fail_msg("problem %llu (%zux%zu) %s: %s, gap %g of %g", (unsigned long long)q.seed, q.n,
                     q.p, words, tm_outcome_name(s.outcome), s.gap, s.null_objective);
        tm_solution_clear(&s);
        tm_solver_free(solver);
        tm_params_free(params);
        problem_end(&q, data);
    }
}

RUN_TESTS(lengths_of_columns_cost_no_epochs)
