#include "base/numeric/top_k.h"

#include "base/memory.h"

#include <stdlib.h>

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

/* Whether a ranks below b, and is therefore removed first. */
static bool worse(const scored *a, const scored *b)
{
    return a->score < b->score || (a->score == b->score && a->unit > b->unit);
}

static void swap(scored *a, scored *b)
{
    scored keep = *a;
    *a = *b;
    *b = keep;
}

static void sift_up(scored *heap, size_t at)
{
    for (size_t up; at > 0 && worse(&heap[at], &heap[up = (at - 1) / 2]); at = up)
        swap(&heap[at], &heap[up]);
}

static void sift_down(scored *heap, size_t count)
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

void best_insert(best *b, uint64_t unit, double score)
{
    scored pick = {unit, score};
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
        best_put(b, from->picks[i].unit, from->picks[i].score);
}

static int descending(const void *a, const void *b)
{
    return worse(a, b) ? 1 : -1;
}

void best_sort(best *b)
{
    qsort(b->picks, b->count, sizeof *b->picks, descending);
}
