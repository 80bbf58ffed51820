/* The most violated labeling against every labeling there is, and what a certificate accepts as
 * one. */
#include "tests/core_check.h"

#include "model/metric/labeling_sort.h"
#include "model/metric/multivariate_loss.h"

static const char *const measures[] = {"hamming", "f1",        "prec@1",  "prec@4",  "prec@2p",
                                       "rec@3",   "rec@2p",    "rec@99",  "prbep",   "rec@0.5p",
                                       "fbeta@2", "fbeta@0.3", "fbeta@1", "rocarea", "ap"};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static labeler *labeler_of(const char *name, const double *y, size_t n)
{
    measure m;
    labeler *l;
    tm_error err = TM_ERROR_INIT;
    must(measure_find(&m, name, &err), &err);
    must(labeler_new(&l, &m, y, n, "here", &err), &err);
    return l;
}

/* ---- every labeling, by the definitions ----------------------------------------------------- */

typedef struct table {
    double tp, fp, fn;
} table;

static table table_of(const double *y, size_t n, unsigned predicted)
{
    table t = {0};
    for (size_t i = 0; i < n; i++) {
        bool positive = predicted >> i & 1;
        t.tp += y[i] > 0 && positive;
        t.fp += y[i] < 0 && positive;
        t.fn += y[i] > 0 && !positive;
    }
    return t;
}

/* How many rows must be predicted +1, or -1: any number. */
static double head_of(const char *name, double positives, double n)
{
    const char *at = strchr(name, '@');
    if (strcmp(name, "prbep") == 0)
        return positives;
    if (!at || strncmp(name, "fbeta@", 6) == 0)
        return -1;
    double k = atof(at + 1);
    if (name[strlen(name) - 1] == 'p')
        k = floor(k * positives + 0.5);
    return fmin(fmax(k, 1), n);
}

static double loss_of(const char *name, table t, double k)
{
    if (strcmp(name, "hamming") == 0)
        return 2 * (t.fp + t.fn);
    if (strcmp(name, "f1") == 0)
        return 100 * (1 - 2 * t.tp / (2 * t.tp + t.fp + t.fn));
    if (strncmp(name, "fbeta@", 6) == 0) {
        double b = atof(name + 6) * atof(name + 6);
        return 100 * (1 - (1 + b) * t.tp / ((1 + b) * t.tp + t.fp + b * t.fn));
    }
    if (strncmp(name, "rec@", 4) == 0)
        return 100 * (1 - t.tp / (t.tp + t.fn));
    return 100 * (1 - t.tp / k);
}

static double worst_table(const char *name, const double *y, const double *v, size_t n)
{
    double best = 0, positives = 0;
    for (size_t i = 0; i < n; i++)
        positives += y[i] > 0;
    double k = head_of(name, positives, (double)n);
    for (unsigned predicted = 0; predicted < 1u << n; predicted++) {
        table t = table_of(y, n, predicted);
        if (k >= 0 && t.tp + t.fp != k)
            continue;
        double value = loss_of(name, t, k);
        for (size_t i = 0; i < n; i++)
            value -= (y[i] - (predicted >> i & 1 ? 1 : -1)) * v[i];
        best = fmax(best, value);
    }
    return best;
}

/* Every set of pairs, as the bits of a number; few pairs. */
static double worst_pairs(const double *y, const double *v, size_t n)
{
    double gains[32], best = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (y[i] > 0 && y[j] < 0)
                gains[pairs++] = 1 - (v[i] - v[j]);
    for (unsigned set = 0; set < 1u << pairs; set++) {
        double value = 0;
        for (size_t q = 0; q < pairs; q++)
            value += set >> q & 1 ? gains[q] : 0;
        best = fmax(best, 100 * value / (double)pairs);
    }
    return best;
}

/* 100 (1 - average precision) of an order, less 200/(P N) times the differences of score of the
 * pairs that it has out of order. */
static double value_of_order(const double *y, const double *v, const size_t *order, size_t n)
{
    double positives = 0, hits = 0, precisions = 0, pairs = 0;
    for (size_t at = 0; at < n; at++) {
        size_t i = order[at];
        if (y[i] > 0)
            precisions += ++hits / (double)(at + 1);
        positives += y[i] > 0;
        for (size_t after = at + 1; y[i] < 0 && after < n; after++)
            pairs += y[order[after]] > 0 ? v[order[after]] - v[i] : 0;
    }
    return 100 * (1 - precisions / positives) - 200 / (positives * ((double)n - positives)) * pairs;
}

/* The best of all orders of what follows the first `fixed`. */
static double worst_order(const double *y, const double *v, size_t *order, size_t fixed, size_t n)
{
    if (fixed == n)
        return value_of_order(y, v, order, n);
    double best = 0;
    for (size_t k = fixed; k < n; k++) {
        size_t held = order[fixed];
        order[fixed] = order[k];
        order[k] = held;
        best = fmax(best, worst_order(y, v, order, fixed + 1, n));
        order[k] = order[fixed];
        order[fixed] = held;
    }
    return best;
}

static double worst_ranking(const double *y, const double *v, size_t n)
{
    size_t order[12];
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    return worst_order(y, v, order, 0, n);
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool draw_classes(tm_rng *rng, double *y, size_t n)
{
    size_t positives = 0;
    double share = tm_rng_range(rng, 0.1, 0.9);
    for (size_t i = 0; i < n; i++) {
        y[i] = tm_rng_uniform(rng) < share ? 1 : -1;
        positives += y[i] > 0;
    }
    return positives > 0 && positives < n;
}

/* Scores of every size, with ties, all equal, or right by a wide margin. */
static void draw_scores(tm_rng *rng, const double *y, double *v, size_t n)
{
    uint64_t kind = tm_rng_below(rng, 4);
    double scale = pow(10, tm_rng_range(rng, -2, 2));
    for (size_t i = 0; i < n; i++)
        v[i] = kind == 0   ? (double)tm_rng_below(rng, 3) - 1
               : kind == 1 ? 0
               : kind == 2 ? y[i] * scale * tm_rng_uniform(rng)
                           : scale * tm_rng_normal(rng);
}

static void check_worst(const char *name, const double *y, const double *v, size_t n)
{
    labeler *l = labeler_of(name, y, n);
    labeling found = labeler_worst(l, v);
    double expected = strcmp(name, "rocarea") == 0 ? worst_pairs(y, v, n)
                      : strcmp(name, "ap") == 0    ? worst_ranking(y, v, n)
                                                   : worst_table(name, y, v, n);
    double scale = 1 + fabs(expected);
    for (size_t i = 0; i < n; i++)
        scale += fabs(v[i]);
    if (!(fabs(labeling_value(&found, v) - expected) <= 1e-12 * scale))
        fail_msg("%s, n = %zu: %.17g, expected %.17g", name, n, labeling_value(&found, v),
                 expected);
    assert_true(labeler_accepts(l, &found));
    labeler_free(l);
}

CHECK(test_worst_of_all)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1301);
    for (int round = 0; round < 300; round++) {
        double y[12], v[12];
        size_t n = 2 + tm_rng_below(&rng, round < 40 ? 11 : 8);
        if (!draw_classes(&rng, y, n))
            continue;
        draw_scores(&rng, y, v, n);
        for (size_t m = 0; m < MEASURES; m++)
            if ((strcmp(measures[m], "rocarea") != 0 || n <= 8) &&
                (strcmp(measures[m], "ap") != 0 || n <= (round % 50 == 0 ? 8 : 6)))
                check_worst(measures[m], y, v, n);
    }
}

/* R is at least Delta of what w itself predicts: the sign of v, or its first rows. */
CHECK(test_bounds_the_loss)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1302);
    double y[200], v[200];
    for (int round = 0; round < 200; round++) {
        size_t n = 10 + tm_rng_below(&rng, 190);
        if (!draw_classes(&rng, y, n))
            continue;
        draw_scores(&rng, y, v, n);
        static const struct {
            const char *measure, *metric;
            double scale;
        } bound[] = {
            {"f1", "f1", 100},       {"fbeta@2", "fbeta@2", 100}, {"fbeta@0.1", "fbeta@0.1", 100},
            {"prbep", "prbep", 100}, {"rocarea", "auc", 100},     {"ap", "ap", 100}};
        for (size_t m = 0; m < sizeof bound / sizeof bound[0]; m++) {
            labeler *l = labeler_of(bound[m].measure, y, n);
            labeling found = labeler_worst(l, v);
            tm_scorer scorer;
            must(tm_scorer_find(&scorer, bound[m].metric, NULL), NULL);
            double loss = bound[m].scale * (1 - tm_scorer_value(&scorer, y, v, n));
            assert_true(labeling_value(&found, v) >= loss - 1e-9);
            labeler_free(l);
        }
        labeler *l = labeler_of("hamming", y, n);
        labeling found = labeler_worst(l, v);
        tm_confusion t = tm_confusion_of(y, v, n);
        assert_true(labeling_value(&found, v) >= 2 * (double)(t.fp + t.fn) - 1e-9);
        labeler_free(l);
    }
}

/* At scores of zero only the loss counts: one false positive for every true one is as bad as F1
 * gets. */
CHECK(test_greatest_loss)
{
    const double y[] = {1, -1, -1, 1, -1, -1, -1, -1};
    static const struct {
        const char *name;
        double loss;
    } known[] = {{"hamming", 16}, {"f1", 100},     {"prec@4", 100},
                 {"rec@8", 0},    {"prec@8", 75},  {"prec@7", 100 - 100.0 / 7},
                 {"prbep", 100},  {"rocarea", 100}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        labeler *l = labeler_of(known[k].name, y, 8);
        must_be_near(labeler_greatest_loss(l), known[k].loss, 1e-12);
        labeler_free(l);
    }
}

CHECK(test_what_is_accepted)
{
    const double y[] = {1, 1, -1, -1, -1};
    const uint32_t rows[] = {1, 2};
    labeler *f1 = labeler_of("f1", y, 5), *prbep = labeler_of("prbep", y, 5);
    labeling swap = {.loss = 50, .count = 2, .rows = rows, .u = (const double[]){2, -2}};
    assert_true(labeler_accepts(f1, &swap) && labeler_accepts(prbep, &swap));
    swap.loss = 50.001; /* another loss than the labeling has */
    assert_false(labeler_accepts(f1, &swap));
    labeling half = {.loss = 50, .count = 2, .rows = rows, .u = (const double[]){1, -2}};
    assert_false(labeler_accepts(f1, &half));
    labeling one = {.loss = 100.0 / 3, .count = 1, .rows = rows, .u = (const double[]){2}};
    assert_true(labeler_accepts(f1, &one));
    assert_false(labeler_accepts(prbep, &one)); /* one row predicted +1 where two are */
    const uint32_t twice[] = {2, 2};
    labeling again = {.loss = 20, .count = 2, .rows = twice, .u = (const double[]){-2, -2}};
    assert_false(labeler_accepts(f1, &again));
    labeler_free(f1);
    labeler_free(prbep);
}

/* Degrees that no set of pairs has: one negative cannot be swapped with the same positive twice. */
CHECK(test_pairs_that_are_accepted)
{
    const double y[] = {1, 1, -1, -1}, w = 25;
    const uint32_t rows[] = {0, 1, 2, 3};
    labeler *l = labeler_of("rocarea", y, 4);
    labeling good = {75, 4, rows, (const double[]){2 * w, w, -2 * w, -w}};
    assert_true(labeler_accepts(l, &good));
    labeling twice = {50, 3, rows, (const double[]){w, w, -2 * w}};
    assert_true(labeler_accepts(l, &twice));
    labeling bad = {50, 2, (const uint32_t[]){0, 2}, (const double[]){2 * w, -2 * w}};
    assert_false(labeler_accepts(l, &bad));
    labeling uneven = {50, 3, rows, (const double[]){2 * w, w, -2 * w}};
    assert_false(labeler_accepts(l, &uneven));
    labeling part = {12.5, 2, (const uint32_t[]){0, 2}, (const double[]){w / 2, -w / 2}};
    assert_false(labeler_accepts(l, &part));
    labeler_free(l);
}

/* Numbers of pairs that are those of some set of pairs, but of no order. */
CHECK(test_orders_that_are_accepted)
{
    const double y[] = {1, 1, -1, -1}, w = 50;
    const uint32_t rows[] = {0, 1, 2, 3};
    labeler *l = labeler_of("ap", y, 4);
    /* - + - +: precisions 1/2 and 1/2. */
    labeling order = {50, 4, rows, (const double[]){2 * w, w, -2 * w, -w}};
    assert_true(labeler_accepts(l, &order));
    order.loss = 60;
    assert_false(labeler_accepts(l, &order));
    /* Each positive behind another negative. */
    labeling crossed = {100 * (1 - (0.5 + 2.0 / 3) / 2), 4, rows, (const double[]){w, w, -w, -w}};
    assert_false(labeler_accepts(l, &crossed));
    labeling first = {100 * (1 - (0.5 + 2.0 / 3) / 2), 3, rows, (const double[]){w, w, -2 * w}};
    assert_true(labeler_accepts(l, &first));
    labeling beyond = {100, 2, rows, (const double[]){3 * w, 3 * w}};
    assert_false(labeler_accepts(l, &beyond));
    labeler_free(l);
}

/* Among thousands of rows no order of a simple kind is worse than the one found. */
CHECK(test_large_orders)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1304);
    static double y[3000], v[3000];
    for (int round = 0; round < 4; round++) {
        size_t n = 3000, positives = 0;
        double share = round % 2 ? 0.02 : 0.4, scale = round < 2 ? 1 : 1000;
        for (size_t i = 0; i < n; i++) {
            y[i] = tm_rng_uniform(&rng) < share ? 1 : -1;
            v[i] = scale * (tm_rng_normal(&rng) + y[i] / 2);
            positives += y[i] > 0;
        }
        labeler *l = labeler_of("ap", y, n);
        labeling found = labeler_worst(l, v);
        assert_true(labeler_accepts(l, &found));
        double value = labeling_value(&found, v), P = (double)positives, N = (double)n - P;
        /* The negatives above some score before all positives, and the others behind them. */
        for (int k = 0; k < 40; k++) {
            double cut = scale * tm_rng_range(&rng, -3, 3), count = 0, pairs = 0, sum = 0;
            for (size_t i = 0; i < n; i++)
                if (y[i] < 0 && v[i] > cut) {
                    count++;
                    pairs -= P * v[i];
                }
            for (size_t i = 0; i < n; i++)
                pairs += y[i] > 0 ? count * v[i] : 0;
            for (double i = 1; i <= P; i++)
                sum += i / (i + count);
            double other = 100 * (1 - sum / P) - 200 / (P * N) * pairs;
            assert_true(other <= value + 1e-9 * (1 + fabs(value)));
        }
        labeler_free(l);
    }
}

CHECK(test_sort)
{
    tm_rng rng;
    tm_rng_seed(&rng, 1303);
    static sort_entry entries[5000], room[5000];
    static double scores[5000];
    for (size_t n = 0; n < 5000; n = n * 2 + 1) {
        for (size_t i = 0; i < n; i++) {
            scores[i] = tm_rng_below(&rng, 4)
                            ? tm_rng_normal(&rng) * pow(10, tm_rng_range(&rng, -300, 300))
                            : (double)tm_rng_below(&rng, 3) * -0.0;
            entries[i] = (sort_entry){sort_key(scores[i]), (uint32_t)i};
        }
        sort_entries(entries, room, n);
        for (size_t i = 1; i < n; i++) {
            double before = scores[entries[i - 1].row], here = scores[entries[i].row];
            assert_true(before > here || (before == here && entries[i - 1].row < entries[i].row));
        }
    }
    assert_true(sort_key(INFINITY) < sort_key(1e308) && sort_key(-1e308) < sort_key(-INFINITY));
}

CHECK(test_names)
{
    measure m;
    tm_error err = TM_ERROR_INIT;
    must_refuse(measure_find(&m, "f2", &err), TM_EUSAGE, &err,
                "measure 'f2': expected hamming, f1");
    must_refuse(measure_find(&m, "prec@x", &err), TM_EUSAGE, &err, "as in prec@10");
    must_refuse(measure_find(&m, "fbeta@0", &err), TM_EUSAGE, &err, "above 0");
    must_refuse(measure_find(&m, "f1@2", &err), TM_EUSAGE, &err, "measure 'f1@2'");
    const double y[] = {1, 1};
    labeler *l;
    must(measure_find(&m, "f1", &err), &err);
    must_refuse(labeler_new(&l, &m, y, 2, "one.svm", &err), TM_EDATA, &err,
                "one.svm: all rows have the class +1");
}

RUN_TESTS(test_worst_of_all, test_bounds_the_loss, test_greatest_loss, test_what_is_accepted,
          test_pairs_that_are_accepted, test_orders_that_are_accepted, test_large_orders, test_sort,
          test_names)
