/* Configurations from axes: grids and random draws. */
#include "run/plan/grid.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>

enum { MAX_CONFIGS = 1000000 };

void tm_sweep_values_free(char **values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        free(values[i]);
    free(values);
}

tm_status tm_sweep_grid(char ***out, size_t *configs, const tm_sweep_axis *axes, size_t axis_count,
                        tm_error *err)
{
    size_t total = 1;
    *out = NULL;
    for (size_t a = 0; a < axis_count; a++) {
        if (axes[a].count == 0)
            return tm_fail(err, TM_EUSAGE, "the axis '%.60s' of the grid has no values",
                           axes[a].name);
        total *= axes[a].count;
        if (total > MAX_CONFIGS)
            return tm_fail(err, TM_EUSAGE, "the grid has more than %d configurations", MAX_CONFIGS);
    }
    char **values = mem_zeros(total * axis_count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a grid");
    for (size_t c = 0; c < total; c++)
        for (size_t a = axis_count, rest = c; a-- > 0; rest /= axes[a].count) {
            values[c * axis_count + a] = text_copy(axes[a].values[rest % axes[a].count]);
            if (values[c * axis_count + a])
                continue;
            tm_sweep_values_free(values, total * axis_count);
            return tm_fail_memory(err, "a grid");
        }
    *out = values;
    *configs = total;
    return TM_OK;
}

tm_status sweep_axis_check(const tm_sweep_axis *axis, tm_error *err)
{
    if (axis->count > 0)
        return TM_OK;
    if (!(axis->min <= axis->max) || !isfinite(axis->min) || !isfinite(axis->max))
        return tm_fail(err, TM_EUSAGE, "the range of '%.60s' is %g to %g; expected min <= max",
                       axis->name, axis->min, axis->max);
    if (axis->log && !(axis->min > 0))
        return tm_fail(err, TM_EUSAGE,
                       "the range of '%.60s' begins at %g, which has no logarithm; expected a "
                       "number above 0",
                       axis->name, axis->min);
    return TM_OK;
}

/* The upper end of the range, such that every whole number is equally likely, unless drawn by its
 * logarithm. */
static double end_of(const tm_sweep_axis *axis)
{
    bool spread = axis->whole && !axis->log;
    return spread ? floor(axis->max) + 1 - 1e-9 * (fabs(axis->max) + 1) : axis->max;
}

char *sweep_axis_text(const tm_sweep_axis *axis, double place)
{
    char text[40];
    double low = axis->min, high = end_of(axis);
    double value =
        axis->log ? exp(log(low) + (log(high) - log(low)) * place) : low + (high - low) * place;
    if (axis->whole)
        value = axis->log ? round(value) : floor(value);
    text_from_real(value, text, sizeof text);
    return text_copy(text);
}

double sweep_axis_place(const tm_sweep_axis *axis, double value)
{
    double low = axis->min, high = end_of(axis);
    if (!(high > low))
        return 0;
    double middle = axis->whole && !axis->log ? value + 0.5 : value;
    double place = axis->log ? (log(value) - log(low)) / (log(high) - log(low))
                             : (middle - low) / (high - low);
    return fmin(fmax(place, 0), 1);
}

static char *draw(const tm_sweep_axis *axis, tm_rng *rng)
{
    if (axis->count > 0)
        return text_copy(axis->values[tm_rng_below(rng, axis->count)]);
    return sweep_axis_text(axis, tm_rng_uniform(rng));
}

tm_status tm_sweep_random(char ***out, const tm_sweep_axis *axes, size_t axis_count, size_t count,
                          uint64_t seed, tm_error *err)
{
    tm_rng rng;
    *out = NULL;
    for (size_t a = 0; a < axis_count; a++)
        if (sweep_axis_check(&axes[a], err) != TM_OK)
            return TM_EUSAGE;
    if (count < 1 || count > MAX_CONFIGS)
        return tm_fail(err, TM_EUSAGE,
                       "the random search draws %zu configurations; expected 1 to %d", count,
                       MAX_CONFIGS);
    char **values = mem_zeros(count * axis_count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a random search");
    tm_rng_seed(&rng, seed);
    for (size_t i = 0; i < count * axis_count; i++) {
        values[i] = draw(&axes[i % axis_count], &rng);
        if (values[i])
            continue;
        tm_sweep_values_free(values, count * axis_count);
        return tm_fail_memory(err, "a random search");
    }
    *out = values;
    return TM_OK;
}
