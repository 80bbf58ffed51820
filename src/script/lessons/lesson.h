/* Lessons: a text in steps, each with Lua that is run, a question perhaps, and what is to be seen
 * beside it (docs/lessons.md). What they do is in runner.lua; here is how it is called.
 *
 * A page is text, a line for each thing: a letter, then its words. T title; S "step steps"; P a
 * paragraph; F a line as it is; C Lua that was run; O what it printed; E what went wrong; Q a
 * question; A its kind ("number", "choice", "mark"); K what can be chosen or marked, a line each; R
 * or W what is said to a right or a wrong answer. */
#ifndef SCRIPT_LESSONS_LESSON_H
#define SCRIPT_LESSONS_LESSON_H

#include "script/common/state.h"

/* tm.show, tm.ask, tm.lesson.open, .go, .answer */
int script_tm_show(lua_State *L);
int script_tm_ask(lua_State *L);
int script_lesson_open(lua_State *L);
int script_lesson_go(lua_State *L);
int script_lesson_answer(lua_State *L);

/* A call of the runner from outside the script, for script_submit_call: it lives until the chunk
 * has ended. */
typedef struct script_lesson_call {
    const char *verb; /* "open", "begin", "page", "check": functions of runner.lua */
    const char *name;
    const char *text; /* NULL: a lesson of the program's own */
    size_t step;
    char *answer; /* malloc'ed: what the function gave, or NULL */
} script_lesson_call;

int script_lesson_run(lua_State *L);

#endif
