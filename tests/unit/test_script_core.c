/* The script thread: queue, errors, interrupts, memory, callbacks. */
#include "script_fixture.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Starts a chunk, waits until it printed "go", interrupts it; it must end as cancelled. */
static void interrupt_chunk(fixture *f, const char *text)
{
    tm_status status = TM_OK;
    run(f, "", false);
    uint64_t ticket = script_submit(f->script, text, "=test", false);
    for (bool going = false; !going;) {
        pthread_mutex_lock(&f->mutex);
        going = strstr(f->output, "go") != NULL;
        pthread_mutex_unlock(&f->mutex);
        pause_ms(1);
    }
    assert_true(script_busy(f->script));
    script_interrupt(f->script);
    assert_true(script_wait(f->script, ticket, -1, &status));
    assert_int_equal(status, TM_ECANCELLED);
    assert_string_equal(f->error.message, "interrupted");
    assert_int_equal(f->last, ticket);
    assert_string_equal(value(f, "1 + 1"), "2");
}

static void test_queue_keeps_order(void **state)
{
    fixture *f = *state;
    uint64_t last = 0;
    must_run(f, "t = {}");
    for (int i = 1; i <= 200; i++) {
        char text[64];
        snprintf(text, sizeof text, "t[#t + 1] = %d", i);
        uint64_t ticket = script_submit(f->script, text, "=test", false);
        assert_true(ticket > last);
        last = ticket;
    }
    assert_true(script_wait(f->script, last, -1, NULL));
    assert_false(script_busy(f->script));
    assert_string_equal(value(f, "#t, t[1], t[200]"), "200\n1\n200");
    assert_int_equal(f->ended, 202);
}

static void test_statuses_are_kept(void **state)
{
    fixture *f = *state;
    tm_status status = TM_OK;
    uint64_t bad = script_submit(f->script, "error('x')", "=test", false);
    uint64_t good = script_submit(f->script, "return", "=test", false);
    assert_true(script_wait(f->script, good, -1, &status));
    assert_int_equal(status, TM_OK);
    assert_true(script_wait(f->script, bad, 0, &status));
    assert_int_equal(status, TM_EDATA);
    assert_false(script_wait(f->script, good + 5, 0, &status));
}

static void test_echo(void **state)
{
    fixture *f = *state;
    assert_string_equal(value(f, "1, 'a', nil, {1, 2, x = 'y'}"), "1\na\nnil\n{1, 2, x=\"y\"}");
    assert_string_equal(value(f, "x = 5"), "");
    assert_string_equal(value(f, "x"), "5");
    assert_string_equal(value(f, "{}"), "{}");
    assert_string_equal(value(f, "local t = {} for i = 1, 20 do t[i] = i end return t"),
                        "{1, 2, 3, 4, 5, 6, 7, 8, ... 20 in all}");
    run(f, "return 5", false);
    assert_string_equal(f->output, "");
}

static void test_print_and_streams(void **state)
{
    fixture *f = *state;
    must_run(f, "print(1, nil, 'x') io.write('a', 2) io.stdout:write('b\\n') warn('careful')");
    assert_string_equal(f->output, "1\tnil\tx\na2b\ncareful\n");
    must_run(f, "local n = os.tmpname() local h = io.open(n, 'w') h:write('in file') h:close() "
                "print(io.open(n):read('a')) os.remove(n)");
    assert_string_equal(f->output, "in file\n");
}

static void test_errors(void **state)
{
    fixture *f = *state;
    must_fail(f, "x = ", "test:1: unexpected symbol near <eof>");
    must_fail(f, "error('plain')", "test:1: plain");
    must_fail(f, "error({})", "(error object is a table value)");
    must_fail(f, "error()", "(error object is a nil value)");
    must_fail(f, "error(setmetatable({}, {__tostring = function() return 'told' end}))", "told");
    must_fail(f, "\nlocal function f() error('deep') end\nlocal function g() f() end\ng()",
              "test:2: deep\n  in function 'f' (test:2)\n  in function 'g' (test:3)\n"
              "  called from test:4");
    assert_int_not_equal(run(f, "local function f() return 1 + f() end f()", false), TM_OK);
    assert_non_null(strstr(f->error.message, "stack overflow"));
    assert_int_not_equal(run(f, "local function f() return pcall(f) end error(f())", false), TM_OK);
    assert_string_equal(value(f, "1"), "1");
}

static void test_memory_errors(void **state)
{
    fixture *f = *state;
    /* A terabyte is asked for at once: rows that are one and the same table. */
    assert_int_equal(run(f,
                         "local row, x = {}, {} for i = 1, 400000 do row[i], x[i] = 0, row end "
                         "tm.dataset{x = x, y = row}",
                         false),
                     TM_ENOMEM);
    assert_non_null(strstr(f->error.message, "not enough memory"));
    assert_string_equal(value(f, "#string.rep('x', 1000)"), "1000");
}

static void test_exit_ends_the_chunk_only(void **state)
{
    fixture *f = *state;
    assert_int_equal(run(f, "os.exit(0) print('after')", false), TM_OK);
    assert_string_equal(f->output, "");
    assert_int_equal(run(f, "while true do pcall(os.exit, 3) end", false), TM_EDATA);
    assert_string_equal(f->error.message, "the script called os.exit(3)");
    assert_int_equal(run(f, "os.exit(true)", false), TM_OK);
    assert_int_equal(run(f, "os.exit(false)", false), TM_EDATA);
    assert_string_equal(value(f, "1"), "1");
}

static void test_interrupt_loops(void **state)
{
    fixture *f = *state;
    interrupt_chunk(f, "print('go') while true do end");
    interrupt_chunk(f, "print('go') local function f() while true do end end "
                       "while true do pcall(f) end");
    interrupt_chunk(f, "print('go') while true do xpcall(error, function() while true do end end) "
                       "end");
    interrupt_chunk(f, "print('go') while true do "
                       "pcall(coroutine.wrap(function() while true do end end)) end");
    interrupt_chunk(f, "print('go') local co = coroutine.wrap(function() "
                       "while true do pcall(coroutine.yield, 1) end end) while true do co() end");
    interrupt_chunk(f, "print('go') while true do pcall(string.rep, 'x', 1 << 24) end");
    interrupt_chunk(f, "print('go') local function f() return pcall(f), pcall(f) end f()");
}

static void test_interrupt_when_idle_does_nothing(void **state)
{
    fixture *f = *state;
    run(f, "", false);
    script_interrupt(f->script);
    assert_string_equal(value(f, "'alive'"), "alive");
}

static void test_hook_cannot_be_taken_away(void **state)
{
    fixture *f = *state;
    assert_int_not_equal(run(f, "debug.sethook()", false), TM_OK);
    interrupt_chunk(f, "pcall(debug.sethook) print('go') while true do end");
}

/* A run that cannot end soon: no screening, a tolerance that rounding does not allow. */
#define LONG_RUN                                                                                   \
    "d = tm.synth('saif', {n = 400, p = 4000, seed = 1}) "                                         \
    "r = tm.lasso(d, {lambda_ratio = 1e-4, screen = 'none', tol = 1e-300, max_iter = 1e12}) "

static void test_interrupt_cancels_what_is_waited_for(void **state)
{
    fixture *f = *state;
    /* Progress is told to a chunk that waits: one that only is about to wait leaves the run alone.
     * What is told after the interrupt is not printed into another chunk's output. */
    must_run(f, "tm.on('progress', function() if not told then told = true print('go') end end)");
    interrupt_chunk(f, LONG_RUN "told = false r:wait() print('not here')");
    must_run(f, "r:wait(300)");
    assert_string_equal(value(f, "r.status"), "cancelled");
    interrupt_chunk(f, LONG_RUN "told = false while true do pcall(tm.wait) end");
    must_run(f, "r:wait(300)");
    assert_string_equal(value(f, "r.status"), "cancelled");
    must_run(f, "tm.on('progress')");
}

static void test_interrupt_spares_other_runs(void **state)
{
    fixture *f = *state;
    must_run(f, LONG_RUN);
    interrupt_chunk(f, "print('go') while true do end");
    must_run(f, "r:wait(0)");
    assert_string_not_equal(value(f, "r.status"), "cancelled");
    must_run(f, "r:cancel():wait()");
    assert_string_equal(value(f, "r.status"), "cancelled");
}

static void test_pause_and_resume(void **state)
{
    fixture *f = *state;
    must_run(f, LONG_RUN "while #r.trace == 0 do end r:pause() r:wait(0.05)");
    assert_string_equal(value(f, "r.status"), "paused");
    must_run(f, "r:resume() r:cancel() r:wait()");
    assert_string_equal(value(f, "r.status"), "cancelled");
}

static void test_callbacks(void **state)
{
    fixture *f = *state;
    must_run(f, "done, seen = 0, 0 "
                "tm.on('done', function(run) done = done + 1 last = run.name end) "
                "tm.on('progress', function(run) seen = seen + #run.trace end) "
                "d = tm.synth('saif', {n = 50, p = 200, seed = 1}) "
                "tm.lasso(d, {lambda_ratio = 0.5, name = 'first'}):wait()");
    assert_string_equal(value(f, "done, last, seen > 0"), "1\nfirst\ntrue");
    /* An idle script calls them as well. */
    must_run(f, "tm.lasso(d, {lambda_ratio = 0.4, name = 'second'})");
    for (int i = 0; i < 500 && strcmp(value(f, "done"), "2") != 0; i++)
        pause_ms(10);
    assert_string_equal(value(f, "done, last"), "2\nsecond");
    /* A failing one is reported and removed, the run is not harmed. */
    must_run(f, "tm.on('done') tm.on('done', function() error('no') end) "
                "r = tm.lasso(d, {lambda_ratio = 0.3}):wait()");
    must_print(f, "tm.on(\"done\"): the callback failed and is removed: test:1: no");
    must_run(f, "tm.lasso(d, {lambda_ratio = 0.2}):wait()");
    assert_string_equal(f->output, "");
    assert_string_equal(value(f, "r.status"), "converged");
}

/* A callback may change the callbacks, wait, and start runs; the list stays consistent. */
static void test_callbacks_change_callbacks(void **state)
{
    fixture *f = *state;
    must_run(f, "calls = 0 d = tm.synth('saif', {n = 50, p = 200, seed = 1}) "
                "tm.on('done', function(run) calls = calls + 1 tm.on('done') tm.wait(run) "
                "tm.lasso(d, {lambda_ratio = 0.2, name = 'inner'}) error('after') end) "
                "tm.lasso(d, {lambda_ratio = 0.3}):wait() tm.wait()");
    must_print(f, "test:1: after");
    must_run(f, "tm.on('done', function() calls = calls + 10 end) "
                "tm.lasso(d, {lambda_ratio = 0.5}):wait() tm.on('done') "
                "tm.lasso(d, {lambda_ratio = 0.6}):wait()");
    assert_string_equal(f->output, "");
    assert_string_equal(value(f, "calls"), "11");
    assert_int_not_equal(run(f, "tm.on('dne', print)", false), TM_OK);
    assert_int_equal(run(f,
                         "tm.on('done', function() os.exit(4) end) "
                         "tm.lasso(d, {lambda_ratio = 0.5}):wait() print('no')",
                         false),
                     TM_EDATA);
    assert_string_equal(f->error.message, "the script called os.exit(4)");
}

static void test_collected_run_goes_on(void **state)
{
    fixture *f = *state;
    must_run(f, "count = 0 tm.on('done', function() count = count + 1 end) "
                "d = tm.synth('saif', {n = 50, p = 300, seed = 1}) "
                "for i = 1, 60 do tm.lasso(d, {lambda_ratio = 0.2, name = 'r' .. i}) "
                "collectgarbage() local t = d:split{test = 0.5} t = t:column(1) end d = nil "
                "collectgarbage() tm.wait()");
    assert_string_equal(value(f, "count"), "60");
    assert_int_equal(f->started, 60);
}

static void test_objects_survive_their_run(void **state)
{
    fixture *f = *state;
    must_run(f, "local d = tm.synth('saif', {n = 50, p = 300, seed = 1}) "
                "local r = tm.lasso(d, {lambda_ratio = 0.2}):wait() "
                "m, g, t = r.model, r.trace.gap, r.trace d, r = nil, nil "
                "for i = 1, 5 do collectgarbage() end "
                "for i = 1, #g do assert(g[i] == t[i].gap) end");
    assert_string_equal(value(f, "m.nnz > 0, #g > 0, #m.support == m.nnz"), "true\ntrue\ntrue");
}

static void test_closed_objects_are_errors(void **state)
{
    fixture *f = *state;
    must_run(f, "d = tm.synth('saif', {n = 20, p = 10}) "
                "r = tm.lasso(d, {}):wait() m, t = r.model, r.trace g = t.gap "
                "p = tm.plot{runs = {r}} "
                "for _, o in ipairs{d, r, m, t, g, p} do "
                "debug.getmetatable(o).__gc(o) debug.getmetatable(o).__gc(o) "
                "debug.getmetatable(o).__gc({}) "
                "assert(not pcall(tostring, o)) end");
    must_run(f, "assert(not pcall(function() return d.n end)) "
                "assert(not pcall(function() return r.gap end)) "
                "assert(not pcall(function() return m.coef end)) "
                "assert(not pcall(function() return #t end)) "
                "assert(not pcall(function() return g[1] end)) "
                "assert(not pcall(p.show, p))");
}

/* Closing must work whatever is going on; the sanitizers watch. */
static void test_close_while_running(void **state)
{
    static const char *const chunks[] = {
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        LONG_RUN "r:wait()",
        LONG_RUN "tm.on('progress', function() end)",
        "setmetatable({}, {__gc = function() print('collected') end})",
        "local t = {} while true do t[#t % 1000 + 1] = tm.dataset{x = {{1}, {2}}, y = {1, 2}} end",
    };
    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        void *other;
        setup(&other);
        fixture *f = other;
        script_submit(f->script, chunks[i], "=test", false);
        script_submit(f->script, "print('queued')", "=test", false);
        pause_ms(30);
        teardown(&other);
    }
}

static void test_files(void **state)
{
    fixture *f = *state;
    char path[] = "/tmp/tamis-script-XXXXXX";
    char *arguments[] = {"one", "two"};
    tm_status status;
    int file = mkstemp(path);
    static const char text[] = "#!/usr/bin/tamis\nprint(arg[0], arg[1], arg[2], #arg, ...)\nboom()";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    uint64_t ticket = script_submit_file(f->script, path, arguments, 2);
    assert_true(script_wait(f->script, ticket, -1, &status));
    char expected[256];
    snprintf(expected, sizeof expected, "%s\tone\ttwo\t2\tone\ttwo\n", path);
    assert_string_equal(f->output, expected);
    snprintf(expected, sizeof expected, "%s:3: attempt to call a nil value (global 'boom')", path);
    assert_string_equal(f->error.message, expected);
    unlink(path);
    ticket = script_submit_file(f->script, path, NULL, 0);
    assert_true(script_wait(f->script, ticket, -1, &status));
    assert_int_equal(status, TM_EIO);
    assert_non_null(strstr(f->error.message, path));
    ticket = script_submit_file(f->script, "/tmp", NULL, 0);
    assert_true(script_wait(f->script, ticket, -1, &status));
    assert_int_equal(status, TM_EIO);
}

static void test_workbench_host(void **state)
{
    fixture *f = *state;
    must_run(f, "p = tm.plot{series = {{y = {1, 2}, name = 'a'}, {y = {3}}}} p:show() p:show()");
    assert_int_equal(f->shown, 2);
    assert_int_equal(f->shown_series, 2);
    assert_string_equal(f->output, "");
    assert_string_equal(value(f, "p, 5"), "5");
    assert_int_equal(f->shown, 3);
    must_run(f, "io.stderr:write('to the host') print(io.read())");
    assert_string_equal(f->output, "to the hostnil\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(test_queue_keeps_order),
        TEST(test_statuses_are_kept),
        TEST(test_echo),
        TEST(test_print_and_streams),
        TEST(test_errors),
        TEST(test_memory_errors),
        TEST(test_exit_ends_the_chunk_only),
        TEST(test_interrupt_loops),
        TEST(test_interrupt_when_idle_does_nothing),
        TEST(test_hook_cannot_be_taken_away),
        TEST(test_interrupt_cancels_what_is_waited_for),
        TEST(test_interrupt_spares_other_runs),
        TEST(test_pause_and_resume),
        TEST(test_callbacks),
        TEST(test_callbacks_change_callbacks),
        TEST(test_collected_run_goes_on),
        TEST(test_objects_survive_their_run),
        TEST(test_closed_objects_are_errors),
        cmocka_unit_test(test_close_while_running),
        TEST(test_files),
        cmocka_unit_test_setup_teardown(test_workbench_host, setup_workbench, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
