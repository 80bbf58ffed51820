#include "tamis/compare.h"

#include "base/memory.h"
#include "base/numeric/order.h"

#include <math.h>

enum { MAX_EXACT = 50 };

/* ---- Student's t --------------------------------------------------------------------------- */

/* The continued fraction of the incomplete beta function (Lentz), for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    static const double TINY = 1e-300;
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), TINY), value = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b). */
static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x >= 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* `ratio`: number of test rows divided by the number of training rows, which overlap between pairs;
 * 0 for independent pairs. Returns the mean. */
static double student(const double *difference, size_t n, double ratio, double *t, double *p)
{
    double mean = 0, squares = 0, nu = (double)(n - 1);
    for (size_t i = 0; i < n; i++)
        mean += difference[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (difference[i] - mean) * (difference[i] - mean);
    double se = sqrt(squares / nu / (double)n * (1 + ratio * (double)n));
    *t = mean == 0 ? 0 : mean / se;
    *p = mean == 0 ? 1 : se > 0 ? incomplete_beta(nu / 2, 0.5, nu / (nu + *t * *t)) : 0;
    return mean;
}

/* ---- Wilcoxon's signed ranks --------------------------------------------------------------- */

static int compare_sizes(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

/* P(W <= w) when each of the ranks 1..n has a random sign; the counts are exact in double
 * precision. */
static double signed_rank_cdf(size_t n, size_t w)
{
    double ways[MAX_EXACT * (MAX_EXACT + 1) / 2 + 1] = {1}, sum = 0;
    size_t top = 0;
    for (size_t rank = 1; rank <= n; rank++) {
        top += rank;
        for (size_t s = top; s >= rank; s--)
            ways[s] += ways[s - rank];
    }
    for (size_t s = 0; s <= w && s <= top; s++)
        sum += ways[s];
    return sum / exp2((double)n);
}

/* Sums the ranks of positive and negative differences, sorted by size; returns sum of t^3 - t over
 * the ties. */
static double rank_sums(const double *sorted, size_t n, double *positive, double *negative)
{
    double ties = 0;
    *positive = *negative = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && fabs(sorted[j]) == fabs(sorted[i]); j++)
            ;
        double rank = ((double)(i + 1) + (double)j) / 2, t = (double)(j - i);
        for (size_t k = i; k < j; k++)
            *(sorted[k] > 0 ? positive : negative) += rank;
        ties += t * t * t - t;
    }
    return ties;
}

static void signed_ranks(tm_comparison *out, double *difference, size_t n)
{
    double positive, negative;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (difference[i] != 0)
            difference[kept++] = difference[i];
    qsort(difference, kept, sizeof *difference, compare_sizes);
    double ties = rank_sums(difference, kept, &positive, &negative);
    out->wilcoxon = fmin(positive, negative);
    out->exact = kept == n && ties == 0 && n <= MAX_EXACT;
    double m = (double)kept;
    if (out->exact) {
        out->wilcoxon_p = fmin(2 * signed_rank_cdf(n, (size_t)out->wilcoxon), 1);
        return;
    }
    double variance = m * (m + 1) * (2 * m + 1) / 24 - ties / 48;
    double z = variance > 0 ? (out->wilcoxon - m * (m + 1) / 4) / sqrt(variance) : 0;
    out->wilcoxon_p = erfc(fabs(z) / sqrt(2));
}

/* a - b, malloc'ed. */
static tm_status differences(double **out, const double *a, const double *b, size_t n,
                             tm_error *err)
{
    *out = NULL;
    if (n < 2)
        return tm_fail(err, TM_EUSAGE, "a paired test needs two pairs or more, not %zu", n);
    double *difference = mem_array(n, sizeof *difference);
    if (!difference)
        return tm_fail_memory(err, "a paired test");
    for (size_t i = 0; i < n; i++) {
        difference[i] = a[i] - b[i];
        if (isfinite(difference[i]))
            continue;
        free(difference);
        return tm_fail(err, TM_EDATA,
                       "pair %zu of the test is not finite: %g and %g; leave such "
                       "pairs out",
                       i + 1, a[i], b[i]);
    }
    *out = difference;
    return TM_OK;
}

tm_status tm_compare_paired(tm_comparison *out, const double *a, const double *b, size_t n,
                            tm_error *err)
{
    double *difference;
    tm_status status = differences(&difference, a, b, n, err);
    if (status != TM_OK)
        return status;
    out->mean_difference = student(difference, n, 0, &out->t, &out->t_p);
    signed_ranks(out, difference, n);
    free(difference);
    return TM_OK;
}

tm_status tm_compare_corrected(double *t, double *p, const double *a, const double *b, size_t n,
                               double ratio, tm_error *err)
{
    double *difference;
    if (!(ratio >= 0) || !isfinite(ratio))
        return tm_fail(err, TM_EUSAGE,
                       "the ratio of test to training rows is %g; expected a number, 0 or more",
                       ratio);
    tm_status status = differences(&difference, a, b, n, err);
    if (status != TM_OK)
        return status;
    student(difference, n, ratio, t, p);
    free(difference);
    return TM_OK;
}

/* ---- several tests ------------------------------------------------------------------------- */

tm_status tm_compare_holm(double *p, size_t count, tm_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return tm_fail(err, TM_EUSAGE, "p value %zu is %g; expected a number from 0 to 1",
                           i + 1, p[i]);
    ranked *list = mem_array(count, sizeof *list);
    if (!list)
        return tm_fail_memory(err, "Holm's correction");
    for (size_t i = 0; i < count; i++)
        list[i] = (ranked){p[i], i};
    qsort(list, count, sizeof *list, order_ranked);
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmax(least, fmin((double)(count - i) * list[i].value, 1));
        p[list[i].place] = least;
    }
    free(list);
    return TM_OK;
}
