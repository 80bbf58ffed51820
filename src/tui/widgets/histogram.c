#include "tui/widgets/histogram.h"

#include <math.h>
#include <string.h>

static size_t bin_of(const histogram *h, double value)
{
    /* Computed with halves, as the difference of two finite numbers may overflow. */
    double share = (0.5 * value - 0.5 * h->low) / (0.5 * h->high - 0.5 * h->low);
    if (h->whole)
        return (size_t)(value - h->low);
    if (!(share > 0))
        return 0;
    size_t bin = (size_t)(share * (double)h->bins);
    return bin < h->bins ? bin : h->bins - 1;
}

/* Chooses bins between round numbers, at most `most` of them; false if there are none. */
static bool round_bins(histogram *h, size_t most)
{
    static const double steps[] = {1, 2, 2.5, 3, 4, 5, 6, 8, 10, 20, 50};
    double range = h->high - h->low;
    double unit = pow(10.0, floor(log10(range / (double)most)));
    /* If steps were near the rounding error of the numbers, edges would coincide. */
    if (!isfinite(range) || !(unit > 1e-12 * fmax(fabs(h->low), fabs(h->high))) || unit < 1e-300)
        return false;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double step = steps[i] * unit;
        double first = floor(h->low / step), last = ceil(h->high / step);
        if (last - first <= (double)most) {
            h->low = first * step;
            h->high = last * step;
            h->bins = (size_t)(last - first);
            return true;
        }
    }
    return false;
}

static void choose_bins(histogram *h, size_t n, bool whole, size_t most)
{
    h->whole = whole && h->high - h->low < (double)most;
    if (h->whole || !(h->high > h->low)) {
        h->bins = h->whole ? (size_t)(h->high - h->low) + 1 : 1;
        return;
    }
    /* Few values need few bins; with many, most would be empty. */
    double enough = ceil(3.0 * cbrt((double)n));
    most = enough < (double)most ? (size_t)enough : most;
    if (!round_bins(h, most))
        h->bins = most;
}

void histogram_fill(histogram *h, const double *values, const double *sign, size_t n, size_t most)
{
    memset(h, 0, sizeof *h);
    if (n == 0)
        return;
    bool whole = true;
    h->low = h->high = values[0];
    for (size_t i = 0; i < n; i++) {
        h->low = values[i] < h->low ? values[i] : h->low;
        h->high = values[i] > h->high ? values[i] : h->high;
        whole = whole && values[i] == floor(values[i]);
    }
    most = most < 1 ? 1 : most > HISTOGRAM_BINS ? HISTOGRAM_BINS : most;
    choose_bins(h, n, whole, most);
    for (size_t i = 0; i < n; i++) {
        int side = sign && sign[i] > 0 ? 1 : 0;
        h->counts[side][bin_of(h, values[i])]++;
        h->total[side]++;
    }
}

double histogram_edge(const histogram *h, size_t i)
{
    if (h->whole)
        return h->low + (double)i;
    double share = (double)i / (double)h->bins;
    return h->low * (1.0 - share) + h->high * share;
}

double histogram_peak(const histogram *h)
{
    double peak = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < h->bins && h->total[side] > 0; i++) {
            double share = (double)h->counts[side][i] / (double)h->total[side];
            peak = share > peak ? share : peak;
        }
    }
    return peak;
}
