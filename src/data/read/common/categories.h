/* The distinct texts of table columns that become indicators: each pair of a column and a text is a
 * category, numbered by first appearance. */
#ifndef DATA_READ_COMMON_CATEGORIES_H
#define DATA_READ_COMMON_CATEGORIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct category {
    size_t column;
    char *text;
} category;

typedef struct categories {
    category *list;
    size_t count, room;
    uint32_t *slots; /* a hash table of category numbers plus 1 */
    size_t slot_count;
} categories;

/* The number of the category, which is added when it is new; false when memory ran out. */
bool categories_find(categories *all, size_t column, const char *text, size_t length,
                     size_t *number);
bool categories_has(const categories *all, size_t column, const char *text, size_t length);
void categories_clear(categories *all);
/* The number that stands for a text as a row's id: the number that it is, or a hash, whole and from
 * 2^52 to 2^53, so that the same text has the same number in every file, whatever its other rows
 * are. Among a hundred thousand texts two share a hash with a chance of one in a million. */
double categories_text_id(const char *text);
/* order[k] is the number of the k-th category by column, then by text in byte order. */
void categories_sort(const categories *all, size_t *order);

#endif
