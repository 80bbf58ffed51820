/* Carries out the requests of scripts to the workbench (script_ui). */
#include "tui/script_requests.h"

#include "base/text.h"
#include "tui/actions.h"
#include "tui/frame.h"
#include "tui/shell/scrub.h"

#include <stdlib.h>
#include <string.h>

typedef tm_status carry_out(app *a, ui_request *r, char **answer, tm_error *err);

static tm_status find_view(const char *name, view_id *view, tm_error *err)
{
    char names[VIEW_NAMES];
    if (view_find(name, view))
        return TM_OK;
    return tm_fail(err, TM_EUSAGE, "there is no view '%.40s'; there are %s", name,
                   view_names(names, sizeof names));
}

/* The frame as it is, or as it would be with one view alone. */
static tm_status answer_screen(app *a, ui_request *r, char **answer, tm_error *err)
{
    view_id view = a->layout.view;
    if (request_word(r, 0)[0] != '\0') {
        tm_status status = find_view(request_word(r, 0), &view, err);
        if (status != TM_OK)
            return status;
    }
    return frame_text(a, view, request_word(r, 0)[0] != '\0', answer, err);
}

static tm_status answer_view(app *a, ui_request *r, char **answer, tm_error *err)
{
    view_id view = VIEW_EXPLORE;
    (void)answer;
    tm_status status = find_view(request_word(r, 0), &view, err);
    if (status == TM_OK)
        app_show(a, view);
    return status;
}

static const char *request_at(size_t i, const void *payload)
{
    (void)payload;
    return keymap_request_name(i);
}

static tm_status known_request(const char *name, int *request, tm_error *err)
{
    *request = keymap_request_find(name);
    if (*request >= 0)
        return TM_OK;
    const char *close = text_closest(name, request_at, NULL);
    return tm_fail(err, TM_EUSAGE, "there is no request '%.40s'%s%s%s", name,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tm_status answer_request(app *a, ui_request *r, char **answer, tm_error *err)
{
    int request;
    (void)answer;
    tm_status status = known_request(request_word(r, 0), &request, err);
    if (status != TM_OK)
        return status;
    /* A script that has waited for the form's run acts on its answer, drawn or not. */
    tm_error trouble = TM_ERROR_INIT;
    explore_runs_update(&a->explore_runs, &trouble);
    app_error(a, &trouble);
    action_request(a, request);
    return TM_OK;
}

static tm_status answer_set(app *a, ui_request *r, char **answer, tm_error *err)
{
    (void)answer;
    a->due.changed = true;
    if (strcmp(request_word(r, 0), "class") == 0)
        return session_choose_class(a->session, &a->explore_runs,
                                    request_word(r, 1) ? request_word(r, 1) : "-", NULL, err);
    if (strcmp(request_word(r, 0), "metric") == 0)
        return scores_choose(a->session->chosen.scores, request_word(r, 1), a->explore_runs.train,
                             err);
    if (strcmp(request_word(r, 0), "method") == 0 && request_word(r, 1)) {
        const tm_method *method = tm_method_find(request_word(r, 1), err);
        return method ? explore_runs_method(&a->explore_runs, method, err) : TM_EUSAGE;
    }
    return explore_runs_set(&a->explore_runs, request_word(r, 0), request_word(r, 1), err);
}

/* ---- lessons ------------------------------------------------------------------------------- */

static tm_status answer_lesson(app *a, ui_request *r, char **answer, tm_error *err)
{
    (void)answer;
    if (!app_shown(a, VIEW_LESSONS))
        app_show(a, VIEW_LESSONS);
    a->due.changed = true;
    return a->views[VIEW_LESSONS]->at(a->states[VIEW_LESSONS], a, request_word(r, 0),
                                      request_word(r, 1), err);
}

/* Shows the run with this id in the screen and path views; with "form", also sets the explore
 * view's form to the run's parameters. */
static tm_status answer_study(app *a, ui_request *r, char **answer, tm_error *err)
{
    unsigned long long id = strtoull(request_word(r, 0), NULL, 10);
    tm_job *job = NULL;
    (void)answer;
    for (size_t i = 0; i < a->session->runs.count; i++)
        job = tm_job_id(a->session->runs.at[i].job) == id ? a->session->runs.at[i].job : job;
    if (!job)
        return tm_fail(err, TM_EUSAGE, "tm.show: the run is no longer kept");
    session_choose_study(a->session, job);
    session_choose_path(a->session, job);
    if (strcmp(request_word(r, 1), "form") != 0)
        return TM_OK;
    session *s = a->session;
    tm_dataset *data = tm_dataset_ref(tm_job_train(job));
    tm_status status = session_explore(s, data, err);
    tm_dataset_unref(data);
    a->generation = s->data.generation;
    if (status == TM_OK)
        status = explore_runs_data(&a->explore_runs, s->data.train, s->data.test, err);
    return status == TM_OK ? explore_runs_method(&a->explore_runs, tm_job_method(job), err)
                           : status;
}

/* Shows a view beside the lesson, which keeps the focus; "": the lesson alone. */
static tm_status answer_beside(app *a, ui_request *r, char **answer, tm_error *err)
{
    enum { WIDE = 120 };
    view_id view = VIEW_LESSONS;
    (void)answer;
    bool alone = request_word(r, 0)[0] == '\0';
    tm_status status = alone ? TM_OK : find_view(request_word(r, 0), &view, err);
    if (status != TM_OK)
        return status;
    if (!alone && view == VIEW_LESSONS)
        return tm_fail(err, TM_EUSAGE, "tm.show: the lesson itself is no view beside it");
    bool below = strcmp(request_word(r, 1), "below") == 0 ||
                 (request_word(r, 1)[0] == '\0' && terminal_cols(a->terminal) < WIDE);
    app_show(a, VIEW_LESSONS);
    a->layout.split = alone ? SPLIT_NONE : below ? SPLIT_BELOW : SPLIT_BESIDE;
    a->layout.other = alone ? a->layout.other : view;
    a->layout.second = false;
    a->due.changed = a->due.news = true;
    const view_ops *ops = a->views[view];
    return !alone && ops->at ? ops->at(a->states[view], a, "reset", "", err) : TM_OK;
}

static tm_status answer_at(app *a, ui_request *r, char **answer, tm_error *err)
{
    view_id view = VIEW_EXPLORE;
    (void)answer;
    const char *what = request_word(r, 1);
    if (strcmp(what, "moment") == 0) {
        scrub_go(a, strtod(request_word(r, 2), NULL));
        return TM_OK;
    }
    tm_status status = find_view(request_word(r, 0), &view, err);
    if (status != TM_OK)
        return status;
    a->due.changed = true;
    if (!a->views[view]->at)
        return tm_fail(err, TM_EUSAGE, "tm.show: the %s view has no %.40s", view_infos[view].name,
                       what);
    return a->views[view]->at(a->states[view], a, what, request_word(r, 2), err);
}

static tm_status answer_command(app *a, ui_request *r, char **answer, tm_error *err)
{
    size_t index;
    (void)answer;
    return keymap_command(&a->keymap, request_word(r, 0), request_word(r, 1), &index, err);
}

static tm_status answer_bind(app *a, ui_request *r, char **answer, tm_error *err)
{
    int context, request = REQ_NONE, key = keyboard_key_code(request_word(r, 1));
    (void)answer;
    if (!keymap_context(request_word(r, 0), &context)) {
        char names[VIEW_NAMES];
        return tm_fail(err, TM_EUSAGE, "tm.ui.bind: '%.40s' is no view; there are all, in-plot, %s",
                       request_word(r, 0), view_names(names, sizeof names));
    }
    if (key == TK_NONE) {
        return tm_fail(err, TM_EUSAGE,
                       "tm.ui.bind: there is no key '%.40s'; keys are x, Ctrl-X, F5, up, Home, "
                       "Space, Enter, S-left, ...",
                       request_word(r, 1));
    }
    tm_status status = TM_OK;
    if (request_word(r, 3)[0] != '\0') {
        size_t index = 0;
        status = keymap_command(&a->keymap, request_word(r, 3), "", &index, err);
        request = REQ_USER + (int)index;
    } else {
        status = known_request(request_word(r, 2), &request, err);
    }
    return status == TM_OK ? keymap_bind(&a->keymap, context, key, request, err) : status;
}

static tm_status answer_theme(app *a, ui_request *r, char **answer, tm_error *err)
{
    (void)answer;
    a->due.changed = true;
    return terminal_theme(a->terminal, request_word(r, 0), request_word(r, 1), err);
}

static tm_status answer_open(app *a, ui_request *r, char **answer, tm_error *err)
{
    (void)answer;
    a->due.news = true;
    a->message.text[0] = '\0'; /* it may offer to explore these very data */
    return session_explore(a->session, request_data(r), err);
}

static tm_status answer_data(app *a, ui_request *r, char **answer, tm_error *err)
{
    tm_dataset *all = a->session->data.all;
    (void)answer;
    (void)err;
    request_hand(r, all ? tm_dataset_ref(all) : NULL, NULL);
    return TM_OK;
}

/* Answers with the run of the form's values, which may have to be started first. */
static tm_status answer_run(app *a, ui_request *r, char **answer, tm_error *err)
{
    explore_runs *e = &a->explore_runs;
    (void)answer;
    tm_status status = explore_runs_go(e, err);
    request_hand(r, NULL, e->solve ? tm_job_ref(e->solve) : NULL);
    return status;
}

static const struct {
    const char *verb;
    carry_out *act;
} verbs[] = {
    {"screen", answer_screen}, {"view", answer_view},       {"request", answer_request},
    {"set", answer_set},       {"command", answer_command}, {"bind", answer_bind},
    {"theme", answer_theme},   {"open", answer_open},       {"data", answer_data},
    {"run", answer_run},       {"lesson", answer_lesson},   {"study", answer_study},
    {"beside", answer_beside}, {"at", answer_at},
};

/* Whether what is asked for can be had. Data that are being loaded reset the form, and there is no
 * run before. A view has to have computed what it shows; it starts when it is first shown. */
static bool is_ready(app *a, const ui_request *r)
{
    static const char *const of_data[] = {"study", "set", "run", "data"};
    view_id view = a->layout.view, kept = a->layout.view;
    for (size_t k = 0; k < sizeof of_data / sizeof of_data[0]; k++)
        if (strcmp(request_verb(r), of_data[k]) == 0)
            return !a->session->data.loader;
    if ((strcmp(request_verb(r), "screen") != 0 && strcmp(request_verb(r), "at") != 0) ||
        request_word(r, 0)[0] == '\0' || find_view(request_word(r, 0), &view, NULL) != TM_OK ||
        !a->views[view]->busy)
        return true;
    a->layout.view = view;
    a->views[view]->update(a->states[view], a, 0);
    a->layout.view = kept;
    return !a->views[view]->busy(a->states[view]);
}

void script_requests_carry_out(app *a)
{
    ui_request *waiting = NULL;
    for (ui_request *r = request_take(&a->session->requests); r;
         r = request_take(&a->session->requests)) {
        tm_error err = TM_ERROR_INIT;
        char *answer = NULL;
        if (!is_ready(a, r)) {
            request_append(&waiting, r);
            continue;
        }
        for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
            if (strcmp(verbs[i].verb, request_verb(r)) == 0)
                verbs[i].act(a, r, &answer, &err);
        request_finish(r, answer, &err);
        request_unref(r);
    }
    a->session->requests = waiting;
    if (waiting)
        app_wake(a, 0.05);
}
