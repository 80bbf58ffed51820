/* The Lua API: arguments and their messages, objects, tables, plots, help. */
#include "script_fixture.h"

#include "tamis/method.h"
#include "tamis/synth.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define DATA "d = tm.synth('saif', {n = 60, p = 300, k = 10, seed = 3}) "

static void test_unknown_keys_name_the_closest(void **state)
{
    fixture *f = *state;
    must_run(f, DATA);
    must_fail(f, "tm.lasso(d, {lamda = 1})",
              "test:1: lasso has no parameter 'lamda'; did you mean 'lambda'?");
    must_fail(f, "tm.lasso(d, {tset = d})",
              "test:1: lasso has no parameter 'tset'; did you mean 'test'?");
    must_fail(f, "d:split{stratfy = true}",
              "test:1: split has no parameter 'stratfy'; did you mean 'stratify'?");
    must_fail(f, "tm.load('x', {labl = 1})",
              "test:1: tm.load has no parameter 'labl'; did you mean 'label'?");
    must_fail(f, "tm.plot{rums = {}}",
              "test:1: tm.plot has no parameter 'rums'; did you mean 'runs'?");
    must_fail(f, "tm.synth('saif', {sed = 1})",
              "test:1: saif has no parameter 'sed'; did you mean 'seed'?");
    must_fail(f, "tm.dataset{x = {{1}}, Y = {1}}",
              "test:1: tm.dataset has no parameter 'Y'; did you mean 'y'?");
    must_fail(f, "tm.lasso(d, {0.1})",
              "test:1: lasso: arguments are given as name=value; [1] has no name");
    must_fail(f, "tm.laso()", "test:1: tm has no function 'laso'; did you mean 'lasso'?");
    must_fail(f, "tm.on('finished', print)",
              "test:1: tm.on: there is no event 'finished'; expected 'progress' or 'done'");
    must_fail(f, "tm.on(1, print)",
              "test:1: tm.on: the event is a number; expected 'progress' or 'done'");
    must_fail(f, "tm.synth('zzzzzzzzz')",
              "test:1: no generator \"zzzzzzzzz\"; tm.synths() lists them");
    must_fail(f, "tm.ui.view('runs')", "test:1: tm.ui.view: there is no workbench here");
    must_fail(f, "tm.screen()", "test:1: tm.screen: there is no workbench here");
    must_fail(f, "return d.lable",
              "test:1: a data set has no field 'lable'; did you mean 'label'?");
    assert_int_equal(f->started, 0);
}

static void test_values_are_checked(void **state)
{
    fixture *f = *state;
    must_run(f, DATA);
    must_fail(f, "tm.lasso(d, {tol = -1})",
              "test:1: lasso: parameter 'tol' is -1; expected a number above 0 and at most 1");
    must_fail(f, "tm.lasso(d, {tol = 'x'})",
              "test:1: lasso: parameter 'tol' is 'x'; expected a number above 0 and at most 1");
    must_fail(f, "tm.lasso(d, {tol = print})",
              "test:1: lasso: parameter 'tol' is a function; expected a number");
    must_fail(f, "tm.lasso(d, {screen = 'saiff'})",
              "test:1: lasso: parameter 'screen' has no choice 'saiff'; did you mean 'saif'?");
    must_fail(f, "tm.lasso(d, {intercept = {}})",
              "test:1: lasso: parameter 'intercept' is a table; expected true or false");
    must_fail(f, "tm.lasso(d, {lambda = {1, 'x'}})",
              "test:1: lasso: 'lambda' has text at place 2; expected a number");
    must_fail(f, "tm.lasso(d, {test = 5})",
              "test:1: test: expected a data set, not a number; tm.load, tm.synth and tm.dataset "
              "make one");
    must_fail(f, "tm.lasso(d, 5)",
              "test:1: lasso: expected a table of arguments {name=value, ...}, not a number");
    must_fail(f, "tm.lasso()",
              "test:1: lasso: expected a data set, not nil; tm.load, tm.synth and tm.dataset make "
              "one");
    must_fail(f, "tm.path(d, 'laso')", "test:1: no method 'laso'; did you mean 'lasso'?");
    must_fail(f, "tm.wait(d)", "test:1: tm.wait: expected a run, not a data set");
    must_fail(f, "d.split{test = 0.5}",
              "test:1: data set: expected a data set, not a table (methods are called with ':')");
    must_fail(f, "d.n = 3", "test:1: the fields of a data set cannot be set");
    assert_int_not_equal(run(f, "tm.lasso(d, {max_iter = 1.5})", false), TM_OK);
    assert_int_not_equal(run(f, "tm.lasso(d, {tol = 0/0})", false), TM_OK);
    assert_int_not_equal(run(f, "tm.lasso(d, {lambda = -1})", false), TM_OK);
    assert_int_not_equal(run(f, "d:split{test = 1.5}", false), TM_OK);
    assert_int_equal(f->started, 0);
}

static void test_dataset(void **state)
{
    fixture *f = *state;
    must_run(f, "d = tm.dataset{x = {{1, 0}, {2, 5}, {4, 6}}, y = {'b', 'a', 'b'}, "
                "names = {'u', 'v'}, name = 'tiny'}");
    assert_int_equal(f->loaded, 1);
    assert_string_equal(value(f, "d.n, d.p, d.nnz, d.name, d.binary, d.kind"),
                        "3\n2\n6\ntiny\ntrue\ndense");
    /* The label that comes later in byte order is +1, whatever the order of the rows. */
    assert_string_equal(value(f, "d:label(1), d:label(-1), d.y"), "b\na\n{1, -1, 1}");
    assert_string_equal(value(f, "d:feature(2), d:column(1)"), "v\n{1, 2, 4}");
    assert_string_equal(value(f, "d"), "data set tiny: 3 x 2 dense, two classes (-1: a, +1: b)");
    assert_string_equal(value(f, "tm.dataset{x = {{1}, {2}, {3}}, y = {1, 2, 3.5}}.binary"),
                        "false");
    assert_string_equal(value(f, "#d.sha256"), "64");
    must_run(f, "e = tm.dataset{x = {{1, 0}, {2, 5}, {4, 6}}, y = {1, -1, 1}} "
                "assert(e.sha256 == d.sha256)");
    must_run(f, "assert(d ~= e and d == d)");
}

static void test_dataset_errors(void **state)
{
    fixture *f = *state;
    must_fail(f, "tm.dataset{y = {1}}",
              "test:1: tm.dataset: 'x' is nil; expected a list of rows {{...}, ...}");
    must_fail(f, "tm.dataset{x = {}, y = {}}",
              "test:1: tm.dataset: 'x' has no rows; expected a list of rows {{...}, ...}");
    must_fail(f, "tm.dataset{x = {{1, 2}, {3}}, y = {1, 2}}",
              "test:1: tm.dataset: the length of row 2 of 'x' is 1, that of the first row 2");
    must_fail(f, "tm.dataset{x = {{1, 2}, 3}, y = {1, 2}}",
              "test:1: tm.dataset: row 2 of 'x' is a number; expected a list of numbers");
    must_fail(f, "tm.dataset{x = {{1, 2}, {3, '4'}}, y = {1, 2}}",
              "test:1: tm.dataset: x[2][2] is text; expected a number");
    must_fail(f, "tm.dataset{x = {{1, 0/0}}, y = {1}}",
              "test:1: tm.dataset: x[1][2] is not finite");
    must_fail(f, "tm.dataset{x = {{1}, {2}}, y = {1}}",
              "test:1: tm.dataset: y has 1 values, x has 2 rows");
    must_fail(f, "tm.dataset{x = {{1}, {2}}, y = {1, 1/0}}",
              "test:1: tm.dataset: y[2] is not finite");
    must_fail(f,
              "y = {}; for i = 1, 1001 do y[i] = 'k' .. i end; x = {}; for i = 1, 1001 do x[i] = "
              "{i} end; tm.dataset{x = x, y = y}",
              "test:1: tm.dataset: y has more than 1000 distinct labels");
    must_fail(f, "tm.dataset{x = {{1}, {2}}, y = {'a', 'a'}}",
              "test:1: tm.dataset: y has the one label 'a'; expected two or more");
    must_fail(f, "tm.dataset{x = {{1}, {2}}, y = {'a', 2}}",
              "test:1: tm.dataset: y[2] is a number, but y[1] is text");
    must_fail(f, "tm.dataset{x = {{1}}, y = {1}, names = {1, 2}}",
              "test:1: tm.dataset: 'names' is not a list of 1 feature names");
    must_fail(f, "tm.dataset()", "test:1: tm.dataset: expected a table {x={{...}, ...}, y={...}}");
    assert_int_equal(f->loaded, 0);
    must_fail(
        f,
        "d = tm.dataset{x = {{1}, {2}, {3}}, y = {'c', 'a', 'b'}}; assert(#d.classes == 3 and "
        "d.classes[3].label == 'c'); error(tm.lasso(d):wait().error)",
        "test:1: data: the response is one of 3 classes (a, b, ...); choose one of them "
        "against the rest with class, or each in turn with one-vs-rest");
}

static void test_folds(void **state)
{
    fixture *f = *state;
    must_run(f,
             "x, y, g = {}, {}, {} for i = 1, 20 do x[i] = {i} y[i] = i % 2 * 2 - 1 "
             "g[i] = 'patient ' .. i // 4 end "
             "d = tm.dataset{x = x, y = y} local seen = {} local folds = d:folds{k = 4, seed = 3} "
             "assert(#folds == 4) for _, fold in ipairs(folds) do "
             "assert(fold.train.n == 15 and fold.test.n == 5 and fold[2].n == 5) "
             "for _, v in ipairs(fold.test:column(1)) do assert(not seen[v]) seen[v] = true end "
             "end assert(#seen == 20)");
    must_run(f, "for _, fold in ipairs(d:folds{k = 3, groups = g}) do local inside = {} "
                "for _, v in ipairs(fold[2]:column(1)) do inside[g[v]] = true end "
                "for _, v in ipairs(fold[1]:column(1)) do assert(not inside[g[v]]) end end "
                "local a, b = d:split{test = 0.3, groups = g} assert(a.n + b.n == 20)");
    must_fail(f, "d:folds{k = 21}",
              "test:1: k = 21: data has only 20 rows, and every fold needs one");
    must_fail(
        f, "d:split{groups = {1, 2}}",
        "test:1: split: 'groups' is a table of another length; expected a list of 20 numbers or "
        "texts, one a row");
}

static void test_prepare(void **state)
{
    fixture *f = *state;
    must_run(
        f,
        "d = tm.dataset{x = {{1, 2, 4}, {3, 4, 4}, {5, 0, 4}}, y = {1, -1, 1}, "
        "names = {'a', 'b', 'c'}} "
        "local s = d:select{columns = {'c', 1}, rows = {3, 1}} "
        "assert(s.n == 2 and s.p == 2 and s:feature(1) == 'c' and s:column(2)[1] == 5) "
        "local t = d:scale{how = 'maxabs'} assert(t:column(1)[3] == 1 and t:column(2)[2] == 1) "
        "local u = s:append(s, s) assert(u.n == 6 and u:column(1)[6] == 4) "
        "local v = s:select{columns = {2}}:scale{how = 'maxabs', like = d:select{columns = {1}}} "
        "assert(v:column(1)[2] == 0.2)");
    must_fail(f, "d:select{columns = {'z'}}", "test:1: select: no feature is called 'z'");
    must_fail(f, "d:select{rows = {4}}", "test:1: select: rows[1] is not a number from 1 to 3");
    must_fail(f, "d:select{}", "test:1: select: expected columns, rows or both");
    must_fail(f, "d:append()", "test:1: append: expected one data set more, or several");
}

static void test_split(void **state)
{
    fixture *f = *state;
    must_run(f, "local x, y = {}, {} for i = 1, 40 do x[i] = {i} y[i] = i % 4 == 0 and 1 or 0 end "
                "d = tm.dataset{x = x, y = y} a, b = d:split{test = 0.5, seed = 2} "
                "seen = {} ones = 0 "
                "for _, part in ipairs{a, b} do local c, y = part:column(1), part.y "
                "for i = 1, part.n do seen[c[i]] = (seen[c[i]] or 0) + 1 "
                "if part == b and y[i] == 1 then ones = ones + 1 end end end "
                "for i = 1, 40 do assert(seen[i] == 1) end");
    /* Two classes are stratified unless the script says otherwise: 5 of the 10 positives. */
    assert_string_equal(value(f, "a.n, b.n, ones"), "20\n20\n5");
    must_run(f, "local c, e = d:split{test = 0.5, seed = 2} assert(c.sha256 == a.sha256) "
                "local g = d:split{test = 0.5, seed = 3} assert(g.sha256 ~= a.sha256) "
                "local h, i = d:split(), d:split{seed = 7} assert(h.sha256 == i.sha256)");
}

/* The same problem solved through the library: objectives must agree to the gaps. */
static double independent_objective(double ratio, double *null_objective)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params;
    tm_dataset *data;
    tm_solver *solver;
    tm_solution solution = TM_SOLUTION_INIT;
    const tm_synth_info *synth = tm_synth_find("saif", &err);
    assert_int_equal(tm_params_new(&params, "saif", synth->params, synth->param_count, &err), 0);
    tm_params_set_int(params, "n", 60, &err);
    tm_params_set_int(params, "p", 300, &err);
    tm_params_set_int(params, "k", 10, &err);
    tm_params_set_int(params, "seed", 3, &err);
    assert_int_equal(tm_synth_make(&data, synth, params, NULL, &err), 0);
    tm_params_free(params);
    const tm_method *lasso = tm_method_find("lasso", &err);
    assert_int_equal(tm_method_params_new(&params, lasso, &err), 0);
    tm_params_set_text(params, "screen", "none", &err);
    tm_params_set_real(params, "tol", 1e-9, &err);
    assert_int_equal(tm_solver_new(&solver, lasso, data, params, NULL, &err), 0);
    double lambda = ratio * tm_solver_lambda_max(solver);
    assert_int_equal(tm_params_set_reals(params, "lambda", &lambda, 1, &err), 0);
    assert_int_equal(tm_solver_update(solver, params, &err), 0);
    assert_int_equal(tm_solver_solve(solver, &solution, &err), 0);
    double primal = solution.primal;
    *null_objective = solution.null_objective;
    tm_solution_clear(&solution);
    tm_solver_free(solver);
    tm_params_free(params);
    tm_dataset_unref(data);
    return primal;
}

static void test_run(void **state)
{
    fixture *f = *state;
    must_run(f, DATA "r = tm.lasso(d, {lambda_ratio = 0.1, tol = 1e-9, screen = 'saif', "
                     "test = d, name = 'mine'}) assert(r:wait() == r)");
    assert_int_equal(f->started, 1);
    assert_string_equal(value(f, "r.status, r.name, r.method, r.error, r.progress"),
                        "converged\nmine\nlasso\nnil\n1.0");
    double primal = atof(value(f, "string.format('%.17g', r.primal)"));
    double null_objective, expected = independent_objective(0.1, &null_objective);
    if (!(fabs(primal - expected) <= 2e-9 * null_objective))
        fail_msg("primal %.17g, expected %.17g", primal, expected);
    must_run(f, "assert(r.gap == r.primal - r.dual and r.gap <= 1e-9 * r.null_objective) "
                "assert(r.worst_gap == r.gap and r.lambda == 0.1 * r.lambda_max) "
                "assert(r.nnz == r.model.nnz and r.nnz > 0 and r.intercept == r.model.intercept) "
                "assert(math.type(r.columns) == 'integer' and r.columns > 0 and r.updates > 0) "
                "assert(math.abs(r.passes - r.columns / d.p) < 1e-9) "
                "assert(r.screened == d.p - r.active) "
                "assert(r.rejection == r.screened / d.p and r.power <= 1 and r.seconds > 0) "
                "assert(r.params.screen == 'saif' and r.params.tol == 1e-9) "
                "assert(r.train == d and r.test == d)");
    must_run(f, "assert(r.score.train.r2 == r.score.test.r2 and "
                "r.score.train.r2 == r.model:score(d, 'r2') and r.score.train.accuracy == nil)");
    must_run(f, "assert(tostring(r):find('mine: converged', 1, true))");
    must_run(f, "local t = r.trace assert(#t > 1 and #t.gap == #t and t[1].gap == t.gap[1]) "
                "for i = 2, #t do assert(t.time[i] >= t.time[i - 1]) "
                "assert(t.columns[i] >= t.columns[i - 1]) "
                "assert(t.active[i] + t.screened[i] == d.p) end "
                "assert(t[#t].kind == 'point' and t.gap[#t] == r.gap) "
                "assert(t.gap[0] == nil and t.gap[#t + 1] == nil and t[#t + 1] == nil) "
                "local n = 0 for _ in ipairs(t.gap) do n = n + 1 end assert(n == #t)");
    must_run(f, "local s = tm.lasso(d, {lambda_ratio = 0.1, from = r, tol = 1e-9}):wait() "
                "assert(s.status == 'converged')");
}

static void test_model(void **state)
{
    fixture *f = *state;
    must_run(f, DATA "m = tm.lasso(d, {lambda_ratio = 0.1}):wait().model z = m:predict(d)");
    /* Predictions are the sum over the support, from the columns themselves. */
    must_run(f, "for i = 1, d.n, 7 do local sum = m.intercept "
                "for j, w in pairs(m.coef) do sum = sum + w * d:column(j)[i] end "
                "assert(math.abs(sum - z[i]) < 1e-9 * (1 + math.abs(sum))) end");
    must_run(f, "local k = 0 for j, w in pairs(m.coef) do k = k + 1 assert(w == m:weight(j)) end "
                "assert(k == m.nnz and #m.support == k) "
                "for i, j in ipairs(m.support) do assert(m.coef[j] ~= 0) "
                "assert(i == 1 or j > m.support[i - 1]) end");
    must_run(f, "local t = m:top(3) assert(#t == 3) "
                "for i = 2, 3 do assert(math.abs(t[i].weight) <= math.abs(t[i - 1].weight)) end "
                "for _, j in ipairs(m.support) do "
                "assert(math.abs(m.coef[j]) <= math.abs(t[1].weight)) end");
    must_run(f, "path = os.tmpname() m:save(path) local l = tm.model(path) os.remove(path) "
                "assert(l.nnz == m.nnz and l.intercept == m.intercept and l.lambda == m.lambda) "
                "for j, w in pairs(m.coef) do assert(l.coef[j] == w) end");
    assert_int_not_equal(run(f, "m:score(d, 'acuracy')", false), TM_OK);
    assert_non_null(strstr(f->error.message, "accuracy"));
    assert_int_not_equal(run(f, "m:score(d, 'accuracy')", false), TM_OK);
    must_fail(f, "m:weight(0)", "test:1: weight: feature 0; expected a number from 1 to 300");
    assert_int_not_equal(run(f, "tm.model('/nonexistent/model')", false), TM_OK);
}

static void test_path(void **state)
{
    fixture *f = *state;
    must_run(f, DATA "a, b = d:split{test = 0.3} "
                     "p = tm.path(a, 'lasso', {lambdas = 8, test = b}):wait() t = p.table");
    must_run(f, "assert(p.status == 'converged' and #t == 8 and #p.models == 8) "
                "local worst, columns = 0, 0 "
                "for i, row in ipairs(t) do local m = p.models[i] "
                "assert(row.nnz == m.nnz and row.lambda == m.lambda) "
                "assert(i == 1 or row.lambda < t[i - 1].lambda) "
                "assert(row.test_score == m:score(b) and row.train_score == m:score(a)) "
                "worst = math.max(worst, row.gap) columns = columns + row.columns end "
                "assert(p.worst_gap == worst and p.columns == columns) "
                "assert(p.gap == t[8].gap and p.nnz == t[8].nnz and p.model.nnz == p.nnz)");
    must_print(f, "");
    must_run(f, "print(t)");
    must_print(f, "lambda");
    must_print(f, "test_score");
    /* Without lambdas a path has a hundred; a list is taken as given. */
    must_run(f, "q = tm.path(a, 'lasso', {lambda_min_ratio = 0.5}):wait() assert(#q.table == 100) "
                "s = tm.path(a, 'lasso', {lambda = {3, 7}}):wait() "
                "assert(#s.table == 2 and s.table[1].lambda == 3 and s.table[2].lambda == 7)");
    must_run(f, "assert(p.table[1].nnz == 0)");
}

static void test_no_model_yet(void **state)
{
    fixture *f = *state;
    must_run(f, "d = tm.synth('saif', {n = 400, p = 4000, seed = 1}) "
                "r = tm.lasso(d, {lambda_ratio = 1e-4, screen = 'none', tol = 1e-300, "
                "max_iter = 1e12, name = 'long'})");
    must_fail(f, "return r.model", "test:1: run 'long' has no model yet; wait for it with :wait()");
    must_run(f, "assert(r.nnz == nil and #r.models == 0 and #r.table == 0) r:cancel():wait()");
}

static void test_tables(void **state)
{
    fixture *f = *state;
    must_run(f, "print(tm.table({{a = 1, b = 'x'}, {a = 22.5, b = 'yy'}, {b = 'é'}}, {'a', 'b'}))");
    assert_string_equal(f->output, "   a  b\n   1  x\n22.5  yy\n   -  é\n");
    must_run(f, "print(tm.table({{1, 2}, {3, 4}}, {'one', 'two'}))");
    assert_string_equal(f->output, "one  two\n  1    2\n  3    4\n");
    must_run(f, "print(tm.table({{b = 1, a = 2}}))");
    assert_string_equal(f->output, "a  b\n2  1\n");
    must_fail(f, "tm.table(3)", "test:1: tm.table: expected a list of rows, not a number");
    must_fail(f, "tm.table({3})",
              "test:1: tm.table: row 1 is a number; expected a table or an object");
    must_run(f, "print(tm.table({}, {'x'}))");
    assert_string_equal(f->output, "x\n");
}

static void test_plots(void **state)
{
    fixture *f = *state;
    must_run(f, DATA "r = tm.lasso(d, {lambda_ratio = 0.1, name = 'mine'}):wait() "
                     "p = tm.path(d, 'lasso', {lambdas = 5}):wait() "
                     "tm.plot{runs = {r}, title = 'how it closed'}:show()");
    must_print(f, "how it closed");
    must_print(f, "time (s)");
    /* Every pair of axes that the table of parameters allows can be drawn. */
    must_run(f, "for _, x in ipairs{'time', 'columns', 'updates', 'step', 'lambda', 'nnz', "
                "'levels'} do "
                "for _, y in ipairs{'gap', 'active', 'screened', 'rejection', 'primal', 'dual', "
                "'rejected', 'aggregated', 'nnz', 'levels', 'score'} do tostring(tm.plot{runs = "
                "{r, p}, x = x, y = y}) end end");
    must_fail(f, "tm.plot{runs = {r}, y = 'test_score'}",
              "test:1: tm.plot: run 'mine' has no test data; start it with test=data");
    must_fail(f, "tm.plot{runs = {d}}", "test:1: tm.plot: runs: expected a run, not a data set");
    must_fail(f, "tm.plot{}",
              "test:1: tm.plot: nothing to draw; give runs={...}, "
              "series={...} or picture={...}");
    must_fail(f, "tm.plot{series = {{x = {1, 2}, y = {1}}}}",
              "test:1: tm.plot: a series has 2 values of x and 1 of y");
    must_fail(f, "tm.plot{series = {{x = {1}}}}",
              "test:1: tm.plot: 'y' is nil; expected a list of numbers");
    must_run(f, "path = os.tmpname() .. '.csv' "
                "tm.plot{series = {{x = r.trace.time, y = r.trace.gap, name = 'gap'}, "
                "{y = {5, 6}, name = 'plain'}}}:save(path) "
                "text = io.open(path):read('a') os.remove(path) "
                "assert(text:find('plain', 1, true) and text:find('gap', 1, true)) "
                "local _, lines = text:gsub('\\n', '') assert(lines == #r.trace + 2 + 1)");
    assert_int_not_equal(run(f, "tm.plot{runs = {r}}:save('x.gif')", false), TM_OK);
    assert_non_null(strstr(f->error.message, ".svg"));
}

/* Lines of pages are no wider than the terminal, which may change its width. */
static void test_help_is_as_wide_as_the_terminal(void **state)
{
    fixture *f = *state;
    static const size_t widths[] = {40, 60, 100};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        script_set_columns(f->script, widths[w]);
        must_run(f, "help() help('lasso') help('saif') help('dataset')");
        size_t widest = 0;
        for (const char *line = f->output; *line; line += strcspn(line, "\n") + 1) {
            size_t columns = 0, bytes = strcspn(line, "\n");
            for (size_t i = 0; i < bytes; i++)
                columns += ((unsigned char)line[i] & 0xc0) != 0x80;
            widest = columns > widest ? columns : widest;
            if (!line[bytes])
                break;
        }
        assert_true(widest <= widths[w] && widest > widths[w] / 2);
    }
}

static void test_help(void **state)
{
    fixture *f = *state;
    const tm_method *method;
    size_t count;
    script_set_columns(f->script, 4000); /* no line is broken */
    must_run(f, "help()");
    must_print(f, "tm.load(path");
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        char text[128];
        const tm_param_info *table = tm_method_params(method, &count);
        snprintf(text, sizeof text, "help(tm.%s)", tm_method_id(method));
        must_run(f, text);
        must_print(f, tm_method_summary(method));
        for (size_t k = 0; k < count; k++)
            must_print(f, table[k].help);
    }
    must_run(f, "help('split')");
    must_print(f, "dataset:split{test=0.25, seed=, stratify=}");
    must_run(f, "help('lambda_ratio')");
    must_print(f, "parameter of tm.lasso");
    must_run(f, "help(tm.dataset{x = {{1}, {2}}, y = {1, 2}})");
    must_print(f, ":split");
    must_run(f, "help('accuracy') help('saif') help('tm.plot') help(tm) help(print)");
    must_fail(f, "help('splt')", "test:1: help: nothing is called 'splt'; did you mean 'split'?");
}

static void test_listings(void **state)
{
    fixture *f = *state;
    must_run(f, "print(tm.methods()) print(tm.screens()) print(tm.metrics()) print(tm.synths())");
    must_print(f, "lasso");
    must_print(f, "saif");
    must_print(f, "accuracy");
    must_run(f, "for _, m in ipairs(tm.methods()) do assert(type(tm[m.id]) == 'function') end "
                "assert(tamis == tm and tm.version:match('^%d+%.%d+'))");
}

static void test_failed_load(void **state)
{
    fixture *f = *state;
    assert_int_not_equal(run(f, "tm.load('/nonexistent/file')", false), TM_OK);
    assert_non_null(strstr(f->error.message, "/nonexistent/file"));
    must_fail(f, "tm.load()", "test:1: tm.load: expected the path of a file, not nothing");
    must_run(f, "local path = os.tmpname() local h = io.open(path, 'w') "
                "h:write('a,b,c\\n1,2,3\\n4,5,7\\n7,8,11\\n') h:close() "
                "d = tm.load(path, {format = 'csv', label = 2, header = true}) os.remove(path)");
    assert_string_equal(value(f, "d.n, d.p, d.response, d.y, d:feature(2)"),
                        "3\n2\nb\n{2, 5, 8}\nc");
    assert_int_equal(f->loaded, 1);
}

/* The examples run from the top folder, in the workbench and without a screen. */
static void run_example(fixture *f, const char *path)
{
    tm_status status = TM_OK;
    uint64_t ticket = script_submit_file(f->script, path, NULL, 0);
    assert_true(script_wait(f->script, ticket, -1, &status));
    if (status != TM_OK)
        fail_msg("%s: %s", path, f->error.message);
}

static void test_compare_in_workbench(void **state)
{
    fixture *f = *state;
    run_example(f, "examples/compare.lua");
    assert_int_equal(f->shown, 4);
    assert_int_equal(f->shown_series, 5); /* four strategies and the majority */
    assert_int_equal(f->loaded, 1);
    assert_int_equal(f->started, 8);
    must_print(f, "all choose the same");
    must_print(f, "every gap is certified within the tolerance");
    assert_null(strstr(f->output, "duality gap"));
}

static void test_examples_without_screen(void **state)
{
    fixture *f = *state;
    run_example(f, "examples/compare.lua");
    must_print(f, "duality gap");
    must_print(f, "all choose the same");
    f->length = 0;
    run_example(f, "examples/lessons/path.lua");
    must_print(f, "test r2 retrained");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(test_unknown_keys_name_the_closest),
        TEST(test_values_are_checked),
        TEST(test_dataset),
        TEST(test_dataset_errors),
        TEST(test_split),
        TEST(test_folds),
        TEST(test_prepare),
        TEST(test_run),
        TEST(test_model),
        TEST(test_path),
        TEST(test_no_model_yet),
        TEST(test_tables),
        TEST(test_plots),
        TEST(test_help),
        TEST(test_help_is_as_wide_as_the_terminal),
        TEST(test_listings),
        TEST(test_failed_load),
        TEST(test_examples_without_screen),
        cmocka_unit_test_setup_teardown(test_compare_in_workbench, setup_workbench, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
