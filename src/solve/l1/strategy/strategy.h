/* A strategy of the l1 methods: which features are in the active set, and when the others are
 * visited. One file each; the rows of SCREEN_RULES (screen/rules.h) name them. */
#ifndef SOLVE_L1_STRATEGY_STRATEGY_H
#define SOLVE_L1_STRATEGY_STRATEGY_H

#include "solve/l1/core/state.h"

struct normal_equations;
struct l1_together_answers;

/* Solves to a gap of `target` at the present lambda. Called again, with `round` counted from 0,
 * while the certificate is not met. */
typedef tm_status l1_solver(l1_state *s, solve_progress *progress, double target, int round,
                            l1_end *end, tm_error *err);

/* All but `solve` may be NULL. */
typedef struct l1_strategy {
    l1_solver *solve;
    bool shares_rows; /* solves also where several processes have the rows */
    /* Uses neither norms as an array nor, unless the loss is quadratic, s->null.xy. */
    bool few_arrays;
    /* s->own, which is kept between solves: its size in bytes, zero-initialised. */
    size_t own_size;
    void (*close)(void *own); /* frees what it points to */
    /* Before each solve; s->it.solved_lambda is that of the answer it starts from. */
    void (*begin)(l1_state *s);
    /* After each certificate, with its gap; s->it.xr holds the products of all features. */
    void (*certified)(l1_state *s, double gap);
    /* The answer in s was replaced from outside. */
    void (*forget)(l1_state *s);
    /* The callbacks for batched certification, see method_batch (solve/common/method.h). */
    bool (*needs_certificate)(const l1_state *s);
    bool (*can_wait)(const l1_state *s);
    double (*exact_from)(const l1_state *s);
    bool (*wants_sums)(const l1_state *s);
    /* Several lambdas at once, see solve/l1/tall/together.h. */
    bool (*pays_together)(const l1_state *s);
    tm_status (*solve_together)(l1_state *s, const double *lambdas, size_t count, double target,
                                const struct l1_together_answers **made, solve_progress *progress,
                                tm_error *err);
    tm_status (*take_sums)(l1_state *s, const struct normal_equations *sums, tm_error *err);
} l1_strategy;

/* Switches s to the strategy of a rule and frees what the previous strategy has kept. TM_ENOMEM. */
tm_status l1_strategy_use(l1_state *s, screen_rule rule, tm_error *err);
/* Frees what the present strategy has kept. */
void l1_strategy_close(l1_state *s);

#define RULE(id, made_of, ...) IF_STRATEGY(made_of, extern const l1_strategy l1_strategy_##id;)
SCREEN_RULES(RULE)
#undef RULE
/* `safe`, `dpp`, `edpp`, `vi`: epochs over the features that the rule's region does not exclude. */
extern const l1_strategy l1_strategy_region;

#endif
