/* The lessons view: a lesson's text and questions; its examples are shown in the view beside it. */
#include "tui/views/lessons/lessons.h"

#include "script/lessons/rows.h"
#include "tui/views/lessons/progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---------------------------------------------------------------------------------- */

static void free_page(lesson_page *page)
{
    free(page->text);
    free(page->lines);
    *page = (lesson_page){0};
}

static tm_status lessons_open(void **state, app *a, tm_error *err)
{
    lessons_view *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the lessons view");
    v->app = a;
    *state = v;
    return TM_OK;
}

static void lessons_close(void *state)
{
    lessons_view *v = state;
    free_page(&v->page);
    free(v->name);
    free(v);
}

static bool lessons_request(void *state, app *a, int request, const key_event *key);

/* ---- pages --------------------------------------------------------------------------------- */

static void read_line(lesson_page *page, char *line, size_t at)
{
    switch (line[0]) {
    case 'T':
        page->title = line + 1;
        break;
    case 'S':
        sscanf(line + 1, "%zu %zu", &page->step, &page->steps);
        break;
    case 'A':
        snprintf(page->kind, sizeof page->kind, "%s", line + 1);
        break;
    case 'K':
        page->first_choice = page->choices == 0 ? at : page->first_choice;
        page->choices += page->choices < MAX_CHOICES ? 1 : 0;
        break;
    case 'R':
        page->answered = true;
        break;
    default:
        break;
    }
}

static tm_status read_page(lesson_page *page, const char *text, tm_error *err)
{
    *page = (lesson_page){.text = strdup(text), .title = ""};
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == '\n' ? 1 : 0;
    page->lines = calloc(count, sizeof *page->lines);
    if (!page->text || !page->lines) {
        free_page(page);
        return tm_fail_memory(err, "the page");
    }
    char *rest = page->text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        if (line[0] == '\0')
            continue;
        page->lines[page->count] = line;
        read_line(page, line, page->count++);
    }
    return TM_OK;
}

/* Handles the requests that were made while the step was running, now that its page has been drawn:
 * how far Space goes depends on its rows. */
static void catch_up(lessons_view *v)
{
    int requests[MAX_AHEAD];
    size_t count = v->ahead_count;
    memcpy(requests, v->ahead, count * sizeof *requests);
    v->ahead_count = 0;
    for (size_t i = 0; i < count; i++)
        lessons_request(v, v->app, requests[i], NULL);
}

/* Takes a page of the lesson `name`: the same one with the response to an answer, or another
 * one. */
static tm_status lessons_at(void *state, app *a, const char *name, const char *text, tm_error *err)
{
    lessons_view *v = state;
    lesson_page page;
    char *kept = strdup(name);
    tm_status status = kept ? read_page(&page, text, err) : tm_fail_memory(err, "the lesson");
    if (status != TM_OK) {
        free(kept);
        return status;
    }
    bool same = v->name && strcmp(v->name, name) == 0 && v->page.step == page.step;
    free_page(&v->page);
    free(v->name);
    v->page = page;
    v->name = kept;
    v->pending -= v->pending > 0 ? 1 : 0;
    v->listing = false;
    v->to_end = same;
    v->laid = same && v->laid;
    if (!same) {
        v->top = 0;
        v->chosen = 0;
        memset(v->marked, 0, sizeof v->marked);
    }
    if (app_is_seen(a))
        progress_note(name, page.step, page.steps);
    return TM_OK;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void submit(lessons_view *v, const char *text)
{
    tm_error err = TM_ERROR_INIT;
    v->pending += session_submit_quietly(app_session(v->app), text, &err) == TM_OK ? 1 : 0;
    app_error(v->app, &err);
    app_changed(v->app);
}

static bool lists(const lessons_view *v)
{
    return !v->page.text || v->listing;
}

static void open_chosen(lessons_view *v)
{
    char text[200];
    const char *name = lesson_rows[v->lessons.chosen].name;
    snprintf(text, sizeof text, "tm.lesson.open('%s', %zu)", name, progress_step(name));
    submit(v, text);
}

static void show_list(lessons_view *v)
{
    size_t at = v->name ? lesson_find(v->name) : lesson_count;
    v->listing = true;
    list_choose(&v->lessons, at < lesson_count ? (long)at : (long)v->lessons.chosen);
}

static void step_on(lessons_view *v)
{
    if (v->page.step < v->page.steps) {
        submit(v, "tm.lesson.go('next')");
        return;
    }
    show_list(v);
    list_choose(&v->lessons, (long)v->lessons.chosen + 1);
    app_message(v->app, STYLE_GOOD, "that was the last step");
}

static void take_number(const char *text, void *payload)
{
    lessons_view *v = payload;
    char kept[64], chunk[128];
    size_t count = 0;
    for (; text && *text && count + 1 < sizeof kept; text++)
        if (!strchr("'\\\n ", *text))
            kept[count++] = *text;
    kept[count] = '\0';
    if (count == 0)
        return;
    snprintf(chunk, sizeof chunk, "tm.lesson.answer('%s')", kept);
    submit(v, chunk);
}

/* Whether the page has a question without a right answer yet. */
static bool is_open(const lessons_view *v)
{
    return v->page.kind[0] != '\0' && !v->page.answered;
}

static void ask_number(lessons_view *v)
{
    v->to_end = true;
    app_ask(v->app, "your answer: ", "", take_number, v);
}

static void answer(lessons_view *v)
{
    char chunk[64 + 4 * MAX_CHOICES];
    if (!is_open(v)) {
        step_on(v);
    } else if (v->page.choices > 0 && !v->choice_seen) {
        v->to_choice = true; /* the answer refers to text that has been read */
    } else if (v->page.choices == 0) {
        ask_number(v);
    } else if (strcmp(v->page.kind, "choice") == 0) {
        snprintf(chunk, sizeof chunk, "tm.lesson.answer('%zu')", v->chosen + 1);
        submit(v, chunk);
    } else {
        size_t used = (size_t)snprintf(chunk, sizeof chunk, "tm.lesson.answer('");
        for (size_t i = 0; i < v->page.choices; i++)
            if (v->marked[i])
                used += (size_t)snprintf(chunk + used, sizeof chunk - used, "%zu,", i + 1);
        snprintf(chunk + used, sizeof chunk - used, "')");
        submit(v, chunk);
    }
}

static void scroll(lessons_view *v, long by)
{
    long most = v->rows > v->body ? v->rows - v->body : 0;
    v->top = v->top + by < 0 ? 0 : v->top + by > most ? most : v->top + by;
}

static bool chooses(const lessons_view *v)
{
    return v->page.choices > 0 && !v->page.answered;
}

static void move(lessons_view *v, long by)
{
    long to = (long)v->chosen + by;
    if (!chooses(v)) {
        scroll(v, by);
        return;
    }
    v->chosen = to < 0 ? 0 : to >= (long)v->page.choices ? v->page.choices - 1 : (size_t)to;
    v->to_choice = v->choice_seen = true;
}

static void toggle_mark(lessons_view *v)
{
    v->marked[v->chosen] = !v->marked[v->chosen];
    v->to_choice = v->choice_seen = true;
}

/* Marks the answer, or moves on: by a page, then to the next step. */
static void mark(lessons_view *v)
{
    if (chooses(v) && strcmp(v->page.kind, "mark") == 0)
        toggle_mark(v);
    else if (v->top + v->body < v->rows)
        scroll(v, v->body > 1 ? v->body - 1 : 1);
    else
        step_on(v);
}

static bool list_act(lessons_view *v, int request, const key_event *key)
{
    switch (request) {
    case REQ_ANSWER:
    case REQ_MARK:
        open_chosen(v);
        return true;
    case REQ_BACK:
    case REQ_LESSONS:
        if (!v->page.text)
            return request == REQ_LESSONS;
        v->listing = false;
        return true;
    case REQ_CLICK:
        return list_click(&v->lessons, key);
    default:
        return list_request(&v->lessons, request);
    }
}

static bool page_act(lessons_view *v, int request)
{
    switch (request) {
    case REQ_ANSWER:
        answer(v);
        return true;
    case REQ_MARK:
        mark(v);
        return true;
    case REQ_RIGHT:
        step_on(v);
        return true;
    case REQ_LEFT:
        submit(v, "tm.lesson.go('back')");
        return true;
    case REQ_AGAIN:
        submit(v, "tm.lesson.go('again')");
        return true;
    case REQ_TELL:
        if (is_open(v))
            submit(v, "tm.lesson.answer()");
        return true;
    case REQ_LESSONS:
        show_list(v);
        return true;
    case REQ_UP:
    case REQ_DOWN:
        move(v, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_WHEEL_UP:
    case REQ_WHEEL_DOWN:
        scroll(v, request == REQ_WHEEL_UP ? -2 : 2);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        scroll(v, (request == REQ_PAGE_UP ? -1 : 1) * (v->body > 1 ? v->body - 1 : 1));
        return true;
    case REQ_FIRST:
    case REQ_LAST:
        submit(v, request == REQ_FIRST ? "tm.lesson.go(1)" : "tm.lesson.go(1e9)");
        return true;
    default:
        return false;
    }
}

static bool lessons_request(void *state, app *a, int request, const key_event *key)
{
    lessons_view *v = state;
    (void)a;
    list_resize(&v->lessons, lesson_count);
    if (lists(v))
        return list_act(v, request, key);
    bool waits = (v->pending > 0 || !v->laid) &&
                 (request == REQ_ANSWER || request == REQ_MARK || request == REQ_TELL ||
                  request == REQ_UP || request == REQ_DOWN);
    if (waits && v->ahead_count < MAX_AHEAD)
        v->ahead[v->ahead_count++] = request;
    return waits || page_act(v, request);
}

/* A number is typed as it stands, and a choice by its number; elsewhere digits show views. */
static bool lessons_typed(void *state, app *a, const key_event *key, const char *bytes,
                          size_t length)
{
    lessons_view *v = state;
    int c = key->code;
    if (lists(v) || v->pending > 0 || !is_open(v))
        return false;
    if (v->page.choices == 0 && c > 0 && c <= '9' && strchr("0123456789.-+", c)) {
        ask_number(v);
        app_type_text(a, bytes, length);
        return true;
    }
    if (strcmp(v->page.kind, "choice") != 0 || c < '1' || (size_t)(c - '1') >= v->page.choices ||
        c > '9')
        return false;
    v->chosen = (size_t)(c - '1');
    v->to_choice = v->choice_seen = true;
    return true;
}

static bool lessons_update(void *state, app *a, unsigned news)
{
    lessons_view *v = state;
    if (v->pending == 0 && v->laid && v->ahead_count > 0) {
        catch_up(v);
        return true;
    }
    bool over = (news & NEWS_ENDED) != 0 && v->pending > 0 && !script_busy(app_session(a)->script);
    if (!over)
        return false;
    v->pending = 0; /* a step that failed, or was stopped, sends no page */
    v->ahead_count = 0;
    return true;
}

static void lessons_hint(void *state, app *a, char *buffer, size_t size)
{
    const lessons_view *v = state;
    (void)a;
    if (v->pending > 0)
        snprintf(buffer, size, "the step is being run ...");
    else if (lists(v))
        snprintf(buffer, size, "Enter opens the lesson");
    else if (is_open(v) && v->page.choices == 0)
        snprintf(buffer, size, "type the number, x tells it, right goes on");
    else if (is_open(v))
        snprintf(buffer, size, "%s, Enter answers, x tells, right goes on",
                 strcmp(v->page.kind, "mark") == 0 ? "Space marks" : "its number chooses");
    else
        snprintf(buffer, size, "right: on  left: back  Ctrl-W: try the view  v: show it again");
}

static bool lessons_busy(const void *state)
{
    return ((const lessons_view *)state)->pending > 0;
}

static const key_row keys[] = {
    KEY_ROW(REQ_UP, "choose the answer above, or scroll up", TK_UP, 'k'),
    KEY_ROW(REQ_DOWN, "choose the answer below, or scroll down", TK_DOWN, 'j'),
    {{TK_ENTER}, REQ_ANSWER, "answer; without a question the next step; open a lesson"},
    {{' '}, REQ_MARK, "mark an answer; else a page on"},
    {{TK_RIGHT, 'n'}, REQ_RIGHT, "the next step"},
    {{TK_LEFT, 'N'}, REQ_LEFT, "the previous step"},
    {{'v'}, REQ_AGAIN, "restore the step's view after changes"},
    {{'x'}, REQ_TELL, "show the answer"},
    {{'o'}, REQ_LESSONS, "the list of lessons, or back to the lesson"},
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops lessons_ops = {
    .keys = keys,
    .open = lessons_open,
    .close = lessons_close,
    .update = lessons_update,
    .draw = lessons_draw,
    .request = lessons_request,
    .typed = lessons_typed,
    .at = lessons_at,
    .hint = lessons_hint,
    .busy = lessons_busy,
};
