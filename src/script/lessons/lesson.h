/* Lessons: a text in steps, each with Lua that is run, possibly a question, and a view to show
 * beside it (docs/lessons.md). They are implemented in runner.lua; this file has the calls to it.
 *
 * A page is text whose lines begin with a letter for their kind: T title; S "step steps"; P a
 * paragraph; F a verbatim line; C Lua that was run; O its output; E its error; Q a question; A its
 * kind ("number", "choice", "mark"); K a choice or an item to mark, one per line; R or W the
 * response to a right or a wrong answer. */
#ifndef SCRIPT_LESSONS_LESSON_H
#define SCRIPT_LESSONS_LESSON_H

#include "script/common/state.h"

/* tm.show, tm.ask, tm.lesson.open, .go, .answer */
int script_tm_show(lua_State *L);
int script_tm_ask(lua_State *L);
int script_lesson_open(lua_State *L);
int script_lesson_go(lua_State *L);
int script_lesson_answer(lua_State *L);

/* A call of the runner from outside the script, for script_submit_call; it must exist until the
 * chunk has ended. */
typedef struct script_lesson_call {
    const char *verb; /* "open", "begin", "page", "check": functions of runner.lua */
    const char *name;
    const char *text; /* NULL: a built-in lesson */
    size_t step;
    char *answer; /* result of the function, malloc'ed, or NULL */
} script_lesson_call;

int script_lesson_run(lua_State *L);

#endif
