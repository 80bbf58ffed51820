/* The lessons of examples/lessons and their runner, which embed.py embeds in the program. */
#ifndef SCRIPT_LESSONS_ROWS_H
#define SCRIPT_LESSONS_ROWS_H

#include <stddef.h>

/* A lesson is Lua code; the comments at the beginning of lines are its text (docs/lessons.md). */
typedef struct lesson_row {
    const char *name, *text;
} lesson_row;

extern const lesson_row lesson_rows[]; /* in the order of learning */
extern const size_t lesson_count;
extern const char lesson_runner[]; /* runner.lua */

/* Finds a lesson by name or by number from 1; lesson_count if there is none. */
size_t lesson_find(const char *word);
/* Writes the title of a lesson's text (its first line without the dashes) to buffer and returns
 * it. */
const char *lesson_title(const char *text, char *buffer, size_t size);

#endif
