#include "data/pairs/layout.h"

#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "tamis/rng.h"

/* Vectors over pairs that a solver needs at the same time. */
enum { VECTORS = 8 };

void pair_layout_clear(pair_layout *layout)
{
    free(layout->order);
    free(layout->starts);
    *layout = (pair_layout){0};
}

static tm_status check_size(const pair_layout *q, tm_error *err)
{
    double bytes = 8.0 * VECTORS * (double)q->rows;
    if (bytes < mem_physical() && q->rows < UINT32_MAX)
        return TM_OK;
    return tm_fail(
        err, TM_EUSAGE,
        "%zu samples make %zu pairs, and %d vectors of them do not fit in this machine's memory; "
        "take fewer samples, or compare them in blocks (block = 100, an approximation)",
        q->n, q->rows, VECTORS);
}

tm_status pair_layout_make(pair_layout *out, size_t n, size_t block, uint64_t seed, tm_error *err)
{
    size_t blocks = block && block < n ? n / block : 1;
    *out = (pair_layout){.n = n, .blocks = blocks};
    out->order = mem_array(n, sizeof *out->order);
    out->starts = mem_array(blocks + 1, sizeof *out->starts);
    if (!out->order || !out->starts) {
        pair_layout_clear(out);
        return tm_fail_memory(err, "the pairs of samples");
    }
    for (size_t i = 0; i < n; i++)
        out->order[i] = i;
    if (blocks > 1) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        tm_rng_permutation(&rng, out->order, n);
    }
    for (size_t b = 0; b <= blocks; b++)
        out->starts[b] = b < blocks ? b * block : n;
    for (size_t b = 0; b < blocks; b++)
        out->rows += pair_count(out->starts[b + 1] - out->starts[b]);
    tm_status status = check_size(out, err);
    if (status != TM_OK)
        pair_layout_clear(out);
    return status;
}

double pair_means(double *sums, size_t m)
{
    double size = (double)m, all = 0;
    for (size_t i = 0; i < m; i++) {
        sums[i] /= size;
        all += sums[i];
    }
    return all / size;
}

PER_MACHINE
static void centre_row(double *restrict row, const double *restrict means, size_t count, double own,
                       double scale)
{
    for (size_t j = 0; j < count; j++)
        row[j] = scale * (row[j] + (own - means[j]));
}

void pair_centre(double *triangle, size_t m, double *sums, double scale)
{
    double all = pair_means(sums, m);
    for (size_t i = 0; i < m; i++, triangle += m - i + 1) {
        double own = all - sums[i];
        *triangle = scale * (*triangle + (own - sums[i]));
        centre_row(triangle + 1, sums + i + 1, m - i - 1, own, PAIR_SCALE * scale);
    }
}
