/* Counts of values in intervals, for one or two classes. */
#ifndef TUI_WIDGETS_HISTOGRAM_H
#define TUI_WIDGETS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum { HISTOGRAM_BINS = 32 };

typedef struct histogram {
    size_t bins;
    bool whole;                       /* each bin is one whole number: low, low + 1, ... */
    double low, high;                 /* the first bin's lower edge, and the last one's upper edge
                                       * or number; round numbers if possible */
    size_t counts[2][HISTOGRAM_BINS]; /* counts of the classes -1 and +1; all in [0] when there are
                                       * no classes */
    size_t total[2];
} histogram;

/* Counts values[0..n) in at most `most` (1..HISTOGRAM_BINS) bins; the class is the sign of `sign`;
 * NULL: one class. All values must be finite. */
void histogram_fill(histogram *h, const double *values, const double *sign, size_t n, size_t most);
/* The lower edge of bin i, or its number. */
double histogram_edge(const histogram *h, size_t i);
/* The greatest share that one bin has of its class. */
double histogram_peak(const histogram *h);

#endif
