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

static const screen_config configs[] = {
#define CONFIG(name, rule, warm, shrink, what) {#name, SCREEN_##rule, warm, shrink},
    SCREEN_CONFIGS(CONFIG)
#undef CONFIG
};

const tm_choice screen_config_choices[] = {
#define CONFIG(name, rule, warm, shrink, what)                                                     \
    {#name, what ": screen=" #rule " warm=" #warm " shrink=" #shrink},
    SCREEN_CONFIGS(CONFIG)
#undef CONFIG
        {NULL, NULL},
};

const screen_config *screen_config_of(const char *name)
{
    size_t i = 0, count = sizeof configs / sizeof configs[0];
    while (i < count && strcmp(configs[i].name, name) != 0)
        i++;
    assert(i < count);
    return &configs[i];
}

const tm_screen_info *screen_info(screen_rule rule)
{
    return &rules[rule];
}

bool screen_works_for(screen_rule rule, const char *loss)
{
    size_t length = strlen(loss);
    const char *at = rules[rule].losses;
    while ((at = strstr(at, loss))) {
        bool begins = at == rules[rule].losses || at[-1] == ',';
        if (begins && (at[length] == ',' || at[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

screen_rule screen_rule_of(const char *id)
{
    size_t i = 0;
    while (i < SCREEN_COUNT && strcmp(rules[i].id, id) != 0)
        i++;
    assert(i < SCREEN_COUNT);
    return (screen_rule)i;
}
