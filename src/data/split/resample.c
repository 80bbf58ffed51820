/* Training sets sampled from the rows: subsamples, complementary pairs of them, bootstrap
 * samples. */
#include "base/memory.h"
#include "data/split/row_groups.h"

#include <string.h>

/* A bootstrap sample that leaves no row out is drawn again, at most this often. */
enum { MAX_DRAWS = 100 };

typedef struct draw {
    const tm_resample *how;
    size_t n;
    const row_groups *rows;
    size_t *order; /* the rows, class by class */
    tm_rng rng;
} draw;

size_t tm_resample_sets(const tm_resample *how)
{
    return how->pairs ? 2 * how->count : how->count;
}

static void sort_by_class(draw *d)
{
    size_t at = 0;
    for (size_t c = 0; c < d->rows->classes; c++)
        for (size_t i = 0; i < d->n; i++)
            if (d->rows->class[i] == c)
                d->order[at++] = i;
}

static void shuffle(size_t *rows, size_t count, tm_rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = tm_rng_below(rng, i), row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
}

/* Rounds so that a fraction such as 0.29 of 100 gives 29. */
static size_t share_of(const tm_resample *how, size_t rows)
{
    return (size_t)(how->share * (double)rows + 1e-9);
}

/* Draws as many rows of each class as it has, with replacement. */
static tm_status bootstrap(draw *d, uint16_t *times, tm_error *err)
{
    for (int tries = 0; tries < MAX_DRAWS; tries++) {
        size_t at = 0, left = 0;
        memset(times, 0, d->n * sizeof *times);
        for (size_t c = 0; c < d->rows->classes; at += d->rows->totals[c++])
            for (size_t k = 0; k < d->rows->totals[c]; k++)
                times[d->order[at + tm_rng_below(&d->rng, d->rows->totals[c])]]++;
        for (size_t i = 0; i < d->n; i++)
            left += times[i] == 0;
        if (left > 0)
            return TM_OK;
    }
    return tm_fail(err, TM_EUSAGE,
                   "the data have too few rows for the bootstrap: none is left out");
}

/* Draws the fraction of each class, with sizes that add up to the fraction of all rows; for a pair,
 * one half of each class and the other half. */
static void subsample(draw *d, uint16_t *times)
{
    size_t at = 0, taken = 0;
    for (size_t c = 0; c < d->rows->classes; c++) {
        size_t size = d->rows->totals[c], count = size / 2;
        if (!d->how->pairs)
            count = share_of(d->how, at + size) - taken;
        shuffle(d->order + at, size, &d->rng);
        for (size_t k = 0; k < count; k++)
            times[d->order[at + k]] = 1;
        for (size_t k = count; d->how->pairs && k < 2 * count; k++)
            times[d->n + d->order[at + k]] = 1;
        at += size;
        taken += count;
    }
}

static tm_status check(const tm_resample *how, size_t n, tm_error *err)
{
    if (how->count < 1)
        return tm_fail(err, TM_EUSAGE, "expected at least one sample of the rows");
    if (n < 2)
        return tm_fail(err, TM_EUSAGE, "samples of the rows need at least two rows");
    if (how->bootstrap || how->pairs)
        return TM_OK;
    if (!(how->share > 0 && how->share < 1) || share_of(how, n) == 0)
        return tm_fail(err, TM_EUSAGE,
                       "share is %g; expected a part of the %zu rows, above 0 and below 1",
                       how->share, n);
    return TM_OK;
}

tm_status tm_dataset_resample(uint16_t *times, const tm_dataset *data, const tm_resample *how,
                              tm_error *err)
{
    size_t n = tm_dataset_rows(data), step = how->pairs ? 2 : 1;
    row_groups rows = {0};
    draw d = {.how = how, .n = n, .rows = &rows, .order = mem_array(n, sizeof *d.order)};
    tm_status status = d.order ? check(how, n, err) : tm_fail_memory(err, "samples of the rows");
    if (status == TM_OK)
        status = row_groups_find(&rows, data, NULL, how->stratify, err);
    tm_rng_seed(&d.rng, how->seed);
    if (status == TM_OK) {
        memset(times, 0, tm_resample_sets(how) * n * sizeof *times);
        sort_by_class(&d);
    }
    for (size_t b = 0; status == TM_OK && b < how->count; b++) {
        uint16_t *at = times + b * step * n;
        if (how->bootstrap)
            status = bootstrap(&d, at, err);
        else
            subsample(&d, at);
    }
    row_groups_clear(&rows);
    free(d.order);
    return status;
}
