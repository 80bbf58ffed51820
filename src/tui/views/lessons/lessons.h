/* The lessons view: shared by its behaviour (lessons.c) and its drawing (draw.c). */
#ifndef TUI_VIEWS_LESSONS_LESSONS_H
#define TUI_VIEWS_LESSONS_LESSONS_H

#include "tui/shell/app.h"
#include "tui/widgets/list.h"

enum { MAX_CHOICES = 64, MAX_AHEAD = 16 };

/* The page being read: see script/lessons/lesson.h. */
typedef struct lesson_page {
    char *text;   /* its lines, each ended by NUL; malloc'ed, or NULL: no lesson is open */
    char **lines; /* the first byte of each is its kind */
    size_t count;
    size_t step, steps;
    const char *title;
    char kind[8];        /* kind of the question, or "" */
    size_t first_choice; /* the line of the first choice */
    size_t choices;
    bool answered; /* answered correctly, or the answer was shown */
} lesson_page;

typedef struct lessons_view {
    app *app;
    char *name; /* name of the lesson, malloc'ed */
    lesson_page page;
    size_t chosen; /* the chosen answer */
    bool marked[MAX_CHOICES];
    long top;        /* the first row of text that is shown */
    long rows, body; /* rows of text; rows of the area */
    bool to_end;     /* scroll to the end, or to the chosen answer, at the next drawing */
    bool to_choice;
    bool laid;            /* the page has been drawn, so that `rows` is known */
    bool choice_seen;     /* the chosen answer was visible at the last drawing */
    size_t pending;       /* number of pages requested and not yet received */
    int ahead[MAX_AHEAD]; /* requests to handle when the next page has been drawn */
    size_t ahead_count;
    bool listing; /* the list of lessons is shown although a lesson is open */
    list lessons;
} lessons_view;

/* Defined in draw.c. */
void lessons_draw(void *state, app *a, terminal *t, rect area);

#endif
