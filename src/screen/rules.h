/* The list of strategies, written once: the public table and the choices of the parameter `screen`
 * are both made from it. */
#ifndef SCREEN_RULES_H
#define SCREEN_RULES_H

#include "tamis/screen.h"

/* id, kind, safe, losses, source, summary */
#define SCREEN_RULES(X)                                                                            \
    X(auto, "working set", true, "squared,logistic,squared_hinge", "Tamis",                        \
      "the fastest: a working set solved exactly through its Gram matrix, certified over all")     \
    X(none, "baseline", true, "squared,logistic,squared_hinge", "SAIF 2.4.1, no screening",        \
      "all features in every epoch: what the others are measured against")                         \
    X(gap, "dynamic", true, "squared,logistic,squared_hinge", "SAIF eq. 1.21",                     \
      "Gap Safe sphere: the duality gap certifies features inactive as it shrinks")                \
    X(saif, "incremental", true, "squared,logistic,squared_hinge", "SAIF 2.2, algorithms 1 and 2", \
      "starts from a few features; ADD and DEL from the sub-problem's ball until the rest is "     \
      "certified inactive")

typedef enum screen_rule {
#define RULE(id, ...) SCREEN_##id,
    SCREEN_RULES(RULE)
#undef RULE
        SCREEN_COUNT
} screen_rule;

/* For the parameter `screen`; ended by {NULL, NULL}. */
extern const tm_choice screen_choices[SCREEN_COUNT + 1];

/* The rule named `id`, which must be one of the choices. */
screen_rule screen_rule_of(const char *id);

#endif
