/* Reading the text before the cursor: strings, comments, open brackets. */
#include "script/complete/complete.h"

#include <ctype.h>

bool complete_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t complete_chain_start(const char *text, size_t end)
{
    while (end > 0 &&
           (complete_is_word(text[end - 1]) || text[end - 1] == '.' || text[end - 1] == ':'))
        end--;
    return end;
}

static void open_bracket(complete_context *at, size_t i)
{
    if (at->depth == COMPLETE_DEPTH)
        return;
    size_t end = i;
    while (end > 0 && at->text[end - 1] == ' ')
        end--;
    at->frames[at->depth++] =
        (complete_frame){at->text[i], i, complete_chain_start(at->text, end), end, 0, i + 1};
}

/* Length of a long bracket's opening "[==[" at i, or 0. */
static size_t long_opening(const char *text, size_t i, size_t end)
{
    size_t k = i + 1;
    if (i >= end || text[i] != '[')
        return 0;
    while (k < end && text[k] == '=')
        k++;
    return k < end && text[k] == '[' ? k - i + 1 : 0;
}

/* The position after the long bracket whose opening has this length; past the cursor if it is not
 * closed. */
static size_t skip_long(const complete_context *at, size_t i, size_t opening)
{
    for (size_t k = i + opening; k + opening <= at->cursor; k++) {
        if (at->text[k] != ']' || at->text[k + opening - 1] != ']')
            continue;
        size_t marks = 1;
        while (marks < opening - 1 && at->text[k + marks] == '=')
            marks++;
        if (marks == opening - 1)
            return k + opening;
    }
    return at->cursor + 1;
}

static size_t skip_comment(complete_context *at, size_t i)
{
    size_t opening = long_opening(at->text, i + 2, at->cursor);
    size_t end = i;
    if (opening)
        end = skip_long(at, i + 2, opening);
    else
        while (end < at->cursor && at->text[end] != '\n')
            end++;
    at->in_comment = opening ? end > at->cursor : end == at->cursor;
    return end;
}

static size_t skip_quoted(complete_context *at, size_t i)
{
    for (size_t k = i + 1; k < at->cursor; k++)
        if (at->text[k] == '\\')
            k++;
        else if (at->text[k] == at->text[i] || at->text[k] == '\n')
            return k + 1;
    at->in_string = true;
    at->string = i + 1;
    return at->cursor;
}

void complete_scan(complete_context *at)
{
    for (size_t i = 0; i < at->cursor;) {
        char c = at->text[i];
        size_t opening = long_opening(at->text, i, at->cursor);
        if (c == '-' && i + 1 < at->cursor && at->text[i + 1] == '-') {
            i = skip_comment(at, i);
            continue;
        }
        if (c == '"' || c == '\'') {
            i = skip_quoted(at, i);
            continue;
        }
        if (opening) {
            i = skip_long(at, i, opening);
            at->long_string = i > at->cursor;
            continue;
        }
        if (c == '(' || c == '{' || c == '[')
            open_bracket(at, i);
        else if ((c == ')' || c == '}' || c == ']') && at->depth > 0)
            at->depth--;
        else if ((c == ',' || c == ';') && at->depth > 0) {
            at->frames[at->depth - 1].commas++;
            at->frames[at->depth - 1].item = i + 1;
        }
        i++;
    }
}
