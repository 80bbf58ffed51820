/* The lessons view, between what it does (lessons.c) and how it looks (draw.c). */
#ifndef TUI_VIEWS_LESSONS_LESSONS_H
#define TUI_VIEWS_LESSONS_LESSONS_H

#include "tui/shell/app.h"
#include "tui/widgets/list.h"

enum { MAX_CHOICES = 64, MAX_AHEAD = 16 };

/* The page that is read: see script/lessons/lesson.h. */
typedef struct lesson_page {
    char *text;   /* its lines, each ended by NUL; malloc'ed, or NULL: no lesson is open */
    char **lines; /* the first byte of each says what it is */
    size_t count;
    size_t step, steps;
    const char *title;
    char kind[8];        /* of the question, or "" */
    size_t first_choice; /* the line of the first of them */
    size_t choices;
    bool answered; /* right, or told */
} lesson_page;

typedef struct lessons_view {
    app *app;
    char *name; /* of the lesson, malloc'ed */
    lesson_page page;
    size_t chosen; /* of the choices */
    bool marked[MAX_CHOICES];
    long top;        /* the first row of text that is shown */
    long rows, body; /* rows of text; rows they are shown in */
    bool to_end;     /* scroll to the end, or to the chosen one, at the next drawing */
    bool to_choice;
    bool choice_seen;     /* the chosen one was in sight at the last drawing */
    size_t pending;       /* pages that are to come */
    int ahead[MAX_AHEAD]; /* requests for the page that is to come */
    size_t ahead_count;
    bool listing; /* the list of lessons is shown, though one is open */
    list lessons;
} lessons_view;

/* Of draw.c. */
void lessons_draw(void *state, app *a, terminal *t, rect area);

#endif
