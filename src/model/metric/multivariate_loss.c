#include "model/metric/multivariate_loss.h"

#include "base/memory.h"
#include "model/metric/labeling_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct labeler {
    measure measure;
    const double *y;
    size_t n, positives, negatives;
    double k;                   /* of PREC_AT and REC_AT: rows predicted +1 */
    sort_entry *entries, *room; /* n: positives, then negatives, each by falling score */
    uint32_t *rows;             /* n: the labeling found */
    double *u;                  /* n */
    double *values;             /* n: u of every row while it is put together */
};

/* ---- names --------------------------------------------------------------------------------- */

const char *measure_id(size_t i)
{
    static const char *const ids[] = {"hamming", "f1", "prec@k", "rec@k", "prbep", "rocarea", NULL};
    return ids[i];
}

tm_status measure_scorer(tm_scorer *out, const char *text, tm_error *err)
{
    const char *metric = strcmp(text, "hamming") == 0   ? "error"
                         : strcmp(text, "rocarea") == 0 ? "auc"
                                                        : text;
    return tm_scorer_find(out, metric, err);
}

tm_status measure_find(measure *out, const char *text, tm_error *err)
{
    static const struct {
        const char *name;
        measure_kind kind;
    } known[] = {{"hamming", MEASURE_HAMMING}, {"f1", MEASURE_F1},
                 {"prec@", MEASURE_PREC_AT},   {"rec@", MEASURE_REC_AT},
                 {"prbep", MEASURE_PRBEP},     {"rocarea", MEASURE_ROCAREA}};
    tm_scorer scorer;
    size_t length = strcspn(text, "@");
    length += text[length] == '@';
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && strncmp(text, known[i].name, length) == 0) {
            tm_status status = measure_scorer(&scorer, text, err);
            *out = (measure){known[i].kind, scorer.argument};
            return status;
        }
    return tm_fail(
        err, TM_EUSAGE,
        "measure '%.40s': expected hamming, f1, prec@K, rec@K, prbep or rocarea, K a number "
        "of rows or a multiple of the +1, as in prec@10 or rec@2p",
        text);
}

/* ---- making -------------------------------------------------------------------------------- */

static void count_rows(labeler *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->positives += l->y[i] > 0;
    l->negatives = l->n - l->positives;
    double most = (double)l->n, asked = l->measure.k.number;
    if (l->measure.k.of_positives)
        asked = floor(asked * (double)l->positives + 0.5);
    l->k = l->measure.kind == MEASURE_PRBEP ? (double)l->positives : fmin(fmax(asked, 1), most);
}

tm_status labeler_new(labeler **out, const measure *m, const double *y, size_t n, const char *name,
                      tm_error *err)
{
    *out = NULL;
    labeler *l = calloc(1, sizeof *l);
    if (!l)
        return tm_fail_memory(err, "labelings");
    *l = (labeler){.measure = *m, .y = y, .n = n};
    count_rows(l);
    l->entries = mem_array(n, sizeof *l->entries);
    l->room = mem_array(n, sizeof *l->room);
    l->rows = mem_array(n, sizeof *l->rows);
    l->u = mem_array(n, sizeof *l->u);
    l->values = mem_zeros(n, sizeof *l->values);
    tm_status status = l->entries && l->room && l->rows && l->u && l->values
                           ? TM_OK
                           : tm_fail_memory(err, "labelings");
    if (status == TM_OK && (l->positives == 0 || l->negatives == 0))
        status = tm_fail(err, TM_EDATA, "%s: all rows have the class %s; both classes are needed",
                         name, l->positives ? "+1" : "-1");
    if (status != TM_OK) {
        labeler_free(l);
        return status;
    }
    *out = l;
    return TM_OK;
}

void labeler_free(labeler *l)
{
    if (!l)
        return;
    free(l->entries);
    free(l->room);
    free(l->rows);
    free(l->u);
    free(l->values);
    free(l);
}

/* ---- the labeling found -------------------------------------------------------------------- */

/* Collects the rows of l->values that are not zero, and clears them. */
static labeling collect(labeler *l, double loss)
{
    labeling found = {.loss = loss, .rows = l->rows, .u = l->u};
    for (size_t i = 0; i < l->n; i++)
        if (l->values[i] != 0) {
            l->rows[found.count] = (uint32_t)i;
            l->u[found.count++] = l->values[i];
            l->values[i] = 0;
        }
    return found;
}

double labeling_value(const labeling *yhat, const double *v)
{
    double sum = 0;
    for (size_t k = 0; k < yhat->count; k++)
        sum += yhat->u[k] * v[yhat->rows[k]];
    return yhat->loss - sum;
}

/* Not worse than y itself, whose value is 0. */
static labeling or_truth(const labeling *found, const double *v)
{
    return labeling_value(found, v) > 0 ? *found : (labeling){.rows = found->rows, .u = found->u};
}

static labeling worst_hamming(labeler *l, const double *v)
{
    size_t flips = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->y[i] * v[i] < 1) {
            l->values[i] = 2 * l->y[i];
            flips++;
        }
    return collect(l, 2 * (double)flips);
}

/* ---- sorted rows --------------------------------------------------------------------------- */

/* Positives into the first places, negatives behind them, each by falling score plus `shift` of its
 * class. */
static void sort_rows(labeler *l, const double *v)
{
    size_t at[2] = {l->positives, 0};
    for (size_t i = 0; i < l->n; i++)
        l->entries[at[l->y[i] > 0]++] = (sort_entry){sort_key(v[i]), (uint32_t)i};
    sort_entries(l->entries, l->room, l->positives);
    sort_entries(l->entries + l->positives, l->room, l->negatives);
}

static const sort_entry *positive_at(const labeler *l, size_t place)
{
    return &l->entries[place];
}

static const sort_entry *negative_at(const labeler *l, size_t place)
{
    return &l->entries[l->positives + place];
}

/* ---- contingency tables -------------------------------------------------------------------- */

/* Delta of a labeling with `tp` true and `fp` false positives. */
static double table_loss(const labeler *l, size_t tp, size_t fp)
{
    double hits = (double)tp, p = (double)l->positives;
    switch (l->measure.kind) {
    case MEASURE_F1:
        return 100 * (1 - 2 * hits / (p + hits + (double)fp));
    case MEASURE_REC_AT:
        return 100 * (1 - hits / p);
    case MEASURE_PREC_AT:
    case MEASURE_PRBEP:
        return 100 * (1 - hits / l->k);
    default:
        return 2 * (p - hits + (double)fp);
    }
}

typedef struct table_choice {
    size_t tp, fp;
    double value;
} table_choice;

/* The scores of the positives that a labeling with tp = 0 gives up, each counted twice. */
static double all_positives(const labeler *l, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < l->positives; i++)
        sum += 2 * v[positive_at(l, i)->row];
    return sum;
}

/* What one more false positive changes: 2 v of the next negative, less the loss that falls. It
 * falls with fp, and rises with tp: so the best fp of one tp is not below that of the tp before. */
static double gain_of_false_positive(const labeler *l, const double *v, size_t tp, size_t fp)
{
    double whole = (double)(l->positives + tp + fp);
    return 2 * v[negative_at(l, fp)->row] + 200 * (double)tp / (whole * (whole + 1));
}

static table_choice choose_f1(const labeler *l, const double *v)
{
    table_choice best = {.value = -INFINITY};
    double given_up = all_positives(l, v), taken = 0;
    size_t fp = 0;
    for (size_t tp = 0; tp <= l->positives; tp++) {
        if (tp > 0)
            given_up -= 2 * v[positive_at(l, tp - 1)->row];
        for (; fp < l->negatives && gain_of_false_positive(l, v, tp, fp) > 0; fp++)
            taken += 2 * v[negative_at(l, fp)->row];
        double value = table_loss(l, tp, fp) - given_up + taken;
        if (value > best.value)
            best = (table_choice){tp, fp, value};
    }
    return best;
}

/* Exactly k rows predicted +1. */
static table_choice choose_head(const labeler *l, const double *v)
{
    size_t k = (size_t)l->k, from = k > l->negatives ? k - l->negatives : 0;
    size_t to = k < l->positives ? k : l->positives;
    table_choice best = {.value = -INFINITY};
    double given_up = all_positives(l, v), taken = 0;
    for (size_t i = 0; i < from; i++)
        given_up -= 2 * v[positive_at(l, i)->row];
    for (size_t j = 0; j < k - from; j++)
        taken += 2 * v[negative_at(l, j)->row];
    for (size_t tp = from; tp <= to; tp++) {
        if (tp > from) {
            given_up -= 2 * v[positive_at(l, tp - 1)->row];
            taken -= 2 * v[negative_at(l, k - tp)->row];
        }
        double value = table_loss(l, tp, k - tp) - given_up + taken;
        if (value > best.value)
            best = (table_choice){tp, k - tp, value};
    }
    return best;
}

/* The positives of least score are given up, the negatives of greatest score taken. */
static labeling worst_table(labeler *l, const double *v)
{
    sort_rows(l, v);
    table_choice best = l->measure.kind == MEASURE_F1 ? choose_f1(l, v) : choose_head(l, v);
    for (size_t i = best.tp; i < l->positives; i++)
        l->values[positive_at(l, i)->row] = 2;
    for (size_t j = 0; j < best.fp; j++)
        l->values[negative_at(l, j)->row] = -2;
    labeling found = collect(l, table_loss(l, best.tp, best.fp));
    return or_truth(&found, v);
}

/* ---- swapped pairs ------------------------------------------------------------------------- */

static double pair_weight(const labeler *l)
{
    return 100 / ((double)l->positives * (double)l->negatives);
}

/* A pair is swapped when v_i - v_j < 1: for each positive these are the first negatives, and more
 * of them as v_i falls. So a negative that joins at place i is swapped with all positives from
 * there on. */
static labeling worst_pairs(labeler *l, const double *v)
{
    double weight = pair_weight(l), swapped = 0;
    size_t above = 0;
    sort_rows(l, v);
    for (size_t i = 0; i < l->positives; i++) {
        uint32_t row = positive_at(l, i)->row;
        for (; above < l->negatives && v[row] - v[negative_at(l, above)->row] < 1; above++)
            l->values[negative_at(l, above)->row] = -weight * (double)(l->positives - i);
        l->values[row] = weight * (double)above;
        swapped += (double)above;
    }
    return collect(l, weight * swapped);
}

labeling labeler_worst(labeler *l, const double *v)
{
    switch (l->measure.kind) {
    case MEASURE_HAMMING:
        return worst_hamming(l, v);
    case MEASURE_ROCAREA:
        return worst_pairs(l, v);
    default:
        return worst_table(l, v);
    }
}

double labeler_greatest_loss(labeler *l)
{
    double *zero = mem_zeros(l->n, sizeof *zero);
    double loss = zero ? labeler_worst(l, zero).loss : NAN;
    free(zero);
    return loss;
}

/* ---- checking a labeling ------------------------------------------------------------------- */

static bool rows_ascend(const labeler *l, const labeling *yhat)
{
    for (size_t k = 0; k < yhat->count; k++)
        if (yhat->rows[k] >= l->n || (k > 0 && yhat->rows[k] <= yhat->rows[k - 1]))
            return false;
    return true;
}

static bool accepts_table(const labeler *l, const labeling *yhat)
{
    size_t fn = 0, fp = 0;
    for (size_t k = 0; k < yhat->count; k++) {
        double y = l->y[yhat->rows[k]];
        if (yhat->u[k] != 2 * y)
            return false;
        *(y > 0 ? &fn : &fp) += 1;
    }
    size_t tp = l->positives - fn;
    bool counts = l->measure.kind == MEASURE_HAMMING || l->measure.kind == MEASURE_F1 ||
                  (double)(tp + fp) == l->k;
    return counts && fabs(table_loss(l, tp, fp) - yhat->loss) <= 1e-12 * yhat->loss;
}

static int by_rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether some bipartite graph has these degrees (both rising): Gale and Ryser. For every k the k
 * greatest of one side need at most sum_j min(t_j, k) of the other. */
static bool degrees_fit(const double *s, size_t ns, const double *t, size_t nt)
{
    double need = 0, small = 0; /* sum of the t_j below k */
    size_t below = 0;
    for (size_t k = 1; k <= ns; k++) {
        need += s[ns - k];
        for (; below < nt && t[below] < (double)k; below++)
            small += t[below];
        if (need > small + (double)k * (double)(nt - below))
            return false;
    }
    return true;
}

/* The numbers of swapped pairs of each row are whole, and some set of pairs has them. `degrees`: n.
 */
static bool accepts_pairs(const labeler *l, const labeling *yhat, double *degrees)
{
    double weight = pair_weight(l), sums[2] = {0, 0};
    size_t used[2] = {0, 0};
    double *sides[2] = {degrees + l->positives, degrees}; /* negatives, positives */
    memset(degrees, 0, l->n * sizeof *degrees);
    for (size_t k = 0; k < yhat->count; k++) {
        double y = l->y[yhat->rows[k]], pairs = y * yhat->u[k] / weight, whole = round(pairs);
        if (!(fabs(pairs - whole) <= 1e-9 * (1 + whole)) || whole < 0)
            return false;
        sides[y > 0][used[y > 0]++] = whole;
        sums[y > 0] += whole;
    }
    qsort(sides[1], l->positives, sizeof(double), by_rising);
    qsort(sides[0], l->negatives, sizeof(double), by_rising);
    return sums[0] == sums[1] && fabs(yhat->loss - weight * sums[0]) <= 1e-12 * yhat->loss &&
           degrees_fit(sides[1], l->positives, sides[0], l->negatives);
}

bool labeler_accepts(labeler *l, const labeling *yhat)
{
    if (!rows_ascend(l, yhat))
        return false;
    if (yhat->count == 0 && yhat->loss == 0)
        return true;
    if (l->measure.kind != MEASURE_ROCAREA)
        return accepts_table(l, yhat);
    double *degrees = mem_array(l->n, sizeof *degrees);
    bool accepted = degrees && accepts_pairs(l, yhat, degrees);
    free(degrees);
    return accepted;
}
