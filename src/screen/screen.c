#include "screen/rules.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

static const tm_screen_info rules[SCREEN_COUNT] = {
#define RULE(id, kind, safe, losses, source, summary) {#id, kind, summary, source, losses, safe},
    SCREEN_RULES(RULE)
#undef RULE
};

const tm_choice screen_choices[SCREEN_COUNT + 1] = {
#define RULE(id, kind, safe, losses, source, summary) {#id, summary},
    SCREEN_RULES(RULE)
#undef RULE
        {NULL, NULL},
};

const tm_screen_info *tm_screens(size_t *count)
{
    *count = SCREEN_COUNT;
    return rules;
}

static const char *rule_id(size_t i, const void *payload)
{
    (void)payload;
    return i < SCREEN_COUNT ? rules[i].id : NULL;
}

const tm_screen_info *tm_screen_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < SCREEN_COUNT; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    const char *close = text_closest(id, rule_id, NULL);
    tm_fail(err, TM_EUSAGE, "no screening strategy '%.100s'%s%s%s", id,
            close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
    return NULL;
}

screen_rule screen_rule_of(const char *id)
{
    size_t i = 0;
    while (i < SCREEN_COUNT && strcmp(rules[i].id, id) != 0)
        i++;
    assert(i < SCREEN_COUNT);
    return (screen_rule)i;
}
