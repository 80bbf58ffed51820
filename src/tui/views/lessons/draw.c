/* How the lessons view looks: the list of lessons, or a page of one. */
#include "tui/views/lessons/lessons.h"

#include "script/lessons/rows.h"
#include "tui/terminal/wrap.h"
#include "tui/views/lessons/progress.h"

#include <stdio.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------------------ */

static void draw_lesson(terminal *t, rect at, size_t i, bool chosen)
{
    char title[160], text[256], done[32] = "";
    progress p = progress_of(lesson_rows[i].name);
    if (p.steps > 0 && p.furthest == p.steps)
        snprintf(done, sizeof done, "%s", terminal_pick(t, "✓", "done"));
    else if (p.steps > 0)
        snprintf(done, sizeof done, "%zu/%zu", p.furthest, p.steps);
    snprintf(text, sizeof text, "%2zu  %s", i + 1,
             lesson_title(lesson_rows[i].text, title, sizeof title));
    terminal_style style = chosen ? STYLE_SELECTED : STYLE_NORMAL;
    terminal_put_padded(t, at.row, at.col, at.cols, style, "");
    terminal_put(t, at.row, at.col + 6, at.cols - 6, style, text);
    terminal_put_right(t, at.row, at.col, 5, chosen ? style : STYLE_GOOD, done);
}

static void draw_list(lessons_view *v, terminal *t, rect area)
{
    size_t row;
    rect at, body = rect_inside(area);
    terminal_box(t, area, "the lessons", true);
    list_show(&v->lessons, body, lesson_count);
    for (int i = 0; list_row(&v->lessons, i, &row, &at); i++)
        draw_lesson(t, at, row, row == v->lessons.chosen);
}

/* ---- a page -------------------------------------------------------------------------------- */

/* Draws rows of text in sequence and counts them; rows outside the body are not drawn. */
typedef struct writer {
    terminal *t; /* NULL: only counts */
    rect body;
    long top, row;
} writer;

static void put(writer *w, int indent, terminal_style style, const char *text, size_t length)
{
    long at = w->row++ - w->top;
    if (w->t && at >= 0 && at < w->body.rows)
        terminal_put_bytes(w->t, w->body.row + (int)at, w->body.col + indent, w->body.cols - indent,
                           style, text, length);
}

static void put_wrapped(writer *w, int indent, terminal_style style, const char *text, bool utf8)
{
    size_t length = strlen(text);
    int cols = w->body.cols - indent > 4 ? w->body.cols - indent : 4;
    do {
        size_t skip, part = wrap_part(text, length, cols, utf8, &skip);
        put(w, indent, style, text, part);
        text += part + skip;
        length -= part + skip;
    } while (length > 0);
}

/* A line of code, of a formula or of output. What does not fit follows below, further in. */
static void put_verbatim(writer *w, int indent, terminal_style style, const char *text, bool utf8)
{
    enum { HANG = 4 };
    int own = (int)strspn(text, " "), half = w->body.cols / 2;
    int at = indent + own < half ? indent + own : half;
    text += own;
    size_t length = strlen(text);
    for (bool first = true; first || length > 0; first = false) {
        int from = first ? at : at + HANG, cols = w->body.cols - from;
        size_t skip, part = wrap_part(text, length, cols > 4 ? cols : 4, utf8, &skip);
        put(w, from, style, text, part);
        text += part + skip;
        length -= part + skip;
    }
}

static void put_choice(const lessons_view *v, writer *w, const char *text, size_t i, bool utf8)
{
    bool mark = strcmp(v->page.kind, "mark") == 0;
    bool chosen = i == v->chosen && !v->page.answered;
    char line[512];
    if (mark)
        snprintf(line, sizeof line, "[%c] %.500s", v->marked[i] ? 'x' : ' ', text);
    else
        snprintf(line, sizeof line, "%zu. %.500s", i + 1, text);
    put(w, 0, chosen ? STYLE_SELECTED : STYLE_NORMAL, chosen ? ">" : " ", 1);
    w->row--;
    put_wrapped(w, 2, chosen ? STYLE_SELECTED : STYLE_NORMAL, line, utf8);
}

static terminal_style style_of(char kind)
{
    switch (kind) {
    case 'C':
        return STYLE_VALUE;
    case 'Q':
        return STYLE_BOLD;
    case 'R':
        return STYLE_GOOD;
    case 'W':
        return STYLE_WARN;
    case 'E':
        return STYLE_ERROR;
    case 'O':
        return STYLE_DIM;
    default:
        return STYLE_NORMAL;
    }
}

/* All lines; *choice becomes the row at which the chosen one begins. */
static void write_page(const lessons_view *v, writer *w, bool utf8, long *choice)
{
    char before = '\0';
    size_t choices = 0;
    for (size_t i = 0; i < v->page.count; i++) {
        const char *line = v->page.lines[i];
        if (strchr("TSA", line[0]) || (line[0] == 'K' && choices >= v->page.choices))
            continue;
        bool apart = line[0] == 'P' || (line[0] != before && line[0] != 'K');
        if (before != '\0' && apart)
            w->row++;
        before = line[0];
        if (line[0] == 'K') {
            *choice = choices == v->chosen ? w->row : *choice;
            put_choice(v, w, line + 1, choices++, utf8);
        } else if (strchr("PQRWE", line[0])) {
            put_wrapped(w, 0, style_of(line[0]), line + 1, utf8);
        } else {
            put_verbatim(w, line[0] == 'C' ? 2 : 0, style_of(line[0]), line + 1, utf8);
        }
    }
}

static void draw_page(lessons_view *v, terminal *t, rect area)
{
    char title[256];
    rect body = rect_inside(area);
    bool utf8 = terminal_utf8(t);
    long choice = 0;
    snprintf(title, sizeof title, "step %zu of %zu: %s", v->page.step, v->page.steps,
             v->page.title);
    terminal_box(t, area, title, true);
    writer w = {.body = body};
    write_page(v, &w, utf8, &choice);
    v->rows = w.row;
    v->body = body.rows;
    long most = v->rows > body.rows ? v->rows - body.rows : 0;
    if (v->to_choice && (choice < v->top || choice >= v->top + body.rows))
        v->top = choice - body.rows / 2;
    v->top = v->to_end || v->top > most ? most : v->top < 0 ? 0 : v->top;
    v->to_end = v->to_choice = false;
    v->laid = true;
    v->choice_seen = choice >= v->top && choice < v->top + body.rows;
    w = (writer){t, body, v->top, 0};
    write_page(v, &w, utf8, &choice);
    if (v->top < most) {
        terminal_put_right(t, area.row + area.rows - 1, area.col + 1, area.cols - 2, STYLE_BOLD,
                           terminal_pick(t, " ↓ Space: more ", " v Space: more "));
    }
}

void lessons_draw(void *state, app *a, terminal *t, rect area)
{
    lessons_view *v = state;
    list_hide(&v->lessons);
    if (!v->page.text || v->listing)
        draw_list(v, t, area);
    else
        draw_page(v, t, area);
    if (v->ahead_count > 0 && v->pending == 0)
        app_wake(a, 0); /* requests that waited for this page */
}
