/* Completion and unfinished chunks. */
#include "script_fixture.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Completes the text (cursor at its end); `word` must be offered, or not, from column `start`. */
static bool offers(fixture *f, const char *text, const char *word, size_t start)
{
    size_t from;
    bool found = false;
    char **words = script_complete(f->script, text, strlen(text), &from);
    if (words)
        assert_int_equal(from, start);
    for (size_t i = 0; words && words[i]; i++) {
        found |= strcmp(words[i], word) == 0;
        assert_true(i == 0 || strcmp(words[i - 1], words[i]) < 0);
    }
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
    return found;
}

static void test_names(void **state)
{
    fixture *f = *state;
    must_run(f, "d = tm.synth('saif', {n = 20, p = 10}) data = 1 mine = {alpha = 1, beta = print} "
                "r = tm.lasso(d, {}):wait()");
    assert_true(offers(f, "da", "data", 0));
    assert_true(offers(f, "x = fun", "function", 4));
    assert_true(offers(f, "tm.la", "lasso", 3));
    assert_true(offers(f, "print(tamis.lo", "load", 12));
    assert_true(offers(f, "d:sp", "split", 2));
    assert_false(offers(f, "d:na", "name", 2)); /* a field, not a method */
    assert_true(offers(f, "d.na", "name", 2));
    assert_true(offers(f, "r.trace.ga", "gap", 8));
    assert_true(offers(f, "r.model:pre", "predict", 8));
    assert_true(offers(f, "mine.al", "alpha", 5));
    assert_false(offers(f, "mine:al", "alpha", 5));
    assert_true(offers(f, "mine:be", "beta", 5));
    assert_true(offers(f, "string.re", "rep", 7));
    assert_true(offers(f, "tm.load('x'):sp", "split", 13)); /* unknown: every class's methods */
    assert_false(offers(f, "", "data", 0));
    assert_false(offers(f, "-- da", "data", 3));
    assert_false(offers(f, "[[ da", "data", 3));
    assert_true(offers(f, "--[[ x ]] da", "data", 10));
}

static void test_arguments(void **state)
{
    fixture *f = *state;
    must_run(f, "testing = 1");
    assert_true(offers(f, "tm.lasso(d, {lam", "lambda_ratio=", 13));
    assert_true(offers(f, "tm.lasso(d, {tol=1e-3, te", "test=", 23));
    assert_true(offers(f, "tm.lasso(d, {screen=", "\"saif\"", 20));
    assert_true(offers(f, "tm.lasso(d, {screen=\"s", "saif", 21));
    assert_true(offers(f, "tm.genlasso(d, {graph=\"g", "grid:", 23)); /* its sizes follow */
    assert_true(offers(f, "tm.genlasso(d, {graph=\"rows:/et", "rows:/etc/", 23));
    assert_true(offers(f, "tm.lasso(d, {screen = 's", "saif", 23));
    assert_true(offers(f, "tm.lasso(d, {intercept=f", "false", 23));
    assert_true(offers(f, "tm.lasso(d, {test=te", "testing", 18));
    assert_true(offers(f, "tm.path(d, \"lasso\", {lam", "lambdas=", 21));
    assert_true(offers(f, "tm.path(d, \"la", "lasso", 12));
    assert_true(offers(f, "tm.ovr(d, \"fs", "fsmulti", 11));
    assert_true(offers(f, "tm.sweep{data=d, method=\"la", "lasso", 25));
    assert_true(offers(f, "tm.sweep{data=d, method={\"lasso\", \"fg", "fgm", 35));
    assert_true(offers(f, "tm.curve{methods={'l1", "l1svm", 19));
    assert_true(offers(f, "tm.sweep{metric=\"acc", "accuracy", 17));
    assert_true(offers(f, "tm.synth(\"sa", "saif", 10));
    assert_true(offers(f, "tm.synth(\"saif\", {se", "seed=", 18));
    assert_true(offers(f, "tm.load(\"f\", {lab", "label=", 14));
    assert_true(offers(f, "tm.load(\"f\", {format=\"", "csv", 22));
    assert_true(offers(f, "d:split{str", "stratify=", 8));
    assert_true(offers(f, "tm.plot{runs={a, b}, y=\"rej", "rejection", 24));
    assert_true(offers(f, "tm.plot{xl", "xlog=", 8));
    assert_true(offers(f, "tm.dataset{na", "names=", 11));
    assert_true(offers(f, "m:score(d, \"acc", "accuracy", 12));
    assert_true(offers(f, "tm.on('pro", "progress", 7));
    assert_true(offers(f, "help('las", "lasso", 6));
    assert_false(offers(f, "tm.nothing{scr", "screen=", 11));
}

static void test_files(void **state)
{
    fixture *f = *state;
    char folder[] = "/tmp/tamis-complete-XXXXXX", inner[64], path[128], text[256], word[160];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    snprintf(path, sizeof path, "%s/data file.svm", inner);
    fclose(fopen(path, "w"));
    snprintf(text, sizeof text, "tm.load(\"%s/da", inner);
    assert_true(offers(f, text, path, 9));
    snprintf(text, sizeof text, "tm.load(\"%s/inn", folder);
    snprintf(word, sizeof word, "%s/", inner);
    assert_true(offers(f, text, word, 9));
    unlink(path);
    rmdir(inner);
    rmdir(folder);
    assert_false(offers(f, "tm.load('/nonexistent/fo", "/nonexistent/foo", 9));
}

/* While a chunk runs, names that need no state are still known, at once or soon. */
static void test_busy(void **state)
{
    fixture *f = *state;
    script_submit(f->script, "print('go') mine = {alpha = 1} while true do end", "=test", false);
    for (bool going = false; !going;) {
        pthread_mutex_lock(&f->mutex);
        going = f->length > 0;
        pthread_mutex_unlock(&f->mutex);
    }
    assert_true(offers(f, "tm.la", "lasso", 3));
    assert_true(offers(f, "tm.lasso(d, {lam", "lambda=", 13));
    assert_true(offers(f, "d:sp", "split", 2));
    assert_false(offers(f, "mine.al", "alpha", 5));
    script_interrupt(f->script);
}

/* Any text, cut anywhere, gives an answer; the sanitizers watch. */
static void test_every_cut(void **state)
{
    fixture *f = *state;
    static const char text[] =
        "r = tm.path(d:split{test=0.1}, 'lasso', {lambda={1,2}, [3]=\"a\\\"b\"})"
        " --[==[ ]] ]==] x = [[ ' ]] .. y..z:w() }}))] a.b.c:d'e' \xff\xfe";
    for (size_t i = 0; i < sizeof text; i++) {
        size_t start;
        char **words = script_complete(f->script, text, i, &start);
        assert_true(start <= i);
        for (size_t k = 0; words && words[k]; k++)
            free(words[k]);
        free(words);
    }
    char deep[600];
    memset(deep, '{', sizeof deep);
    memcpy(deep + 590, "tm.las", 7);
    assert_true(offers(f, deep, "lasso", 593));
}

CHECK(test_incomplete)
{
    static const char *const unfinished[] = {
        "for i = 1, 3 do", "function f()", "tm.lasso(d, {", "x =",       "1 +",
        "if x then",       "[[ text",      "--[[ text",     "return (1", "local t = {1,\n2,",
    };
    static const char *const finished[] = {
        "",        "1 + 1",        "x = 5",  "for i = 1, 3 do end", "x y", "= 3",
        "end",     "'open string", "f('a",   "tm.lasso(d, {})",     "}",   "local function 5",
        "-- note", "x = )",        "return",
    };
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        if (!script_incomplete(unfinished[i]))
            fail_msg("'%s' is unfinished", unfinished[i]);
    for (size_t i = 0; i < sizeof finished / sizeof *finished; i++)
        if (script_incomplete(finished[i]))
            fail_msg("'%s' is not unfinished", finished[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(test_names), TEST(test_arguments), TEST(test_files),
        TEST(test_busy),  TEST(test_every_cut), cmocka_unit_test(test_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
