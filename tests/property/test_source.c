/* Feature sources: what is found by blocks, bounds and pruning is what making and sorting all
 * scores finds. */
#include "problem.h"

/* Scores of all units, from their columns made one by one. */
static tm_pick *all_scores(const tm_source *source, const double *v, size_t n)
{
    size_t units = (size_t)tm_source_units(source);
    tm_pick *all = calloc(units, sizeof *all);
    double *column = calloc(n, sizeof *column);
    for (size_t u = 0; u < units; u++) {
        all[u].unit = u;
        for (size_t k = 0; k < tm_source_width(source, u); k++) {
            double c = 0;
            assert_int_equal(tm_source_column(source, u, k, column, NULL), TM_OK);
            for (size_t i = 0; i < n; i++)
                c += column[i] * v[i];
            all[u].score += c * c;
        }
    }
    free(column);
    return all;
}

static int descending(const void *a, const void *b)
{
    const tm_pick *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->unit > y->unit) - (x->unit < y->unit);
}

/* v as a cutting plane has it: some zeros; summing to zero when there is an intercept. */
static void fill_direction(double *v, size_t n, bool centred, tm_rng *rng)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        v[i] = tm_rng_uniform(rng) < 0.3 ? 0 : tm_rng_normal(rng);
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; centred && i < n; i++)
        v[i] -= mean;
}

static void check_best(tm_source *source, size_t n, bool intercept, tm_rng *rng, const char *what,
                       uint64_t seed)
{
    size_t units = (size_t)tm_source_units(source), most = 1 + tm_rng_below(rng, units);
    double *v = calloc(n, sizeof *v);
    tm_pick *found = calloc(most, sizeof *found), *again = calloc(most, sizeof *again);
    fill_direction(v, n, intercept, rng);
    tm_pick *all = all_scores(source, v, n);
    qsort(all, units, sizeof *all, descending);
    tm_scan one = {.threads = 1}, three = {.threads = 3};
    size_t count, count3;
    assert_int_equal(tm_source_best(source, v, most, found, &count, &one, NULL), TM_OK);
    assert_int_equal(tm_source_best(source, v, most, again, &count3, &three, NULL), TM_OK);
    assert_int_equal(count, count3);
    assert_memory_equal(found, again, count * sizeof *found);
    double scale = all[0].score;
    for (size_t k = 0; k < most; k++) {
        double score = k < count ? found[k].score : 0;
        if (!(fabs(score - all[k].score) <= 1e-9 * scale))
            fail_msg("%s, problem %llu: place %zu of %zu has score %.17g, a full sort %.17g", what,
                     (unsigned long long)seed, k, most, score, all[k].score);
        /* Which unit it is can be told where its neighbours differ. */
        bool alone = (k == 0 || all[k - 1].score > all[k].score + 1e-9 * scale) &&
                     (k + 1 == units || all[k + 1].score < all[k].score - 1e-9 * scale);
        if (alone && k < count)
            assert_int_equal(found[k].unit, all[k].unit);
    }
    free(v);
    free(found);
    free(again);
    free(all);
}

static tm_groups *random_groups(size_t p, bool tree, tm_rng *rng)
{
    tm_groups *groups = NULL;
    tm_error err = TM_ERROR_INIT;
    size_t count = tree ? 2 * p : 5 + tm_rng_below(rng, 2 * p);
    size_t *starts = calloc(count + 1, sizeof *starts);
    size_t *features = calloc(count * p + 1, sizeof *features);
    double *weights = calloc(count, sizeof *weights);
    size_t made = 0, at = 0;
    if (tree) { /* halves of halves of a range, until single features or chance end it */
        size_t stack[128][2] = {{0, p}}, depth = 1;
        while (depth > 0 && made < count) {
            size_t from = stack[--depth][0], to = stack[depth][1];
            starts[made++] = at;
            for (size_t j = from; j < to; j++)
                features[at++] = j;
            size_t middle = from + 1 + tm_rng_below(rng, to - from);
            if (to - from < 2 || middle >= to)
                continue;
            stack[depth][0] = from;
            stack[depth++][1] = middle;
            stack[depth][0] = middle;
            stack[depth++][1] = to;
        }
    } else {
        for (; made < count; made++) {
            size_t begun = at;
            starts[made] = at;
            for (size_t j = 0; j < p; j++)
                if (tm_rng_below(rng, 8) == 0)
                    features[at++] = j;
            if (at == begun)
                features[at++] = tm_rng_below(rng, p);
        }
    }
    starts[made] = at;
    for (size_t g = 0; g < made; g++)
        weights[g] = tm_rng_below(rng, 3) ? NAN : tm_rng_range(rng, 0.2, 3);
    if (tm_groups_new(&groups, p, made, starts, features, weights, &err) != TM_OK)
        fail_msg("%s", err.message);
    free(starts);
    free(features);
    free(weights);
    return groups;
}

static void best_is_a_full_sort(void **state)
{
    static const char *const kinds[] = {"columns", "groups", "tree", "poly2", "hik", "additive"};
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed + 1000));
        for (size_t k = 0; k < 6; k++) {
            bool mapped = k >= 4, intercept = tm_rng_below(&rng, 2) == 1;
            tm_source_spec spec = {.kind = kinds[k],
                                   .intercept = intercept,
                                   .standardize = !mapped && tm_rng_below(&rng, 2) == 1,
                                   .gamma = 0.7,
                                   .coef0 = 0.5,
                                   .kernel = seed % 2 ? "gaussian" : "chi2",
                                   .sigma = 0.4,
                                   .exponent = 1 + 0.5 * (double)(seed % 3)};
            if (k == 1 || k == 2)
                spec.groups = random_groups(q.p, k == 2, &rng);
            tm_source *source = NULL;
            tm_error err = TM_ERROR_INIT;
            if (tm_source_new(&source, data, &spec, &err) != TM_OK)
                fail_msg("%s, problem %llu: %s", kinds[k], (unsigned long long)seed, err.message);
            check_best(source, q.n, intercept, &rng, kinds[k], seed);
            tm_source_free(source);
            tm_groups_unref((tm_groups *)(uintptr_t)spec.groups);
        }
        problem_end(&q, data);
    }
}

/* Pruning finds what looking at every group finds, and looks at less where there is something to
 * prune. */
CHECK(tree_pruning_changes_nothing)
{
    uint64_t pruned = 0, whole = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed + 2000));
        tm_groups *groups = random_groups(q.p, true, &rng);
        tm_source *sources[2];
        tm_pick picks[2][3];
        size_t counts[2];
        double *v = calloc(q.n, sizeof *v);
        fill_direction(v, q.n, true, &rng);
        for (int k = 0; k < 2; k++) {
            tm_source_spec spec = {
                .kind = k ? "tree" : "groups", .groups = groups, .intercept = true};
            tm_scan scan = {.threads = 1};
            assert_int_equal(tm_source_new(&sources[k], data, &spec, NULL), TM_OK);
            assert_int_equal(tm_source_best(sources[k], v, 3, picks[k], &counts[k], &scan, NULL),
                             TM_OK);
            *(k ? &pruned : &whole) += scan.columns;
            tm_source_free(sources[k]);
        }
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(picks[0], picks[1], counts[0] * sizeof picks[0][0]);
        free(v);
        tm_groups_unref(groups);
        problem_end(&q, data);
    }
    assert_true(pruned <= whole);
}

/* A forest of many groups of which all but one are tiny: their products are never computed. */
static void tree_pruning_saves_products(void **state)
{
    enum { N = 20, P = 200 };
    (void)state;
    double *x = calloc(N * P, sizeof *x), *y = calloc(N, sizeof *y), v[N];
    for (size_t i = 0; i < N; i++) {
        y[i] = (double)i;
        v[i] = i % 2 ? 1 : -1;
        for (size_t j = 0; j < P; j++)
            x[i + j * N] = (j < 10 ? v[i] : 1e-3 * (double)((i * 7 + j) % 5));
    }
    tm_matrix *matrix;
    tm_dataset *data;
    tm_groups *groups;
    tm_source *source;
    assert_int_equal(tm_matrix_new_dense(&matrix, N, P, x, NULL), TM_OK);
    tm_dataset_parts parts = {
        .name = "forest", .x = matrix, .response.y = y, .response.numeric = true};
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    assert_int_equal(tm_groups_consecutive(&groups, P, 10, NULL), TM_OK);
    tm_source_spec spec = {.kind = "tree", .groups = groups, .intercept = true};
    assert_int_equal(tm_source_new(&source, data, &spec, NULL), TM_OK);
    tm_scan scan = {.threads = 1};
    tm_pick best;
    size_t count;
    assert_int_equal(tm_source_best(source, v, 1, &best, &count, &scan, NULL), TM_OK);
    assert_int_equal(best.unit, 0);
    assert_int_equal(scan.columns, 10);
    tm_source_free(source);
    tm_groups_unref(groups);
    tm_dataset_unref(data);
}

/* ---- maps ---------------------------------------------------------------------------------- */

static double product_of_rows(const tm_map *map, const tm_matrix *x, size_t i, size_t k)
{
    double *column = calloc(tm_matrix_rows(x), sizeof *column), sum = 0;
    for (uint64_t f = 0; f < tm_map_features(map); f++) {
        assert_int_equal(tm_map_column(map, x, f, column, NULL), TM_OK);
        sum += column[i] * column[k];
    }
    free(column);
    return sum;
}

CHECK(inner_products_are_kernels)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = problem_new(seed);
        q.p = q.p < 6 ? q.p : 6;
        tm_matrix *x = problem_matrix(&q);
        double low[6], high[6];
        for (size_t j = 0; j < q.p; j++) {
            low[j] = INFINITY;
            high[j] = -INFINITY;
            for (size_t i = 0; i < q.n; i++) {
                low[j] = fmin(low[j], problem_column(&q, j)[i]);
                high[j] = fmax(high[j], problem_column(&q, j)[i]);
            }
        }
        tm_map *maps[5];
        assert_int_equal(tm_map_new_poly2(&maps[0], q.p, 0.3, 2, NULL), TM_OK);
        assert_int_equal(tm_map_new_kernel(&maps[1], "hik", q.p, low, high, 1, NULL), TM_OK);
        assert_int_equal(tm_map_new_kernel(&maps[2], "gaussian", q.p, low, high, 0.5, NULL), TM_OK);
        assert_int_equal(tm_map_new_kernel(&maps[3], "chi2", q.p, low, high, 0, NULL), TM_OK);
        double a = 0.3 + 0.2 * (double)seed; /* the exponent */
        assert_int_equal(tm_map_new_kernel(&maps[4], "hik", q.p, low, high, a, NULL), TM_OK);
        assert_true(tm_map_exponent(maps[4]) == a);
        assert_int_equal(tm_map_features(maps[0]), (q.p + 2) * (q.p + 1) / 2);
        for (size_t i = 0; i < 4; i++) {
            double dot = 0, kernels[5] = {0};
            for (size_t j = 0; j < q.p; j++) {
                double x1 = problem_column(&q, j)[i], x2 = problem_column(&q, j)[i + 1];
                double range = high[j] - low[j];
                double t = range > 0 ? (x1 - low[j]) / range : 0;
                double u = range > 0 ? (x2 - low[j]) / range : 0;
                dot += x1 * x2;
                kernels[1] += fmin(t, u);
                kernels[4] += fmin(pow(t, a), pow(u, a));
                kernels[2] += exp(-(t - u) * (t - u) / (2 * 0.25));
                kernels[3] += t + u > 0 ? 2 * t * u / (t + u) : 0;
            }
            kernels[0] = (0.3 * dot + 2) * (0.3 * dot + 2);
            double p = (double)q.p,
                   slack[5] = {1e-9 * (1 + kernels[0]), 0.01 * p, 1e-3 * p, 0.05 * p, 0.01 * p};
            for (int k = 0; k < 5; k++) {
                double found = product_of_rows(maps[k], x, i, i + 1);
                if (!(fabs(found - kernels[k]) <= slack[k]))
                    fail_msg("problem %llu, %s: %.10g for a kernel of %.10g",
                             (unsigned long long)seed, tm_map_kind(maps[k]), found, kernels[k]);
            }
        }
        for (int k = 0; k < 5; k++)
            tm_map_unref(maps[k]);
        tm_matrix_unref(x);
        problem_free(&q);
    }
}

/* Every pair of columns has a number of its own, and is found by it. */
CHECK(pairs_are_numbered)
{
    for (size_t p = 1; p <= 40; p += 13) {
        tm_map *map;
        assert_int_equal(tm_map_new_poly2(&map, p, 1, 1, NULL), TM_OK);
        uint64_t feature = 1 + 2 * p;
        for (size_t j = 0; j < p; j++)
            for (size_t k = j + 1; k < p; k++) {
                size_t columns[2];
                assert_int_equal(tm_map_parents(map, feature++, columns), 2);
                assert_int_equal(columns[0], j);
                assert_int_equal(columns[1], k);
            }
        assert_int_equal(feature, tm_map_features(map));
        tm_map_unref(map);
    }
}

static void applying_is_summing_columns(void **state)
{
    static const char *const kinds[] = {"columns", "groups", "poly2", "hik", "additive"};
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed + 3000));
        for (size_t k = 0; k < 5; k++) {
            tm_source_spec spec = {.kind = kinds[k],
                                   .standardize = k < 3,
                                   .gamma = 0.7,
                                   .coef0 = 0.5,
                                   .kernel = "gaussian",
                                   .sigma = 0.4,
                                   .exponent = 1 + 0.5 * (double)(seed % 3)};
            if (k == 1)
                spec.groups = random_groups(q.p, false, &rng);
            tm_source *source;
            assert_int_equal(tm_source_new(&source, data, &spec, NULL), TM_OK);
            uint64_t unit = tm_rng_below(&rng, tm_source_units(source));
            size_t width = tm_source_width(source, unit);
            double *weights = calloc(width, sizeof *weights);
            double *z = calloc(q.n, sizeof *z), *sum = calloc(q.n, sizeof *sum);
            double *column = calloc(q.n, sizeof *column), scale = 1;
            for (size_t c = 0; c < width; c++) {
                weights[c] = tm_rng_normal(&rng);
                assert_int_equal(tm_source_column(source, unit, c, column, NULL), TM_OK);
                for (size_t i = 0; i < q.n; i++) {
                    sum[i] += weights[c] * column[i];
                    scale = fmax(scale, fabs(sum[i]));
                }
            }
            assert_int_equal(tm_source_apply(source, unit, weights, z, NULL), TM_OK);
            for (size_t i = 0; i < q.n; i++)
                if (!(fabs(z[i] - sum[i]) <= 1e-10 * scale))
                    fail_msg("%s, problem %llu: %.17g, by columns %.17g", kinds[k],
                             (unsigned long long)seed, z[i], sum[i]);
            free(weights);
            free(z);
            free(sum);
            free(column);
            tm_source_free(source);
            tm_groups_unref((tm_groups *)(uintptr_t)spec.groups);
        }
        problem_end(&q, data);
    }
}

RUN_TESTS(best_is_a_full_sort, tree_pruning_changes_nothing, tree_pruning_saves_products,
          inner_products_are_kernels, pairs_are_numbered, applying_is_summing_columns)
