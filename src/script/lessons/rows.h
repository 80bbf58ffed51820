/* The lessons of examples/lessons and their runner, which embed.py puts into the program. */
#ifndef SCRIPT_LESSONS_ROWS_H
#define SCRIPT_LESSONS_ROWS_H

#include <stddef.h>

/* A lesson is Lua; its comments at the beginning of lines are what is read (docs/lessons.md). */
typedef struct lesson_row {
    const char *name, *text;
} lesson_row;

extern const lesson_row lesson_rows[]; /* in the order of learning */
extern const size_t lesson_count;
extern const char lesson_runner[]; /* runner.lua */

/* By name, or by number from 1; lesson_count when there is none. */
size_t lesson_find(const char *word);
/* The title of a lesson's text: its first line without the dashes. Written to buffer, which is
 * returned. */
const char *lesson_title(const char *text, char *buffer, size_t size);

#endif
