#include "data/read/common/categories.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_of(size_t column, const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u ^ column;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* The slot of the category, or the empty slot where it is to be inserted. */
static size_t slot_of(const categories *all, size_t column, const char *text, size_t length)
{
    size_t slot = hash_of(column, text, length) % all->slot_count;
    for (; all->slots[slot] != 0; slot = (slot + 1) % all->slot_count) {
        const category *c = &all->list[all->slots[slot] - 1];
        if (c->column == column && strlen(c->text) == length && memcmp(c->text, text, length) == 0)
            break;
    }
    return slot;
}

/* Keeps at least twice as many slots as categories. */
static bool grow_slots(categories *all)
{
    size_t before = all->slot_count;
    uint32_t *old = all->slots;
    uint32_t *slots = mem_zeros(before ? 2 * before : 256, sizeof *slots);
    if (!slots)
        return false;
    all->slots = slots;
    all->slot_count = before ? 2 * before : 256;
    for (size_t k = 0; k < all->count; k++) {
        const category *c = &all->list[k];
        all->slots[slot_of(all, c->column, c->text, strlen(c->text))] = (uint32_t)k + 1;
    }
    free(old);
    return true;
}

bool categories_find(categories *all, size_t column, const char *text, size_t length,
                     size_t *number)
{
    if (2 * (all->count + 1) > all->slot_count && !grow_slots(all))
        return false;
    size_t slot = slot_of(all, column, text, length);
    if (all->slots[slot] == 0) {
        if (!mem_grow(&all->list, &all->room, all->count, 64, sizeof *all->list))
            return false;
        char *copy = text_part(text, length);
        if (!copy)
            return false;
        all->list[all->count] = (category){column, copy};
        all->slots[slot] = (uint32_t)++all->count;
    }
    *number = all->slots[slot] - 1;
    return true;
}

bool categories_has(const categories *all, size_t column, const char *text, size_t length)
{
    return all->slot_count > 0 && all->slots[slot_of(all, column, text, length)] != 0;
}

void categories_clear(categories *all)
{
    for (size_t k = 0; k < all->count; k++)
        free(all->list[k].text);
    free(all->list);
    free(all->slots);
    *all = (categories){0};
}

static int compare(const void *a, const void *b, void *list)
{
    const category *left = (category *)list + *(const size_t *)a;
    const category *right = (category *)list + *(const size_t *)b;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return strcmp(left->text, right->text);
}

void categories_sort(const categories *all, size_t *order)
{
    for (size_t k = 0; k < all->count; k++)
        order[k] = k;
    qsort_r(order, all->count, sizeof *order, compare, all->list);
}

double categories_text_id(const char *text)
{
    double number;
    char shortest[32], full[32];
    if (text_to_real(text, &number) && isfinite(number)) {
        text_from_real(number, shortest, sizeof shortest);
        snprintf(full, sizeof full, "%.17g", number);
        if (strcmp(text, shortest) == 0 || strcmp(text, full) == 0)
            return number;
    }
    uint64_t hash = hash_of(0, text, strlen(text)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    return (double)((hash * 0xd6e8feb86659fd93u) >> 12 | (uint64_t)1 << 52);
}
