/* A strategy of the l1 methods: which features are worked on, and when the others are visited. One
 * file each; the rows of SCREEN_RULES (screen/rules.h) name them. */
#ifndef SOLVE_L1_STRATEGY_STRATEGY_H
#define SOLVE_L1_STRATEGY_STRATEGY_H

#include "solve/l1/core/state.h"

struct normal_equations;

/* Solves to a gap of `target` at the present lambda. Called again with the next `round`, from 0,
 * when the certificate is not met. */
typedef tm_status l1_solver(l1_state *s, solve_progress *progress, double target, int round,
                            l1_end *end, tm_error *err);

/* All but `solve` may be NULL. */
typedef struct l1_strategy {
    l1_solver *solve;
    /* What it keeps from solve to solve is s->own: so many bytes, zero at first. */
    size_t own_size;
    void (*close)(void *own); /* frees what they point to */
    /* Before each solve; s->it.solved_lambda is that of the answer it starts from. */
    void (*begin)(l1_state *s);
    /* After each certificate, with its gap; s->it.xr holds the products of all features. */
    void (*certified)(l1_state *s, double gap);
    /* The answer in s has been replaced from outside. */
    void (*forget)(l1_state *s);
    /* The answers that batched certification wants, see method_batch (solve/common/method.h). */
    bool (*needs_certificate)(const l1_state *s);
    bool (*can_wait)(const l1_state *s);
    double (*exact_from)(const l1_state *s);
    bool (*wants_sums)(const l1_state *s);
    tm_status (*take_sums)(l1_state *s, const struct normal_equations *sums, tm_error *err);
} l1_strategy;

/* Makes s follow the strategy of a rule. What another one has kept is freed. TM_ENOMEM. */
tm_status l1_strategy_use(l1_state *s, screen_rule rule, tm_error *err);
/* Frees what the present one has kept. */
void l1_strategy_close(l1_state *s);

#define RULE(id, made_of, ...) IF_STRATEGY(made_of, extern const l1_strategy l1_strategy_##id;)
SCREEN_RULES(RULE)
#undef RULE
/* `safe`, `dpp`, `edpp`, `vi`: epochs over the features that the rule's region does not exclude. */
extern const l1_strategy l1_strategy_region;

#endif
