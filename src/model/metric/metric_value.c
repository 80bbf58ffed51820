#include "model/metric/metrics.h"

#include "base/memory.h"
#include "base/numeric/kept_sum.h"
#include "base/numeric/sort_scores.h"
#include "model/loss/loss.h"
#include "model/loss/residual.h"

#include <math.h>
#include <stdlib.h>

/* ---- predictions: a row counts as +1 when z > 0 -------------------------------------------- */

tm_confusion tm_confusion_of(const double *y, const double *z, size_t n)
{
    size_t hits = 0, positives = 0, chosen = 0;
    for (size_t i = 0; i < n; i++) {
        hits += (y[i] > 0) & (z[i] > 0);
        positives += y[i] > 0;
        chosen += z[i] > 0;
    }
    return (tm_confusion){.tp = hits,
                          .fp = chosen - hits,
                          .fn = positives - hits,
                          .tn = n - positives - chosen + hits};
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

double metric_accuracy(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    return (double)(t.tp + t.tn) / (double)n;
}

double metric_error(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    return (double)(t.fp + t.fn) / (double)n;
}

double metric_precision(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    return ratio((double)t.tp, (double)(t.tp + t.fp));
}

double metric_recall(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    return ratio((double)t.tp, (double)(t.tp + t.fn));
}

static double f_score(const tm_confusion *t, double beta)
{
    double share = beta * beta, hits = (1 + share) * (double)t->tp;
    return ratio(hits, hits + (double)t->fp + share * (double)t->fn);
}

double metric_f1(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    return f_score(&t, 1);
}

double metric_fbeta(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    tm_confusion t = tm_confusion_of(y, z, n);
    return f_score(&t, a->number);
}

double metric_balanced_accuracy(const double *y, const double *z, size_t n,
                                const tm_metric_argument *a)
{
    (void)a;
    tm_confusion t = tm_confusion_of(y, z, n);
    size_t positives = t.tp + t.fn, negatives = t.tn + t.fp;
    double right = ratio((double)t.tp, (double)positives) + ratio((double)t.tn, (double)negatives);
    return positives > 0 && negatives > 0 ? right / 2 : right;
}

/* ---- orders -------------------------------------------------------------------------------- */

/* The rows by descending score, malloc'ed; NULL when a score is NaN, which cannot be ordered, or
 * memory ran out. */
static scored *ordered(const double *y, const double *z, size_t n)
{
    scored *s = mem_array(n, sizeof *s);
    bool good = s;
    for (size_t i = 0; good && i < n; i++) {
        s[i] = (scored){z[i], y[i]};
        good = !isnan(z[i]);
    }
    if (good && sort_scores(s, n))
        return s;
    free(s);
    return NULL;
}

/* Rows with equal scores. */
typedef struct tie {
    size_t from, to; /* positions from .. to - 1 */
    double positives;
} tie;

static bool next_tie(tie *t, const scored *s, size_t n)
{
    if (t->to == n)
        return false;
    *t = (tie){.from = t->to, .to = t->to};
    for (; t->to < n && s[t->to].score == s[t->from].score; t->to++)
        t->positives += s[t->to].of > 0;
    return true;
}

/* The fraction of (positive, negative) pairs in the right order; ties count one half. */
double metric_auc(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    scored *s = ordered(y, z, n);
    double above = 0, won = 0; /* positives above; pairs in the right order */
    if (!s)
        return NAN;
    for (tie t = {0}; next_tie(&t, s, n);) {
        double negatives = (double)(t.to - t.from) - t.positives;
        won += negatives * (above + t.positives / 2);
        above += t.positives;
    }
    free(s);
    double negatives = (double)n - above;
    return above > 0 && negatives > 0 ? won / (above * negatives) : NAN;
}

/* The sum over thresholds of the precision times the gain in recall. */
double metric_average_precision(const double *y, const double *z, size_t n,
                                const tm_metric_argument *a)
{
    (void)a;
    scored *s = ordered(y, z, n);
    double found = 0, sum = 0;
    if (!s)
        return NAN;
    for (tie t = {0}; next_tie(&t, s, n);) {
        found += t.positives;
        sum += t.positives * found / (double)t.to;
    }
    free(s);
    return ratio(sum, found);
}

/* Hits among the first k rows, and the denominators of precision and recall. */
typedef struct head {
    double hits, k, positives;
} head;

static double rows_of(const tm_metric_argument *a, double positives, double n)
{
    double k = a->of_positives ? floor(a->number * positives + 0.5) : a->number;
    return fmin(fmax(k, 1), n);
}

/* Rows tied across position k contribute their average. False when the scores cannot be ordered. */
static bool count_head(head *out, const double *y, const double *z, size_t n,
                       const tm_metric_argument *a)
{
    scored *s = ordered(y, z, n);
    if (!s)
        return false;
    *out = (head){0};
    for (size_t i = 0; i < n; i++)
        out->positives += y[i] > 0;
    out->k = rows_of(a, out->positives, (double)n);
    for (tie t = {0}; next_tie(&t, s, n) && (double)t.from < out->k;) {
        double size = (double)(t.to - t.from), taken = fmin(size, out->k - (double)t.from);
        out->hits += t.positives * taken / size;
    }
    free(s);
    return true;
}

double metric_precision_at(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    head h;
    return count_head(&h, y, z, n, a) ? h.hits / h.k : NAN;
}

double metric_recall_at(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    head h;
    return count_head(&h, y, z, n, a) ? ratio(h.hits, h.positives) : NAN;
}

/* The head has as many rows as there are positives, so that precision and recall are equal. */
double metric_prbep(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    return metric_precision_at(y, z, n, &(tm_metric_argument){1, true});
}

/* ---- probabilities ------------------------------------------------------------------------- */

/* log(1 + exp(-m)) without overflow. */
double metric_log_loss(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double m = y[i] > 0 ? z[i] : -z[i];
        sum += m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    }
    return sum / (double)n;
}

/* ---- any response -------------------------------------------------------------------------- */

/* The squares of y - z, or of y - mean where z is NULL: block by block, since sums of one number
 * after another took 11 % of a path on 47,627 rows. */
static double squared_error(const double *y, const double *z, double mean, size_t n)
{
    double part[LOSS_BLOCK];
    kept_sum sum = {0};
    for (size_t from = 0; from < n; from += LOSS_BLOCK) {
        size_t count = n - from < LOSS_BLOCK ? n - from : LOSS_BLOCK;
        for (size_t i = 0; i < count; i++)
            part[i] = y[from + i] - (z ? z[from + i] : mean);
        for (size_t i = 0; i < count; i++)
            part[i] *= part[i];
        kept_add(&sum, loss_block_sum(part, count));
    }
    return kept_total(&sum);
}

double metric_mse(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    return squared_error(y, z, 0, n) / (double)n;
}

double metric_mae(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(y[i] - z[i]);
    return sum / (double)n;
}

double metric_r2(const double *y, const double *z, size_t n, const tm_metric_argument *a)
{
    (void)a;
    if (n < 2)
        return NAN;
    bool constant = true;
    for (size_t i = 1; i < n; i++)
        constant &= y[i] == y[0];
    double error = squared_error(y, z, 0, n);
    double spread = squared_error(y, NULL, residual_sum(y, n) / (double)n, n);
    /* Decided from the values: a rounding error in the mean would look like a spread. */
    if (constant || spread == 0)
        return error == 0 ? 1 : 0;
    return 1 - error / spread;
}
