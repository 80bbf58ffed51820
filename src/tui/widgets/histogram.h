/* Counts of values in intervals, for one or two classes. */
#ifndef TUI_WIDGETS_HISTOGRAM_H
#define TUI_WIDGETS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum { HISTOGRAM_BINS = 32 };

typedef struct histogram {
    size_t bins;
    bool whole;                       /* a bin is one whole number: low, low + 1, ... */
    double low, high;                 /* the first bin's begin, the last one's end or number; round
                                         numbers where that is possible */
    size_t counts[2][HISTOGRAM_BINS]; /* of the classes -1 and +1; all in [0] when there are none */
    size_t total[2];
} histogram;

/* Counts values[0..n) in at most `most` (1..HISTOGRAM_BINS) bins; `sign` tells the class by its
 * sign, NULL: one class. All values are finite. */
void histogram_fill(histogram *h, const double *values, const double *sign, size_t n, size_t most);
/* Where bin i begins, or its number. */
double histogram_edge(const histogram *h, size_t i);
/* The greatest share that one bin has of its class. */
double histogram_peak(const histogram *h);

#endif
