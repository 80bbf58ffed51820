#include "screen/rules.h"

#include "base/text.h"
#include "screen/sequential.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const tm_screen_info rules[SCREEN_COUNT] = {
#define RULE(id, made_of, kind, safe, losses, fits, source, summary)                               \
    {#id, kind, summary, source, losses, safe},
    SCREEN_RULES(RULE)
#undef RULE
};

static const unsigned fits_of[SCREEN_COUNT] = {
#define RULE(id, made_of, kind, safe, losses, fits, ...) fits,
    SCREEN_RULES(RULE)
#undef RULE
};

static screen_rule_region *const regions[SCREEN_COUNT] = {
#define RULE(id, made_of, ...) IF_REGION(made_of, [SCREEN_##id] = screen_##id, )
    SCREEN_RULES(RULE)
#undef RULE
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

const char *tm_screen_losses(const tm_screen_info *info, char *text, size_t size)
{
    return loss_list(info->losses, text, size);
}

bool tm_screen_fits(const tm_screen_info *info, const char *loss_id)
{
    return info->losses & loss_bit_of(loss_id);
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

unsigned screen_fits(screen_rule rule)
{
    return fits_of[rule];
}

void screen_list_fitting(screen_fit fit, char *text, size_t size)
{
    size_t left = 0, used = 0;
    for (size_t i = 0; i < SCREEN_COUNT; i++)
        left += (fits_of[i] & fit) != 0;
    text[0] = '\0';
    for (size_t i = 0; i < SCREEN_COUNT && used < size; i++) {
        if (!(fits_of[i] & fit))
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
