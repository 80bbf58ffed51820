/* Graphs of features: text, files, and what becomes of their edges. */
#include "data_check.h"

#include "tamis/graph.h"

#include <math.h>
#include <unistd.h>

static tm_dataset *data_of(size_t p, const char *const *names)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "d", .response.y = calloc(2, sizeof(double))};
    assert_int_equal(tm_matrix_new_dense(&parts.x, 2, p, calloc(2 * p, sizeof(double)), &err),
                     TM_OK);
    if (names) {
        parts.features.names = calloc(p, sizeof *parts.features.names);
        for (size_t j = 0; j < p; j++)
            parts.features.names[j] = strdup(names[j]);
    }
    tm_dataset *data;
    assert_int_equal(tm_dataset_new(&data, &parts, &err), TM_OK);
    return data;
}

/* The terms as "1-2*1 2-3*0.5", features from 1. */
static void check_edges(const tm_graph *graph, const char *expected)
{
    char text[400] = "";
    size_t used = 0;
    assert_true(tm_graph_is_edges(graph));
    for (size_t k = 0; k < tm_graph_terms(graph); k++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, k, &values, &count);
        assert_int_equal(count, 2);
        assert_true(values[0] == -values[1]);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u*%g", k ? " " : "",
                                 f[0] + 1, f[1] + 1, values[0]);
    }
    assert_string_equal(text, expected);
}

static void check_text(const tm_dataset *data, const char *text, const char *edges, bool forest)
{
    tm_graph *graph;
    tm_error err = TM_ERROR_INIT;
    if (tm_graph_parse(&graph, text, data, &err) != TM_OK)
        fail_msg("%s: %s", text, err.message);
    check_edges(graph, edges);
    assert_int_equal(tm_graph_is_forest(graph), forest);
    assert_int_equal(tm_graph_features(graph), tm_dataset_cols(data));
    tm_graph_unref(graph);
}

static void check_bad(const tm_dataset *data, const char *text, const char *message)
{
    tm_graph *graph = (tm_graph *)data;
    tm_error err = TM_ERROR_INIT;
    if (tm_graph_parse(&graph, text, data, &err) == TM_OK)
        fail_msg("%s: no error", text);
    assert_null(graph);
    if (!strstr(err.message, message))
        fail_msg("%s: '%s' lacks '%s'", text, err.message, message);
}

/* The file's path replaces the %s of `form`. */
static const char *in_file(const char *form, const char *content)
{
    static char path[64], text[128];
    strcpy(path, "/tmp/tamis_graph_XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
    close(fd);
    snprintf(text, sizeof text, form, path);
    return text;
}

static void remove_file(const char *text)
{
    unlink(strstr(text, "/tmp"));
}

static void check_file(const tm_dataset *data, const char *form, const char *content,
                       const char *edges, bool forest)
{
    const char *text = in_file(form, content);
    check_text(data, text, edges, forest);
    remove_file(text);
}

static void bad_file(const tm_dataset *data, const char *form, const char *content,
                     const char *message)
{
    const char *text = in_file(form, content);
    check_bad(data, text, message);
    remove_file(text);
}

CHECK(chains_and_grids)
{
    tm_dataset *d = data_of(6, NULL);
    check_text(d, "chain", "1-2*1 2-3*1 3-4*1 4-5*1 5-6*1", true);
    check_text(d, "trend:0", "1-2*1 2-3*1 3-4*1 4-5*1 5-6*1", true);
    check_text(d, "grid:2x3", "1-2*1 1-4*1 2-3*1 2-5*1 3-6*1 4-5*1 5-6*1", false);
    check_text(d, "grid:6", "1-2*1 2-3*1 3-4*1 4-5*1 5-6*1", true);
    check_text(d, "grid:1x2x3", "1-2*1 1-4*1 2-3*1 2-5*1 3-6*1 4-5*1 5-6*1", false);
    check_bad(d, "grid:2x4", "8 places");
    check_bad(d, "grid:2x", "expected sizes");
    check_bad(d, "grid:0x6", "expected sizes");
    check_bad(d, "grid:1x1x2x3", "expected sizes");
    check_bad(d, "grid:", "expected sizes");
    check_bad(d, "grid:4294967295x4294967295x4294967295", "places");
    check_bad(d, "data", "without a graph");
    tm_dataset_unref(d);
    d = data_of(1, NULL);
    check_text(d, "chain", "", true);
    check_text(d, "grid:1x1", "", true);
    tm_dataset_unref(d);
}

CHECK(edges_are_merged_and_loops_left_out)
{
    tm_dataset *d = data_of(4, NULL);
    check_text(d, "[3 1; 1 3 0.5; 2 2; 4,2,0.25]", "1-3*1.5 2-4*0.25", true);
    check_text(d, "[1 2 weight=2; 2 3; 3 1]", "1-2*2 1-3*1 2-3*1", false);
    check_text(d, "[]", "", true);
    check_bad(d, "[1 5]", "column 4: features are numbered from 1 to 4");
    check_bad(d, "[1 2; 3]", "column 7: an edge has two features");
    check_bad(d, "[1 2 0]", "expected a weight above 0, found '0'");
    check_bad(d, "[1 2 inf]", "expected a weight above 0");
    check_bad(d, "[1 2 1 3]", "expected the end of the line, found '3'");
    check_bad(d, "[1 name=2]", "expected a feature");
    check_bad(d, "[1 2", "lacks the ']'");
    check_bad(d, "[1 q]", "'q'");
    tm_dataset_unref(d);
}

CHECK(names_and_files)
{
    static const char *const names[] = {"TP53", "BRCA1", "x y", "7"};
    tm_dataset *d = data_of(4, names);
    check_text(d, "[TP53 BRCA1; \"x y\" \"7\" 2; \"x y\" \"TP53\"]", "1-2*1 1-3*1 3-4*2", true);
    check_bad(d, "[TP53 BRCA2]", "did you mean 'BRCA1'");
    check_file(d, "%s", "# a graph\nTP53 BRCA1 0.5\n\n3,4 # more\r\n1\t4\n", "1-2*0.5 1-4*1 3-4*1",
               true);
    bad_file(d, "%s", "1 2\n1 9\n", "line 2, column 3");
    check_bad(d, "/tmp/no_such_graph_file", "no_such_graph_file");
    tm_dataset_unref(d);
}

CHECK(parents)
{
    tm_dataset *d = data_of(4, NULL);
    check_file(d, "parents:%s", "0\n1\n1 0.5\n-\n", "1-2*1 1-3*0.5", true);
    bad_file(d, "parents:%s", "2\n3\n1\n0\n", "cycle");
    bad_file(d, "parents:%s", "0\n1\n", "has 2 lines; expected one for each of the 4 features");
    bad_file(d, "parents:%s", "0\n1\n1\n1\n1\n", "line 5");
    bad_file(d, "parents:%s", "0\n1 1 1\n1\n1\n", "line 2, column 5: expected the end of the line");
    tm_dataset_unref(d);
}

#define MTX "%%MatrixMarket matrix coordinate real "

CHECK(matrices)
{
    tm_dataset *d = data_of(3, NULL);
    check_file(d, "%s", MTX "symmetric\n3 3 3\n2 1 0.5\n3 1 2\n3 3 9\n", "1-2*0.5 1-3*2", true);
    check_file(d, "%s", MTX "general\n3 3 3\n2 1 0.5\n1 2 0.5\n1 3 2\n", "1-2*0.5 1-3*2", true);
    bad_file(d, "%s", MTX "general\n3 3 2\n2 1 0.5\n1 2 0.25\n", "undirected");
    bad_file(d, "%s", MTX "general\n3 3 1\n2 1 -0.5\n", "expected a weight above 0");
    bad_file(d, "%s", MTX "general\n2 2 1\n2 1 1\n", "is 3 x 3");
    check_file(d, "rows:%s", MTX "general\n3 3 5\n1 1 2\n1 2 -2\n3 2 1\n3 3 -1\n2 1 0\n",
               "1-2*2 2-3*1", true);
    bad_file(d, "rows:%s", MTX "general\n2 2 1\n1 1 1\n", "has 2 columns");
    tm_dataset_unref(d);
}

/* Differences of order k + 1 of j^k are k! and those of j^i, i < k + 1, vanish for i <= k. */
CHECK(trend_filtering_kills_polynomials)
{
    for (size_t k = 1; k < 5; k++) {
        tm_graph *graph;
        assert_int_equal(tm_graph_trend(&graph, 12, k, NULL), TM_OK);
        assert_int_equal(tm_graph_terms(graph), 12 - k - 1);
        assert_int_equal(tm_graph_order(graph), k);
        assert_false(tm_graph_is_edges(graph));
        for (size_t t = 0; t < tm_graph_terms(graph); t++)
            for (size_t power = 0; power <= k + 1; power++) {
                size_t count;
                const double *values;
                const uint32_t *f = tm_graph_term(graph, t, &values, &count);
                double sum = 0, factorial = tgamma((double)k + 2);
                for (size_t i = 0; i < count; i++)
                    sum += values[i] * pow(f[i], (double)power);
                assert_true(fabs(fabs(sum) - (power > k ? factorial : 0)) < 1e-7);
            }
        tm_graph_unref(graph);
    }
    tm_graph *graph;
    assert_int_equal(tm_graph_trend(&graph, 3, 2, NULL), TM_OK);
    assert_int_equal(tm_graph_terms(graph), 0);
    tm_graph_unref(graph);
}

RUN_TESTS(chains_and_grids, edges_are_merged_and_loops_left_out, names_and_files, parents, matrices,
          trend_filtering_kills_polynomials)
