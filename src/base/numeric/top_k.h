/* The units with the greatest scores in a stream: a heap of bounded size whose content does not
 * depend on the order in which the units were offered. Equal scores are ordered by number, the
 * lesser first. */
#ifndef BASE_NUMERIC_TOP_K_H
#define BASE_NUMERIC_TOP_K_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scored {
    uint64_t unit;
    double score;
} scored;

typedef struct best {
    scored *picks; /* a heap with the least of them first, until they are sorted */
    size_t count, room;
} best;

/* False when memory ran out. */
bool best_init(best *b, size_t room);
void best_clear(best *b);

/* The score that a unit must exceed; -1 while the heap is not full. */
static inline double best_least(const best *b)
{
    return b->count < b->room ? -1 : b->room ? b->picks[0].score : 0;
}

/* Inserts the unit if it is among the best so far. Most units are not, which costs one
 * comparison. */
void best_insert(best *b, uint64_t unit, double score);
static inline void best_put(best *b, uint64_t unit, double score)
{
    if (b->count < b->room || (b->room > 0 && !(score < b->picks[0].score)))
        best_insert(b, unit, score);
}
/* Units with score 0 are never inserted. */
static inline void best_offer(best *b, uint64_t unit, double score)
{
    if (score > 0)
        best_put(b, unit, score);
}
/* Offers all units of `from`. */
void best_join(best *b, const best *from);
/* Sorts by descending score; nothing can be inserted afterwards. */
void best_sort(best *b);

#endif
