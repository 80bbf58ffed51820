/* The best of a stream of scored units: a heap of bounded size whose content does not depend on the
 * order in which the units were offered. Equal scores go by number, the lesser first. */
#ifndef BASE_NUMERIC_TOP_K_H
#define BASE_NUMERIC_TOP_K_H

#include "tamis/source.h"

#include <stdbool.h>

typedef struct best {
    tm_pick *picks; /* the least of them first, as a heap */
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

/* Units without a score (0) are never taken. */
void best_offer(best *b, uint64_t unit, double score);
/* Offers all of `from`'s. */
void best_join(best *b, const best *from);
/* Writes them to out in falling order of score; returns how many. */
size_t best_sorted(const best *b, tm_pick *out);

#endif
