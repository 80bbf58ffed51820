/* Maps rules to their strategies. */
#include "solve/l1/strategy/strategy.h"

#include <stdlib.h>

static const l1_strategy *const strategies[SCREEN_COUNT] = {
#define RULE(id, made_of, ...)                                                                     \
    [SCREEN_##id] = IF_REGION(made_of, &l1_strategy_region) IF_STRATEGY(made_of, &l1_strategy_##id),
    SCREEN_RULES(RULE)
#undef RULE
};

static tm_status make_arrays(l1_state *s, tm_error *err)
{
    tm_status status = l1_all_norms(s, err);
    return status == TM_OK ? l1_null_products(s, err) : status;
}

tm_status l1_strategy_use(l1_state *s, screen_rule rule, tm_error *err)
{
    const l1_strategy *next = strategies[rule];
    s->options.rule = rule;
    if (s->strategy == next)
        return TM_OK;
    tm_status status = next->few_arrays ? TM_OK : make_arrays(s, err);
    if (status != TM_OK)
        return status;
    l1_strategy_close(s);
    if (next->own_size > 0 && !(s->own = calloc(1, next->own_size)))
        return tm_fail_memory(err, "the strategy");
    s->strategy = next;
    return TM_OK;
}

void l1_strategy_close(l1_state *s)
{
    if (s->own && s->strategy->close)
        s->strategy->close(s->own);
    free(s->own);
    s->own = NULL;
    s->strategy = NULL;
}
