#include "screen/recruit.h"

#include "base/memory.h"

#include <math.h>

recruit_limits recruit_limits_of(double median, double max, double lambda, size_t p, double c,
                                 double zeta)
{
    double h = ceil(c * log((median + max) / lambda) * log((double)p));
    h = isfinite(h) ? fmin(fmax(h, 1), (double)p) : 1;
    double slack = fmin(fmax(ceil(zeta * h), 1), (double)p);
    return (recruit_limits){(size_t)h, (size_t)slack};
}

/* ---- the greatest few of many -------------------------------------------------------------- */

typedef struct ranked {
    double value;
    size_t index;
} ranked;

/* Keeps the `room` greatest values offered, as a heap with the least of them on top: most offers
 * cost one comparison. Ties are broken by index so that the outcome never depends on order. */
typedef struct greatest_few {
    ranked *heap;
    size_t room, count;
} greatest_few;

static bool ranks_below(const ranked *a, const ranked *b)
{
    return a->value < b->value || (a->value == b->value && a->index > b->index);
}

static void sift_down(ranked *heap, size_t count, size_t at)
{
    for (;;) {
        size_t least = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < count; child++)
            if (ranks_below(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        ranked kept = heap[at];
        heap[at] = heap[least];
        heap[least] = kept;
        at = least;
    }
}

static void sift_up(ranked *heap, size_t at)
{
    while (at > 0 && ranks_below(&heap[at], &heap[(at - 1) / 2])) {
        ranked kept = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = kept;
        at = (at - 1) / 2;
    }
}

static void offer(greatest_few *few, double value, size_t index)
{
    ranked candidate = {value, index};
    if (few->count < few->room) {
        few->heap[few->count] = candidate;
        sift_up(few->heap, few->count++);
    } else if (few->room > 0 && ranks_below(&few->heap[0], &candidate)) {
        few->heap[0] = candidate;
        sift_down(few->heap, few->count, 0);
    }
}

/* Turns the heap into a list in falling order. */
static void sort_falling(greatest_few *few)
{
    for (size_t left = few->count; left > 1; left--) {
        ranked least = few->heap[0];
        few->heap[0] = few->heap[left - 1];
        few->heap[left - 1] = least;
        sift_down(few->heap, left - 1, 0);
    }
}

/* ---- choosing ------------------------------------------------------------------------------ */

static double score(const screen_features *f, size_t j, const ball *b)
{
    return screen_reach(f, j, ball_centre_product(b, f->xr[j], f->xy[j])) / f->factors[j];
}

/* How many of the falling list's features other than j, and not taken already, may reach `lower`.
 * Counting stops at `enough`. */
static size_t count_rivals(const greatest_few *uppers, const bool *taken, double lower, size_t j,
                           size_t enough)
{
    size_t rivals = 0;
    for (size_t k = 0; k < uppers->count && rivals < enough; k++) {
        if (uppers->heap[k].value < lower)
            break;
        rivals += uppers->heap[k].index != j && !taken[k];
    }
    return rivals;
}

static void take(const greatest_few *uppers, bool *taken, size_t j)
{
    for (size_t k = 0; k < uppers->count; k++)
        if (uppers->heap[k].index == j)
            taken[k] = true;
}

static tm_status few_new(greatest_few *few, size_t room, tm_error *err)
{
    *few = (greatest_few){mem_array(room, sizeof *few->heap), room, 0};
    return few->heap ? TM_OK : tm_fail_memory(err, "the features to add");
}

tm_status recruit_choose(const screen_features *features, const bool *in_active, const ball *b,
                         const recruit_limits *limits, size_t *chosen, size_t *count,
                         double *greatest_upper, tm_error *err)
{
    greatest_few scores = {0}, uppers = {0};
    *count = 0;
    *greatest_upper = 0;
    tm_status status = few_new(&scores, limits->most, err);
    /* Rivals are counted up to `slack`, beside the feature itself and those chosen before it. */
    if (status == TM_OK)
        status = few_new(&uppers, limits->most + limits->slack + 1, err);
    for (size_t j = 0; status == TM_OK && j < features->count; j++) {
        if (in_active[j] || features->norms[j] == 0)
            continue;
        offer(&scores, score(features, j, b), j);
        offer(&uppers, screen_upper(features, j, b), j);
    }
    bool *taken = mem_zeros(uppers.room, sizeof *taken);
    if (status == TM_OK && !taken)
        status = tm_fail_memory(err, "the features to add");
    if (status == TM_OK) {
        sort_falling(&scores);
        sort_falling(&uppers);
        if (uppers.count > 0)
            *greatest_upper = uppers.heap[0].value;
        for (size_t i = 0; i < scores.count; i++) {
            size_t j = scores.heap[i].index;
            double lower = screen_lower(features, j, b);
            if (count_rivals(&uppers, taken, lower, j, limits->slack) >= limits->slack)
                break;
            chosen[(*count)++] = j;
            take(&uppers, taken, j);
        }
    }
    free(scores.heap);
    free(uppers.heap);
    free(taken);
    return status;
}

tm_status recruit_best(const screen_features *features, const bool *in_active, const ball *b,
                       size_t most, size_t *chosen, size_t *count, tm_error *err)
{
    greatest_few scores;
    *count = 0;
    tm_status status = few_new(&scores, most, err);
    if (status != TM_OK)
        return status;
    for (size_t j = 0; j < features->count; j++)
        if (!in_active[j] && features->norms[j] > 0)
            offer(&scores, score(features, j, b), j);
    sort_falling(&scores);
    for (size_t i = 0; i < scores.count; i++)
        chosen[(*count)++] = scores.heap[i].index;
    free(scores.heap);
    return TM_OK;
}

tm_status recruit_greatest(const double *scores, const bool *skip, size_t p, size_t most,
                           size_t *chosen, size_t *count, tm_error *err)
{
    greatest_few few;
    *count = 0;
    tm_status status = few_new(&few, most < p ? most : p, err);
    if (status != TM_OK)
        return status;
    for (size_t j = 0; j < p; j++)
        if (!skip[j])
            offer(&few, scores[j], j);
    sort_falling(&few);
    for (size_t i = 0; i < few.count; i++)
        chosen[(*count)++] = few.heap[i].index;
    free(few.heap);
    return TM_OK;
}
