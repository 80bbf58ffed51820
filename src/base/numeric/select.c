#include "base/numeric/select.h"

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* The median of the first, middle and last value: ordered or equal values are halved, too. */
static double middle_of(const double *v, size_t from, size_t to)
{
    double a = v[from], b = v[from + (to - from) / 2], c = v[to];
    double least = a < b ? a : b, most = a < b ? b : a;
    return c < least ? least : c > most ? most : c;
}

double select_rising(double *v, size_t count, size_t k)
{
    size_t from = 0, to = count - 1;
    while (from < to) {
        double pivot = middle_of(v, from, to);
        size_t low = from, high = to;
        for (;;) { /* those before low are at most the pivot, those after high at least */
            while (v[low] < pivot)
                low++;
            while (v[high] > pivot)
                high--;
            if (low >= high)
                break;
            swap(&v[low++], &v[high--]);
        }
        if (k <= high)
            to = high;
        else
            from = high + 1;
    }
    return v[k];
}
