/* Time of one most violated labeling against n, and of the same by trying every contingency table.
 *
 * usage: labeling [GREATEST_N]     one line a size and measure: measure n seconds
 * [seconds_of_all_tables] All tables are tried while there are at most 1e9 of them. */
#include "model/metric/multivariate_loss.h"
#include "seconds.h"
#include "tamis/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_TABLES = 1e9;

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The value of the worst labeling for F1: sorted scores, then every pair (tp, fp). */
static double try_all_tables(const double *y, const double *v, size_t n)
{
    double *side[2] = {malloc((n + 1) * sizeof(double)), malloc((n + 1) * sizeof(double))};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        side[y[i] > 0][count[y[i] > 0]++] = v[i];
    for (int c = 0; c < 2; c++)
        qsort(side[c], count[c], sizeof(double), descending);
    double given_up = 0, best = -INFINITY, positives = (double)count[1];
    for (size_t i = 0; i < count[1]; i++)
        given_up += 2 * side[1][i];
    for (size_t tp = 0; tp <= count[1]; tp++) {
        double taken = 0;
        for (size_t fp = 0; fp <= count[0]; fp++) {
            double f1 = 2 * (double)tp / (positives + (double)tp + (double)fp);
            best = fmax(best, 100 * (1 - f1) - given_up + taken);
            taken += fp < count[0] ? 2 * side[0][fp] : 0;
        }
        given_up -= tp < count[1] ? 2 * side[1][tp] : 0;
    }
    free(side[0]);
    free(side[1]);
    return best;
}

static void measure_one(const char *name, const double *y, const double *v, size_t n,
                        double positives)
{
    measure m;
    labeler *l;
    if (measure_find(&m, name, NULL) != TM_OK || labeler_new(&l, &m, y, n, "bench", NULL) != TM_OK)
        exit(1);
    int repeats = n < 100000 ? 20 : 5;
    double value = 0, began = seconds_now();
    for (int r = 0; r < repeats; r++) {
        labeling found = labeler_worst(l, v);
        value = labeling_value(&found, v);
    }
    printf("%s %zu %.6f", name, n, (seconds_now() - began) / repeats);
    if (strcmp(name, "f1") == 0 && positives * ((double)n - positives) <= MAX_TABLES) {
        began = seconds_now();
        double other = try_all_tables(y, v, n);
        printf(" %.6f", seconds_now() - began);
        if (fabs(other - value) > 1e-9 * fabs(value))
            exit(1);
    }
    putchar('\n');
    labeler_free(l);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"hamming", "f1",      "prec@10",   "rec@2p",
                                        "prbep",   "rocarea", "fbeta@0.5", "ap"};
    size_t most = argc > 1 ? (size_t)atof(argv[1]) : 1000000;
    double *y = malloc(most * sizeof *y), *v = malloc(most * sizeof *v);
    tm_rng rng;
    tm_rng_seed(&rng, 1);
    for (size_t n = 1000; y && v && n <= most; n *= 10) {
        double positives = 0;
        for (size_t i = 0; i < n; i++) {
            y[i] = tm_rng_uniform(&rng) < 0.1 ? 1 : -1;
            v[i] = y[i] + 2 * tm_rng_normal(&rng);
            positives += y[i] > 0;
        }
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            measure_one(names[k], y, v, n, positives);
    }
    free(y);
    free(v);
    return 0;
}
