#include "tui/prompt/scrollback.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A line longer than this is broken, so that one endless line cannot take all memory. */
enum { LINE_MAX_BYTES = 16384 };

typedef struct line {
    char *text;
    size_t length;
    line_kind kind;
} line;

struct scrollback {
    line *lines; /* line i is at i modulo capacity */
    size_t capacity;
    uint64_t end;
    bool open; /* the last line may be continued */
};

scrollback *scrollback_new(size_t capacity)
{
    scrollback *sb = calloc(1, sizeof *sb);
    if (!sb)
        return NULL;
    sb->lines = calloc(capacity, sizeof *sb->lines);
    sb->capacity = capacity;
    if (!sb->lines) {
        free(sb);
        return NULL;
    }
    return sb;
}

void scrollback_free(scrollback *sb)
{
    if (!sb)
        return;
    for (size_t i = 0; i < sb->capacity; i++)
        free(sb->lines[i].text);
    free(sb->lines);
    free(sb);
}

static line *line_at(const scrollback *sb, uint64_t number)
{
    return &sb->lines[number % sb->capacity];
}

/* Appends a piece without newlines to the open line, or to a new one. */
static void add_piece(scrollback *sb, line_kind kind, const char *text, size_t length)
{
    line *last = sb->end > 0 ? line_at(sb, sb->end - 1) : NULL;
    if (!sb->open || last->kind != kind || last->length + length > LINE_MAX_BYTES) {
        last = line_at(sb, sb->end++);
        free(last->text);
        *last = (line){.kind = kind};
        sb->open = true;
    }
    char *grown = realloc(last->text, last->length + length + 1);
    if (!grown)
        return;
    memcpy(grown + last->length, text, length);
    last->text = grown;
    last->length += length;
    last->text[last->length] = '\0';
}

void scrollback_add(scrollback *sb, line_kind kind, const char *text, size_t length)
{
    while (length > 0) {
        const char *newline = memchr(text, '\n', length);
        size_t piece = newline ? (size_t)(newline - text) : length;
        size_t taken = piece < LINE_MAX_BYTES ? piece : LINE_MAX_BYTES;
        add_piece(sb, kind, text, taken);
        if (newline && taken == piece) {
            sb->open = false;
            taken++;
        }
        text += taken;
        length -= taken;
    }
}

uint64_t scrollback_first(const scrollback *sb)
{
    return sb->end > sb->capacity ? sb->end - sb->capacity : 0;
}

uint64_t scrollback_end(const scrollback *sb)
{
    return sb->end;
}

const char *scrollback_line(const scrollback *sb, uint64_t number, size_t *length, line_kind *kind)
{
    const line *l = line_at(sb, number);
    *length = l->length;
    *kind = l->kind;
    return l->text ? l->text : "";
}
