#include "screen/saif_add.h"

#include "base/memory.h"
#include "base/numeric/top_k.h"

#include <math.h>

saif_add_limits saif_add_limits_of(double median, double max, double lambda, size_t p, double c,
                                   double zeta)
{
    double h = ceil(c * log((median + max) / lambda) * log((double)p));
    h = isfinite(h) ? fmin(fmax(h, 1), (double)p) : 1;
    double slack = fmin(fmax(ceil(zeta * h), 1), (double)p);
    return (saif_add_limits){(size_t)h, (size_t)slack};
}

/* ---- choosing ------------------------------------------------------------------------------ */

double screen_centre(const screen_features *f, size_t j, const ball *b)
{
    return screen_correlation(f, j, ball_centre_product(b, f->xr[j], f->xy[j])) /
           screen_factor(f, j);
}

/* The number of features in the descending list, other than j and not yet taken, whose upper bound
 * reaches `lower`. Counting stops at `enough`. */
static size_t count_rivals(const best *uppers, const bool *taken, double lower, size_t j,
                           size_t enough)
{
    size_t rivals = 0;
    for (size_t k = 0; k < uppers->count && rivals < enough; k++) {
        if (uppers->picks[k].score < lower)
            break;
        rivals += uppers->picks[k].unit != j && !taken[k];
    }
    return rivals;
}

static void take(const best *uppers, bool *taken, size_t j)
{
    for (size_t k = 0; k < uppers->count; k++)
        if (uppers->picks[k].unit == j)
            taken[k] = true;
}

static tm_status few_new(best *few, size_t most, tm_error *err)
{
    return best_init(few, most) ? TM_OK : tm_fail_memory(err, "the features to add");
}

tm_status saif_add_choose(const screen_features *features, const bool *in_active, const ball *b,
                          const saif_add_limits *limits, saif_added *added, tm_error *err)
{
    best scores = {0}, uppers = {0};
    added->count = 0;
    added->greatest_upper = 0;
    tm_status status = few_new(&scores, limits->most, err);
    /* Up to `slack` rivals are counted, besides the feature itself and those chosen before it. */
    if (status == TM_OK)
        status = few_new(&uppers, limits->most + limits->slack + 1, err);
    for (size_t j = 0; status == TM_OK && j < features->count; j++) {
        if (in_active[j] || features->norms[j] == 0)
            continue;
        best_put(&scores, j, screen_centre(features, j, b));
        best_put(&uppers, j, screen_upper(features, j, b));
    }
    bool *taken = mem_zeros(uppers.room, sizeof *taken);
    if (status == TM_OK && !taken)
        status = tm_fail_memory(err, "the features to add");
    if (status == TM_OK) {
        best_sort(&scores);
        best_sort(&uppers);
        if (uppers.count > 0)
            added->greatest_upper = uppers.picks[0].score;
        for (size_t i = 0; i < scores.count; i++) {
            size_t j = (size_t)scores.picks[i].unit;
            double lower = screen_lower(features, j, b);
            if (count_rivals(&uppers, taken, lower, j, limits->slack) >= limits->slack)
                break;
            added->features[added->count++] = j;
            take(&uppers, taken, j);
        }
    }
    best_clear(&scores);
    best_clear(&uppers);
    free(taken);
    return status;
}

tm_status screen_best(const screen_features *features, const bool *in_active, const ball *b,
                      size_t most, size_t *chosen, size_t *count, tm_error *err)
{
    best scores;
    *count = 0;
    tm_status status = few_new(&scores, most, err);
    if (status != TM_OK)
        return status;
    for (size_t j = 0; j < features->count; j++)
        if (!in_active[j] && features->norms[j] > 0)
            best_put(&scores, j, screen_centre(features, j, b));
    best_sort(&scores);
    for (size_t i = 0; i < scores.count; i++)
        chosen[(*count)++] = (size_t)scores.picks[i].unit;
    best_clear(&scores);
    return TM_OK;
}

tm_status screen_greatest(const double *scores, const bool *skip, size_t p, size_t most,
                          size_t *chosen, size_t *count, tm_error *err)
{
    best few;
    *count = 0;
    tm_status status = few_new(&few, most < p ? most : p, err);
    if (status != TM_OK)
        return status;
    for (size_t j = 0; j < p; j++)
        if (!skip[j])
            best_put(&few, j, scores[j]);
    best_sort(&few);
    for (size_t i = 0; i < few.count; i++)
        chosen[(*count)++] = (size_t)few.picks[i].unit;
    best_clear(&few);
    return TM_OK;
}
