/* The generators of the sources' experiments: the response follows from the truth they tell, as the
 * source says it does. */
#include "data_check.h"
#include "tests/core_check.h"

#include "tamis/synth.h"

#include <math.h>

static tm_status try_make(tm_dataset **out, const char *id, const char *words, tm_error *err)
{
    const tm_synth_info *info = tm_synth_find(id, err);
    assert_non_null(info);
    tm_params *params;
    assert_int_equal(tm_params_new(&params, info->id, info->params, info->param_count, err), TM_OK);
    set_words(params, words, err);
    *out = NULL;
    tm_status status = tm_synth_make(out, info, params, NULL, err);
    tm_params_free(params);
    return status;
}

static tm_dataset *make(const char *id, const char *words)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    if (try_make(&data, id, words, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

/* z = X truth, through whole columns. The caller frees it. */
static double *predict(const tm_dataset *data)
{
    size_t n = tm_dataset_rows(data);
    double *z = calloc(n, sizeof *z), *column = malloc(n * sizeof *column);
    assert_non_null(z);
    assert_non_null(column);
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t i = 0; i < n; i++)
            z[i] += tm_dataset_truth(data)[j] * column[i];
    }
    free(column);
    return z;
}

static size_t count_truth(const tm_dataset *data)
{
    size_t count = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        count += tm_dataset_truth(data)[j] != 0;
    return count;
}

static void check_signs(const tm_dataset *data, double shift)
{
    assert_true(tm_dataset_is_binary(data));
    double *z = predict(data);
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        assert_true((z[i] - shift >= 0 ? 1 : -1) == tm_dataset_y(data)[i]);
    free(z);
}

CHECK(classes_are_the_signs_of_the_truth)
{
    static const struct {
        const char *id, *words;
        size_t k;
        double shift;
    } cases[] = {
        {"fgm", "n=300 p=200 k=30 seed=2", 30, 0},
        {"fgm", "n=300 p=200 k=30 seed=2 part=test", 30, 0},
        {"fgm_shift", "n=300 p=200 k=30", 30, 4},
        {"fgm_shift", "n=300 p=200 k=30 shift=-1.5", 30, -1.5},
        {"fgm_group", "n=200 p=105 size=10 k=4 seed=5", 40, 0},
        {"mslr", "n=300 p=200 k=30", 30, 0},
        {"mslr_scale", "n=300 p=200 k=30 tau=3", 30, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        tm_dataset *data = make(cases[c].id, cases[c].words);
        assert_int_equal(count_truth(data), cases[c].k);
        check_signs(data, cases[c].shift);
        tm_dataset_unref(data);
    }
}

CHECK(both_parts_have_one_truth)
{
    static const char *const ids[] = {"fgm", "fgm_shift", "fgm_group", "mslr", "mslr_scale", "gfl"};
    for (size_t c = 0; c < sizeof ids / sizeof ids[0]; c++) {
        const char *k = strcmp(ids[c], "gfl") == 0 ? "" : "k=3 ";
        char train_words[80], test_words[80];
        snprintf(train_words, sizeof train_words, "n=40 p=60 %sseed=4", k);
        snprintf(test_words, sizeof test_words, "n=70 p=60 %sseed=4 part=test", k);
        tm_dataset *train = make(ids[c], train_words), *again = make(ids[c], train_words);
        tm_dataset *test = make(ids[c], test_words);
        assert_memory_equal(tm_dataset_truth(train), tm_dataset_truth(test), 60 * sizeof(double));
        assert_string_equal(tm_dataset_sha256(train), tm_dataset_sha256(again));
        double ours[40], theirs[70];
        tm_matrix_column(tm_dataset_x(train), 7, ours);
        tm_matrix_column(tm_dataset_x(test), 7, theirs);
        assert_memory_not_equal(ours, theirs, sizeof ours);
        tm_dataset_unref(train);
        tm_dataset_unref(again);
        tm_dataset_unref(test);
    }
}

CHECK(columns_do_not_depend_on_how_many_there_are)
{
    tm_dataset *narrow = make("fgm", "n=30 p=10 k=2 seed=9");
    tm_dataset *wide = make("mslr", "n=30 p=50 k=5 seed=9");
    for (size_t j = 0; j < 10; j++) {
        double ours[30], theirs[30];
        tm_matrix_column(tm_dataset_x(narrow), j, ours);
        tm_matrix_column(tm_dataset_x(wide), j, theirs);
        assert_memory_equal(ours, theirs, sizeof ours);
    }
    tm_dataset_unref(narrow);
    tm_dataset_unref(wide);
}

/* Columns that are drawn when needed are those that are kept; so is everything made of them. */
CHECK(storage_does_not_matter)
{
    enum { N = 1300, P = 20 };
    tm_dataset *kept = make("gfl", "n=1300 p=20 seed=3 storage=double");
    tm_dataset *drawn = make("gfl", "n=1300 p=20 seed=3 storage=generated");
    tm_dataset *narrow = make("gfl", "n=1300 p=20 seed=3 storage=float");
    const tm_matrix *x = tm_dataset_x(drawn);
    assert_string_equal(tm_matrix_kind(x), "generated");
    assert_string_equal(tm_matrix_kind(tm_dataset_x(narrow)), "dense float");
    assert_true(tm_matrix_bytes(x) < 200);
    double v[N], ours[N], theirs[N], out[P];
    for (size_t i = 0; i < N; i++)
        v[i] = sin((double)i);
    tm_matrix_dot_range(x, 0, P, v, out);
    for (size_t j = 0; j < P; j++) {
        tm_matrix_column(tm_dataset_x(kept), j, ours);
        tm_matrix_column(x, j, theirs);
        assert_memory_equal(ours, theirs, sizeof ours);
        double expected = tm_matrix_dot(tm_dataset_x(kept), j, v);
        assert_true(fabs(out[j] - expected) < 1e-11 * N && fabs(expected) > 1e-3);
        tm_matrix_column(tm_dataset_x(narrow), j, theirs);
        for (size_t i = 0; i < N; i++)
            assert_true(theirs[i] == (double)(float)ours[i]);
    }
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(tm_dataset_y(kept)[i] - tm_dataset_y(drawn)[i]) < 1e-10);
    const size_t rows[] = {1299, 0, 600};
    tm_matrix *part;
    tm_error err;
    assert_int_equal(tm_matrix_select_rows(&part, x, rows, 3, &err), TM_OK);
    tm_matrix_column(part, 7, theirs);
    tm_matrix_column(tm_dataset_x(kept), 7, ours);
    for (size_t k = 0; k < 3; k++)
        assert_true(theirs[k] == ours[rows[k]]);
    tm_matrix_unref(part);
    tm_dataset_unref(kept);
    tm_dataset_unref(drawn);
    tm_dataset_unref(narrow);
}

/* Moments of the features over many columns: five standard errors each. */
CHECK(features_are_normal)
{
    enum { N = 400, P = 400 };
    tm_dataset *data = make("fgm", "n=400 p=400 k=10 seed=1");
    double sum = 0, square = 0, fourth = 0, neighbours = 0, count = (double)N * P;
    double column[N], before[N] = {0};
    for (size_t j = 0; j < P; j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t i = 0; i < N; i++) {
            sum += column[i];
            square += column[i] * column[i];
            fourth += pow(column[i], 4);
            neighbours += column[i] * before[i];
        }
        memcpy(before, column, sizeof before);
    }
    assert_true(fabs(sum / count) < 5 / sqrt(count));
    assert_true(fabs(square / count - 1) < 5 * sqrt(2 / count));
    assert_true(fabs(fourth / count - 3) < 5 * sqrt(96 / count));
    assert_true(fabs(neighbours / count) < 5 / sqrt(count));
    tm_dataset_unref(data);
}

/* A density below 1 keeps a sample of the same entries, whatever the storage; the response is of
 * what is kept. */
CHECK(density_samples_the_entries)
{
    tm_dataset *all = make("fgm", "n=500 p=60 k=20 seed=3");
    tm_dataset *sparse = make("fgm", "n=500 p=60 k=20 seed=3 density=0.2");
    tm_dataset *generated = make("fgm", "n=500 p=60 k=20 seed=3 density=0.2 storage=generated");
    double x[500], some[500], again[500], z[500] = {0};
    size_t kept = 0;
    for (size_t j = 0; j < 60; j++) {
        tm_matrix_column(tm_dataset_x(all), j, x);
        tm_matrix_column(tm_dataset_x(sparse), j, some);
        tm_matrix_column(tm_dataset_x(generated), j, again);
        for (size_t i = 0; i < 500; i++) {
            assert_true(some[i] == 0 || some[i] == x[i]);
            assert_true(some[i] == again[i]);
            kept += some[i] != 0;
            z[i] += tm_dataset_truth(sparse)[j] * some[i];
        }
    }
    assert_int_equal(kept, tm_matrix_nnz(tm_dataset_x(sparse)));
    /* Five standard deviations of a binomial number. */
    assert_true(fabs((double)kept - 6000) < 5 * sqrt(30000 * 0.2 * 0.8));
    for (size_t i = 0; i < 500; i++)
        assert_true(fabs(z[i]) < 1e-12 || tm_dataset_y(sparse)[i] == (z[i] > 0 ? 1 : -1));
    tm_dataset_unref(all);
    tm_dataset_unref(sparse);
    tm_dataset_unref(generated);
}

/* fgm: uniform weights in (0, 1]. mslr: normal of the given variance. mslr_scale: v^tau of random
 * sign, the largest 1; tau = 0 makes all of them equal. */
CHECK(weights_have_their_laws)
{
    enum { K = 2000 };
    tm_dataset *uniform = make("fgm", "n=2 p=3000 k=2000 seed=1");
    tm_dataset *normal = make("mslr", "n=2 p=3000 k=2000 seed=1 variance=10");
    tm_dataset *power = make("mslr_scale", "n=2 p=3000 k=2000 seed=1 tau=2");
    tm_dataset *equal = make("mslr_scale", "n=2 p=3000 k=2000 seed=1 tau=0");
    double sum = 0, squares = 0, powers = 0, most = 0;
    size_t negative = 0;
    for (size_t j = 0; j < 3000; j++) {
        double w = tm_dataset_truth(uniform)[j];
        assert_true(w >= 0 && w <= 1);
        sum += w;
        squares += pow(tm_dataset_truth(normal)[j], 2);
        powers += fabs(tm_dataset_truth(power)[j]);
        most = fmax(most, fabs(tm_dataset_truth(power)[j]));
        negative += tm_dataset_truth(power)[j] < 0;
        assert_true(fabs(tm_dataset_truth(equal)[j]) == (tm_dataset_truth(equal)[j] != 0));
    }
    assert_true(fabs(sum / K - 0.5) < 5 * sqrt(1.0 / 12 / K));
    assert_true(fabs(squares / K - 10) < 5 * 10 * sqrt(2.0 / K));
    assert_true(fabs(powers / K - 1.0 / 3) < 5 * sqrt(4.0 / 45 / K) && most == 1);
    assert_true(fabs((double)negative / K - 0.5) < 5 * sqrt(0.25 / K));
    tm_dataset_unref(uniform);
    tm_dataset_unref(normal);
    tm_dataset_unref(power);
    tm_dataset_unref(equal);
}

CHECK(groups_are_whole)
{
    /* Eleven groups, the last one of five features. */
    tm_dataset *data = make("fgm_group", "n=10 p=105 size=10 k=11 seed=1");
    assert_int_equal(count_truth(data), 105);
    tm_dataset_unref(data);
    data = make("fgm_group", "n=10 p=200 size=10 k=3 seed=8");
    size_t groups = 0;
    for (size_t g = 0; g < 20; g++) {
        size_t inside = 0;
        for (size_t l = 0; l < 10; l++)
            inside += tm_dataset_truth(data)[g * 10 + l] != 0;
        assert_true(inside == 0 || inside == 10);
        groups += inside == 10;
    }
    assert_int_equal(groups, 3);
    tm_dataset_unref(data);
}

/* ---- graphs -------------------------------------------------------------------------------- */

static size_t find_root(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The number of components; checks that edges are distinct pairs in order. parent[] tells them. */
static size_t components(const tm_dataset *data, size_t *parent)
{
    size_t count, p = tm_dataset_cols(data), parts = p;
    const uint32_t *edges = tm_dataset_edges(data, &count);
    for (size_t i = 0; i < p; i++)
        parent[i] = i;
    for (size_t e = 0; e < count; e++) {
        assert_true(edges[2 * e] < edges[2 * e + 1] && edges[2 * e + 1] < p);
        assert_true(e == 0 || edges[2 * e] > edges[2 * e - 2] ||
                    (edges[2 * e] == edges[2 * e - 2] && edges[2 * e + 1] > edges[2 * e - 1]));
        size_t a = find_root(parent, edges[2 * e]), b = find_root(parent, edges[2 * e + 1]);
        parts -= a != b;
        parent[a] = b;
    }
    return parts;
}

CHECK(graphs_are_what_was_asked_for)
{
    size_t parent[300], count;
    static const struct {
        const char *words;
        size_t edges, parts;
    } cases[] = {
        {"n=5 p=300", 299, 1},         {"n=5 p=300 edges=290", 290, 10},
        {"n=5 p=300 edges=0", 0, 300}, {"n=5 p=300 edges=390", 390, 1},
        {"n=5 p=10 edges=45", 45, 1},  {"n=5 p=1", 0, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        tm_dataset *data = make("gfl", cases[c].words);
        assert_non_null(tm_dataset_edges(data, &count));
        assert_int_equal(count, cases[c].edges);
        assert_int_equal(components(data, parent), cases[c].parts);
        tm_dataset_unref(data);
    }
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    assert_int_equal(try_make(&data, "gfl", "p=10 edges=46", &err), TM_EUSAGE);
    assert_string_equal(err.message, "edges = 46: a graph of 10 nodes has at most 45");
}

/* Edges whose ends have different coefficients, D beta != 0: none in a forest of constant trees,
 * few around two regions, which hold one value each. */
CHECK(coefficients_follow_the_graph)
{
    size_t count, parent[300];
    tm_dataset *forest = make("gfl", "n=5 p=300 edges=290 seed=3");
    const uint32_t *edges = tm_dataset_edges(forest, &count);
    const double *truth = tm_dataset_truth(forest);
    for (size_t e = 0; e < count; e++)
        assert_true(truth[edges[2 * e]] == truth[edges[2 * e + 1]]);
    assert_int_equal(count_truth(forest), 300);
    tm_dataset_unref(forest);

    tm_dataset *regions = make("gfl", "n=5 p=300 size=20 seed=3");
    truth = tm_dataset_truth(regions);
    edges = tm_dataset_edges(regions, &count);
    double values[2] = {0, 0};
    size_t sizes[2] = {0, 0};
    for (size_t j = 0; j < 300; j++) {
        if (truth[j] == 0)
            continue;
        size_t which = values[0] == 0 || values[0] == truth[j] ? 0 : 1;
        values[which] = truth[j];
        sizes[which]++;
        assert_true(fabs(truth[j]) <= 1);
    }
    assert_int_equal(sizes[0], 20);
    assert_int_equal(sizes[1], 20);
    /* Each region is connected: joining only edges inside leaves 300 - 2 * 19 parts. */
    size_t parts = 300;
    for (size_t i = 0; i < 300; i++)
        parent[i] = i;
    for (size_t e = 0; e < count; e++) {
        size_t a = edges[2 * e], b = edges[2 * e + 1];
        if (truth[a] == 0 || truth[a] != truth[b])
            continue;
        parts -= find_root(parent, a) != find_root(parent, b);
        parent[find_root(parent, a)] = find_root(parent, b);
    }
    assert_int_equal(parts, 300 - 2 * 19);
    tm_dataset_unref(regions);

    tm_dataset *nodes = make("gfl", "n=5 p=300 truth=nodes seed=3");
    assert_int_equal(count_truth(nodes), 6);
    tm_dataset_unref(nodes);
}

CHECK(gfl_responses_are_linear_or_even_classes)
{
    tm_dataset *data = make("gfl", "n=60 p=100 noise=0 seed=2");
    double *z = predict(data);
    for (size_t i = 0; i < 60; i++)
        assert_true(fabs(z[i] - tm_dataset_y(data)[i]) < 1e-9);
    assert_false(tm_dataset_is_binary(data));
    free(z);
    tm_dataset_unref(data);
    data = make("gfl", "n=60 p=100 classes=true seed=2");
    size_t positive = 0;
    for (size_t i = 0; i < 60; i++)
        positive += tm_dataset_y(data)[i] > 0;
    assert_int_equal(positive, 30);
    tm_dataset_unref(data);
}

/* ---- logic --------------------------------------------------------------------------------- */

CHECK(corral_is_its_formula)
{
    enum { N = 4000 };
    tm_dataset *data = make("corral", "n=4000 p=9 seed=1");
    double columns[9][N];
    size_t agrees = 0;
    for (size_t j = 0; j < 9; j++)
        tm_matrix_column(tm_dataset_x(data), j, columns[j]);
    for (size_t i = 0; i < N; i++) {
        bool class = (columns[0][i] == 1 && columns[1][i] == 1) ||
                     (columns[2][i] == 1 && columns[3][i] == 1);
        assert_true(tm_dataset_y(data)[i] == (class ? 1 : -1));
        agrees += (columns[5][i] == 1) == class;
    }
    assert_true(fabs((double)agrees / N - 0.75) < 5 * sqrt(0.1875 / N));
    assert_string_equal(tm_dataset_feature_name(data, 3), "B1");
    assert_string_equal(tm_dataset_feature_name(data, 5), "correlated");
    assert_string_equal(tm_dataset_feature_name(data, 8), "irrelevant4");
    assert_int_equal(count_truth(data), 4);
    tm_dataset_unref(data);
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(try_make(&data, "corral", "p=5", &err), TM_EUSAGE);
}

CHECK(xor_is_a_parity)
{
    enum { N = 3000, P = 6 };
    tm_dataset *data = make("xor", "n=3000 p=6 k=3 seed=2");
    double columns[P][N];
    assert_int_equal(count_truth(data), 3);
    for (size_t j = 0; j < P; j++) {
        tm_matrix_column(tm_dataset_x(data), j, columns[j]);
        /* No feature alone says anything. */
        assert_true(fabs(tm_matrix_dot(tm_dataset_x(data), j, tm_dataset_y(data))) < 5 * sqrt(N));
    }
    for (size_t i = 0; i < N; i++) {
        size_t ones = 0;
        for (size_t j = 0; j < P; j++)
            ones += tm_dataset_truth(data)[j] != 0 && columns[j][i] == 1;
        assert_true(tm_dataset_y(data)[i] == (ones % 2 ? 1 : -1));
    }
    tm_dataset *flipped = make("xor", "n=3000 p=6 k=3 seed=2 flip=0.2");
    size_t changed = 0;
    for (size_t i = 0; i < N; i++)
        changed += tm_dataset_y(data)[i] != tm_dataset_y(flipped)[i];
    assert_true(fabs((double)changed / N - 0.2) < 5 * sqrt(0.16 / N));
    tm_dataset_unref(flipped);
    tm_dataset_unref(data);
}

CHECK(circle_is_a_distance)
{
    enum { N = 301, P = 6 };
    tm_dataset *data = make("circle", "n=301 p=6 k=3 seed=2");
    double columns[P][N], size[N], least = INFINITY, most = 0;
    size_t outside = 0;
    assert_int_equal(count_truth(data), 3);
    for (size_t j = 0; j < P; j++)
        tm_matrix_column(tm_dataset_x(data), j, columns[j]);
    for (size_t i = 0; i < N; i++) {
        size[i] = 0;
        for (size_t j = 0; j < P; j++)
            size[i] += tm_dataset_truth(data)[j] != 0 ? columns[j][i] * columns[j][i] : 0;
        if (tm_dataset_y(data)[i] > 0)
            least = fmin(least, size[i]);
        else
            most = fmax(most, size[i]);
        outside += tm_dataset_y(data)[i] > 0;
    }
    assert_true(least > most);
    assert_int_equal(outside, 151);
    tm_dataset_unref(data);
}

CHECK(rows_keep_what_is_known_of_the_features)
{
    static const size_t rows[] = {3, 1};
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = make("gfl", "n=5 p=50 seed=1"), *part;
    size_t count, part_count;
    assert_int_equal(tm_dataset_select_rows(&part, data, rows, 2, "part", &err), TM_OK);
    assert_memory_equal(tm_dataset_truth(data), tm_dataset_truth(part), 50 * sizeof(double));
    const uint32_t *edges = tm_dataset_edges(data, &count);
    assert_memory_equal(edges, tm_dataset_edges(part, &part_count), 2 * count * sizeof *edges);
    assert_int_equal(count, part_count);
    tm_dataset_unref(data);
    tm_dataset_unref(part);
}

/* The edges of the grid, and a truth that is a ball: no voxel outside is nearer to its middle, the
 * middle of gravity, than one inside. */
CHECK(a_sphere_is_a_ball_in_its_grid)
{
    enum { D = 7, H = 8, W = 9, P = D * H * W };
    size_t count;
    tm_dataset *data = make("sphere", "n=5 depth=7 height=8 width=9 radius=2 value=-3 seed=4");
    assert_int_equal(tm_dataset_cols(data), P);
    const uint32_t *edges = tm_dataset_edges(data, &count);
    assert_int_equal(count, (D - 1) * H * W + D * (H - 1) * W + D * H * (W - 1));
    for (size_t e = 0; e < count; e++) {
        uint32_t step = edges[2 * e + 1] - edges[2 * e];
        assert_true(step == 1 || step == W || step == H * W);
        assert_true(step != 1 || edges[2 * e] % W != W - 1);
    }
    const double *truth = tm_dataset_truth(data);
    double at[3] = {0, 0, 0}, inside = 0, outside = INFINITY;
    assert_int_equal(count_truth(data), 33); /* lattice points within 2 of one of them */
    for (size_t j = 0; j < P; j++) {
        const double place[3] = {(double)(j / (H * W)), (double)(j / W % H), (double)(j % W)};
        for (int a = 0; a < 3 && truth[j] != 0; a++)
            at[a] += place[a] / 33;
    }
    for (size_t j = 0; j < P; j++) {
        const double place[3] = {(double)(j / (H * W)), (double)(j / W % H), (double)(j % W)};
        double off = hypot(hypot(place[0] - at[0], place[1] - at[1]), place[2] - at[2]);
        assert_true(truth[j] == 0 || truth[j] == -3);
        if (truth[j] != 0)
            inside = fmax(inside, off);
        else
            outside = fmin(outside, off);
    }
    assert_true(inside < outside);
    tm_dataset_unref(data);
    data = make("sphere", "n=5 depth=1 height=1 width=1 radius=0");
    assert_int_equal(count_truth(data), 1);
    tm_dataset_unref(data);
}

/* A density is a number of edges; the number counts before it. */
CHECK(density_is_a_number_of_edges)
{
    static const struct {
        const char *id, *words;
        size_t edges;
    } cases[] = {{"gfl", "n=5 p=100 density=1.3", 130},
                 {"gfl", "n=5 p=100 density=0.1", 10},
                 {"gfl", "n=5 p=100 density=1.3 edges=99", 99},
                 {"gfl_sparse", "n=5 p=100", 120},
                 {"gfl_logistic", "n=6 p=100", 99},
                 {"gfl_tree", "n=5 p=100", 99}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t count;
        tm_dataset *data = make(cases[c].id, cases[c].words);
        tm_dataset_edges(data, &count);
        assert_int_equal(count, cases[c].edges);
        assert_int_equal(tm_dataset_is_binary(data), strcmp(cases[c].id, "gfl_logistic") == 0);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(classes_are_the_signs_of_the_truth, both_parts_have_one_truth,
          density_samples_the_entries, columns_do_not_depend_on_how_many_there_are,
          storage_does_not_matter, features_are_normal, weights_have_their_laws, groups_are_whole,
          graphs_are_what_was_asked_for, coefficients_follow_the_graph,
          gfl_responses_are_linear_or_even_classes, corral_is_its_formula, xor_is_a_parity,
          circle_is_a_distance, a_sphere_is_a_ball_in_its_grid, density_is_a_number_of_edges,
          rows_keep_what_is_known_of_the_features)
