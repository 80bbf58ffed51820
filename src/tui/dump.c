/* The workbench without a terminal: loads, solves, runs the script, and prints what a view would
 * show. */
#include "tui/frame.h"
#include "tui/life.h"
#include "tui/loop.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 50 };

/* Whether anything that a view shows is still being computed. */
static bool at_work(const app *a)
{
    const view_ops *ops = a->views[a->layout.view];
    bool unseen = a->session->data.generation != a->generation;
    return unseen || session_busy(a->session) || explore_runs_running(&a->explore_runs) ||
           a->explore_runs.path_wanted || (ops->busy && ops->busy(a->states[a->layout.view]));
}

static void wait_until_idle(app *a)
{
    do {
        struct pollfd wake = {.fd = a->session->wake_fd, .events = POLLIN};
        uint64_t count;
        if (poll(&wake, 1, LOOK_MS) > 0) {
            ssize_t got = read(wake.fd, &count, sizeof count);
            (void)got;
        }
        loop_update(a);
    } while (!a->end.now && at_work(a));
    loop_update(a); /* the last news */
}

typedef tm_status work(app *a, const tui_options *options, tm_error *err);

static tm_status told(const session *s, tm_error *err)
{
    *err = s->data.error.code != TM_OK ? s->data.error : s->script_error;
    return err->code;
}

static tm_status open_nowhere(app *a, const tui_options *options, tm_error *err)
{
    tm_status status =
        terminal_open_nowhere(&a->terminal, options->rows, options->cols, options->charset, err);
    return status == TM_OK ? life_open_work(a, options, err) : status;
}

static tm_status check(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = open_nowhere(a, options, err);
    if (status != TM_OK)
        return status;
    wait_until_idle(a);
    return told(a->session, err);
}

static tm_status dump(app *a, const tui_options *options, tm_error *err)
{
    char *text = NULL;
    view_id view = VIEW_EXPLORE;
    if (!view_find(options->dump, &view)) {
        char names[VIEW_NAMES];
        return tm_fail(err, TM_EUSAGE, "--dump-view: '%.40s' is no view; there are %s",
                       options->dump, view_names(names, sizeof names));
    }
    tm_status status = open_nowhere(a, options, err);
    if (status != TM_OK)
        return status;
    app_show(a, view);
    wait_until_idle(a);
    status = frame_text(a, view, true, &text, err);
    if (status == TM_OK && fputs(text, stdout) == EOF)
        status = tm_fail(err, TM_EIO, "writing to standard output failed: %s", strerror(errno));
    free(text);
    return status == TM_OK ? told(a->session, err) : status;
}

static int without_terminal(const tui_options *options, work *act)
{
    tm_error err = TM_ERROR_INIT;
    setlocale(LC_CTYPE, "");
    app *a = calloc(1, sizeof *a);
    tm_status status = a ? life_open_prompt(a, NULL, &err) : tm_fail_memory(&err, "the view");
    if (status == TM_OK)
        status = act(a, options, &err);
    if (a) {
        life_close(a);
        free(a);
    }
    if (status != TM_OK)
        fprintf(stderr, "tamis: %s\n", err.message);
    return status == TM_OK ? 0 : status == TM_EUSAGE ? 2 : 1;
}

int tui_dump(const tui_options *options)
{
    return without_terminal(options, dump);
}

int tui_check(const tui_options *options)
{
    return without_terminal(options, check);
}
