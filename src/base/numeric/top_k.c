#include "base/numeric/top_k.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool best_init(best *b, size_t room)
{
    *b = (best){.room = room, .picks = mem_array(room, sizeof *b->picks)};
    return b->picks != NULL;
}

void best_clear(best *b)
{
    free(b->picks);
    *b = (best){0};
}

/* Whether a has to leave before b does. */
static bool worse(const tm_pick *a, const tm_pick *b)
{
    return a->score < b->score || (a->score == b->score && a->unit > b->unit);
}

static void swap(tm_pick *a, tm_pick *b)
{
    tm_pick keep = *a;
    *a = *b;
    *b = keep;
}

static void sift_up(tm_pick *heap, size_t at)
{
    for (size_t up; at > 0 && worse(&heap[at], &heap[up = (at - 1) / 2]); at = up)
        swap(&heap[at], &heap[up]);
}

static void sift_down(tm_pick *heap, size_t count)
{
    size_t at = 0;
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (worse(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        swap(&heap[at], &heap[least]);
        at = least;
    }
}

void best_offer(best *b, uint64_t unit, double score)
{
    tm_pick pick = {unit, score};
    if (!(score > 0) || b->room == 0)
        return;
    if (b->count < b->room) {
        b->picks[b->count] = pick;
        sift_up(b->picks, b->count++);
    } else if (worse(&b->picks[0], &pick)) {
        b->picks[0] = pick;
        sift_down(b->picks, b->count);
    }
}

void best_join(best *b, const best *from)
{
    for (size_t i = 0; i < from->count; i++)
        best_offer(b, from->picks[i].unit, from->picks[i].score);
}

static int falling(const void *a, const void *b)
{
    return worse(a, b) ? 1 : -1;
}

size_t best_sorted(const best *b, tm_pick *out)
{
    memcpy(out, b->picks, b->count * sizeof *out);
    qsort(out, b->count, sizeof *out, falling);
    return b->count;
}
