/* The best of a stream of scored units: a heap of bounded size whose content does not depend on the
 * order in which the units were offered. Equal scores go by number, the lesser first. */
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
    scored *picks; /* the least of them first, as a heap, until they are sorted */
    size_t count, room;
} best;

/* False when memory ran out. */
bool best_init(best *b, size_t room);
void best_clear(best *b);

/* The score below which nothing more comes in; -1 while there is room. */
static inline double best_least(const best *b)
{
    return b->count < b->room ? -1 : b->room ? b->picks[0].score : 0;
}

/* Takes the unit when it is among the best so far. Most are not, which costs one comparison. */
void best_insert(best *b, uint64_t unit, double score);
static inline void best_put(best *b, uint64_t unit, double score)
{
    if (b->count < b->room || (b->room > 0 && !(score < b->picks[0].score)))
        best_insert(b, unit, score);
}
/* Units without a score (0) are never taken. */
static inline void best_offer(best *b, uint64_t unit, double score)
{
    if (score > 0)
        best_put(b, unit, score);
}
/* Offers all of `from`'s. */
void best_join(best *b, const best *from);
/* Puts them in descending order of score, after which none can be put. */
void best_sort(best *b);

#endif
