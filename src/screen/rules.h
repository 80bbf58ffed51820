/* The list of strategies, written once: the public table and the choices of the parameter `screen`
 * are both made from it. */
#ifndef SCREEN_RULES_H
#define SCREEN_RULES_H

#include "model/loss/losses.h"

#include "tamis/screen.h"

/* The problems and options that a rule supports besides losses, as bits. */
typedef enum screen_fit {
    SCREEN_ANY_PENALTY = 1, /* supports a squared penalty and limits other than 0, with which the
                             * set of dual points depends on lambda */
    SCREEN_SHRINKABLE = 2,  /* can be combined with `shrink` */
    SCREEN_OWN_SOLVER = 4,  /* has a solver of its own: `solver` cannot be chosen */
    SCREEN_FREE_LIMITS = 8, /* unpenalised features may have limits; otherwise the null model's
                             * residual must be the projection that the region is made from */
} screen_fit;

/* IF_REGION(made_of, text) expands to the text for a rule that is a region, and to nothing for a
 * strategy; IF_STRATEGY is the reverse. */
#define IF_REGION(made_of, ...) IF_REGION_##made_of(__VA_ARGS__)
#define IF_REGION_region(...) __VA_ARGS__
#define IF_REGION_strategy(...)
#define IF_STRATEGY(made_of, ...) IF_STRATEGY_##made_of(__VA_ARGS__)
#define IF_STRATEGY_region(...)
#define IF_STRATEGY_strategy(...) __VA_ARGS__

/* id, region or strategy, kind, safe, losses (LOSS_ALL or LOSS_SQUARED), screen_fit bits, source,
 * summary.
 *
 * A `region` is screen_ID of screen/ID.c (screen/sequential.h); a `strategy` is l1_strategy_ID of
 * solve/l1/strategy. */
#define SCREEN_RULES(X)                                                                            \
    X(auto, strategy, "working set", "yes", LOSS_ALL, SCREEN_ANY_PENALTY | SCREEN_OWN_SOLVER,      \
      "Tamis",                                                                                     \
      "the fastest: a working set solved exactly through its Gram matrix, certified over all")     \
    X(none, strategy, "baseline", "yes", LOSS_ALL, SCREEN_ANY_PENALTY | SCREEN_SHRINKABLE,         \
      "SAIF 2.4.1, no screening",                                                                  \
      "all features in every epoch: what the others are measured against")                         \
    X(shrink, strategy, "heuristic", "repaired", LOSS_ALL, SCREEN_ANY_PENALTY | SCREEN_SHRINKABLE, \
      "VI 4.1, LIBLINEAR",                                                                         \
      "features of weight 0 well below their threshold leave the epochs; all return before "       \
      "the end")                                                                                   \
    X(safe, region, "static", "yes", LOSS_ALL, SCREEN_SHRINKABLE, "SAIF reference [10]",           \
      "one test from lambda_max: the ball around the null model's dual point")                     \
    X(strong, strategy, "sequential", "repaired", LOSS_ALL, SCREEN_ANY_PENALTY, "SAIF 1.1.4.1",    \
      "the strong rule's guess from the last lambda; the certificate checks and repairs it")       \
    X(strong_once, strategy, "sequential", "no", LOSS_ALL, SCREEN_ANY_PENALTY, "SAIF 1.1.4.1",     \
      "the strong rule's guess, never checked: features it misses stay missing")                   \
    X(homotopy, strategy, "sequential", "no", LOSS_ALL, SCREEN_ANY_PENALTY,                        \
      "SAIF 2.4.3, reference [48]",                                                                \
      "the strong rule's guess grows feature by feature until none is beyond (1 + delta) lambda; " \
      "the gap has no say")                                                                        \
    X(dpp, region, "sequential", "yes", LOSS_SQUARED, SCREEN_SHRINKABLE, "SAIF 1.1.4.1",           \
      "dual polytope projection: projections move no further apart than 1/lambda does")            \
    X(edpp, region, "sequential", "yes", LOSS_SQUARED, SCREEN_SHRINKABLE,                          \
      "SAIF 1.1.4.1, theorem 3.2 c",                                                               \
      "enhanced dual polytope projection: the ball of dpp cut down by the last answer")            \
    X(vi, region, "sequential", "yes", LOSS_ALL, SCREEN_SHRINKABLE, "VI section 3",                \
      "variational inequality: a ball cut by a half-space, in closed form")                        \
    X(gap, strategy, "dynamic", "yes", LOSS_ALL, SCREEN_ANY_PENALTY, "SAIF eq. 1.21",              \
      "Gap Safe sphere: the duality gap certifies features inactive as it shrinks")                \
    X(blitz, strategy, "working set", "yes", LOSS_ALL, SCREEN_FREE_LIMITS, "SAIF reference [49]",  \
      "working sets by distance to the constraints; a line search keeps the dual point "           \
      "feasible")                                                                                  \
    X(ws, strategy, "working set", "yes", LOSS_ALL, SCREEN_FREE_LIMITS,                            \
      "celer, Massias et al. 2018",                                                                \
      "working sets with dual extrapolation: the next iterates are foretold from the last ones")   \
    X(hessian, strategy, "sequential", "repaired", LOSS_ALL, SCREEN_FREE_LIMITS,                   \
      "Larsson and Wallin 2022",                                                                   \
      "a second-order guess and warm start from the last lambda; checked and repaired")            \
    X(saif, strategy, "incremental", "yes", LOSS_ALL, SCREEN_ANY_PENALTY,                          \
      "SAIF 2.2, algorithms 1 and 2",                                                              \
      "starts from a few features; ADD and DEL from the sub-problem's ball until the rest is "     \
      "certified inactive")

typedef enum screen_rule {
#define RULE(id, ...) SCREEN_##id,
    SCREEN_RULES(RULE)
#undef RULE
        SCREEN_COUNT
} screen_rule;

/* The initial rule of a workspace, until its parameters are read. */
enum { SCREEN_FIRST = 0 }; /* the first row */

/* For the parameter `screen`; ended by {NULL, NULL}. */
extern const tm_choice screen_choices[SCREEN_COUNT + 1];

/* The seven configurations of VI's tables 2 and 3, values of the parameter `config`: name, screen,
 * warm, shrink, description. */
#define SCREEN_CONFIGS(X)                                                                          \
    X(org, none, false, false, "no accelerating technique")                                        \
    X(warm, none, true, false, "warm starts")                                                      \
    X(shr, none, false, true, "shrinking")                                                         \
    X(warm_shr, none, true, true, "warm starts and shrinking")                                     \
    X(scr, vi, false, false, "screening by the variational inequality")                            \
    X(warm_scr, vi, true, false, "screening and warm starts")                                      \
    X(scr_shr, vi, false, true, "screening and shrinking")

typedef struct screen_config {
    const char *name;
    screen_rule rule;
    bool warm, shrink;
} screen_config;

/* For the parameter `config`; ended by {NULL, NULL}. */
extern const tm_choice screen_config_choices[];
/* The configuration of this name, which must be one of the choices. */
const screen_config *screen_config_of(const char *name);

const tm_screen_info *screen_info(screen_rule rule);
unsigned screen_fits(screen_rule rule);
/* Writes the rules that support `fit`, as "a, b and c", into text. */
void screen_list_fitting(screen_fit fit, char *text, size_t size);

/* The rule named `id`, which must be one of the choices. */
screen_rule screen_rule_of(const char *id);

#endif
