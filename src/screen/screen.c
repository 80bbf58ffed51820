#include "screen/rules.h"

#include "base/text.h"
#include "screen/sequential.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const tm_screen_info rules[SCREEN_COUNT] = {
#define ROW(id, ...) "," #id
#define NAMES(set) ((set) == LOSS_ALL ? LOSSES(ROW) : ",squared") + 1
#define RULE(id, made_of, kind, safe, losses, fits, source, summary)                               \
    {#id, kind, summary, source, NAMES(losses), safe},
    SCREEN_RULES(RULE)
#undef RULE
#undef NAMES
#undef ROW
};

static const struct {
    unsigned losses, fits;
} fits_of[SCREEN_COUNT] = {
#define RULE(id, made_of, kind, safe, losses, fits, ...) {losses, fits},
    SCREEN_RULES(RULE)
#undef RULE
};

static screen_rule_region *const regions[SCREEN_COUNT] = {
#define RULE_region(id) [SCREEN_##id] = screen_##id,
#define RULE_strategy(id)
#define RULE(id, made_of, ...) RULE_##made_of(id)
    SCREEN_RULES(RULE)
#undef RULE
#undef RULE_region
#undef RULE_strategy
};

const tm_choice screen_choices[SCREEN_COUNT + 1] = {
#define RULE(id, made_of, kind, safe, losses, fits, source, summary) {#id, summary},
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

unsigned screen_losses(screen_rule rule)
{
    return fits_of[rule].losses;
}

unsigned screen_fits(screen_rule rule)
{
    return fits_of[rule].fits;
}

void screen_list_fitting(screen_fit fit, char *text, size_t size)
{
    size_t left = 0, used = 0;
    for (size_t i = 0; i < SCREEN_COUNT; i++)
        left += (fits_of[i].fits & fit) != 0;
    text[0] = '\0';
    for (size_t i = 0; i < SCREEN_COUNT && used < size; i++) {
        if (!(fits_of[i].fits & fit))
            continue;
        const char *between = used == 0 ? "" : left == 1 ? " and " : ", ";
        int wrote = snprintf(text + used, size - used, "%s%s", between, rules[i].id);
        used += wrote > 0 ? (size_t)wrote : 0;
        left--;
    }
}

screen_rule_region *screen_region_of(screen_rule rule)
{
    return regions[rule];
}

screen_rule screen_rule_of(const char *id)
{
    size_t i = 0;
    while (i < SCREEN_COUNT && strcmp(rules[i].id, id) != 0)
        i++;
    assert(i < SCREEN_COUNT);
    return (screen_rule)i;
}
