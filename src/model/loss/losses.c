#include "model/loss/losses.h"

#include <stdio.h>
#include <string.h>

#define ROW(id, ...) &loss_##id,
static const loss *const losses[LOSS_COUNT] = {LOSSES(ROW)};
#undef ROW

#define ROW(id, bit, formula, response) {#id, formula ", " response},
const tm_choice loss_choices[LOSS_COUNT + 1] = {LOSSES(ROW){NULL, NULL}};
#undef ROW

const loss *loss_at(size_t i)
{
    return i < LOSS_COUNT ? losses[i] : NULL;
}

unsigned loss_bit(const loss *l)
{
    size_t i = 0;
    while (losses[i] != l)
        i++;
    return 1U << i;
}

unsigned loss_bit_of(const char *id)
{
    for (size_t i = 0; i < LOSS_COUNT; i++)
        if (strcmp(losses[i]->id, id) == 0)
            return 1U << i;
    return 0;
}

const loss *loss_only(unsigned set)
{
    for (size_t i = 0; i < LOSS_COUNT; i++)
        if (set == 1U << i)
            return losses[i];
    return NULL;
}

const char *loss_list(unsigned set, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < LOSS_COUNT && used < size; i++)
        if (set & 1U << i)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", losses[i]->id);
    return text;
}

const loss *loss_usual(bool binary)
{
    size_t i = 0;
    while (losses[i]->binary != binary)
        i++;
    return losses[i];
}

const loss *loss_find(const char *id, tm_error *err)
{
    char known[128];
    for (size_t i = 0; i < LOSS_COUNT; i++)
        if (strcmp(losses[i]->id, id) == 0)
            return losses[i];
    tm_fail(err, TM_EUSAGE, "no loss '%.60s'; known: %s", id,
            loss_list(LOSS_ALL, known, sizeof known));
    return NULL;
}
