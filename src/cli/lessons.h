/* The lessons of examples/lessons, which embed.py puts into the program. */
#ifndef CLI_LESSONS_H
#define CLI_LESSONS_H

#include <stddef.h>

/* Comments at the beginning of lines are what is read, the first of them the title; the lines
 * between are Lua. */
typedef struct cli_lesson {
    const char *name, *text;
} cli_lesson;

extern const cli_lesson cli_lessons[]; /* in the order of learning */
extern const size_t cli_lesson_count;

#endif
