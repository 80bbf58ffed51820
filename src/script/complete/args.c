/* Arguments of the call around the cursor: the possible ones, and the one being typed. */
#include "script/api/classes.h"
#include "script/api/functions.h"
#include "script/common/class.h"
#include "script/complete/complete.h"
#include "script/objects/run.h"
#include "tamis/method.h"
#include "tamis/synth.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void complete_copy_name(char name[COMPLETE_NAME], const char *text, size_t from, size_t to)
{
    snprintf(name, COMPLETE_NAME, "%.*s", (int)(to - from < COMPLETE_NAME ? to - from : 0),
             text + from);
}

const char *complete_function(const char *callee)
{
    const char *colon = strrchr(callee, ':');
    if (strncmp(callee, "tm.", 3) == 0)
        return callee + 3;
    if (strncmp(callee, "tamis.", 6) == 0)
        return callee + 6;
    return colon ? colon : NULL;
}

/* The first quoted word after `from`: the method of tm.path, the generator of tm.synth. */
static void first_quoted(const complete_context *at, size_t from, char name[COMPLETE_NAME])
{
    size_t i = from, end;
    name[0] = '\0';
    while (i < at->cursor && at->text[i] != '"' && at->text[i] != '\'')
        i++;
    for (end = i + 1; end < at->cursor && at->text[end] != at->text[i];)
        end++;
    if (end < at->cursor)
        complete_copy_name(name, at->text, i + 1, end);
}

bool complete_arguments(const complete_context *at, complete_known *out)
{
    if (at->depth == 0 || at->frames[at->depth - 1].bracket != '{')
        return false;
    const complete_frame *call = &at->frames[at->depth - 1];
    if (call->callee == call->callee_end && at->depth > 1)
        call--;
    char callee[COMPLETE_NAME], first[COMPLETE_NAME];
    complete_copy_name(callee, at->text, call->callee, call->callee_end);
    const char *name = complete_function(callee);
    if (!name)
        return false;
    *out = (complete_known){NULL, 0, NULL};
    first_quoted(at, call->open, first);
    const tm_method *method = tm_method_find(strcmp(name, "path") == 0 ? first : name, NULL);
    const tm_synth_info *synth = strcmp(name, "synth") == 0 ? tm_synth_find(first, NULL) : NULL;
    const script_function *function = script_function_find(name);
    const script_keys *keys = *name == ':' ? script_method_keys(name + 1)
                              : function   ? function->keys
                                           : NULL;
    if (method) {
        out->table = tm_method_params(method, &out->count);
        out->extras = script_run_extras;
    } else if (synth) {
        out->table = synth->params;
        out->count = synth->param_count;
    } else if (keys) {
        out->table = keys->params ? keys->params(&out->count) : NULL;
        out->extras = keys->extras;
    }
    return out->table || out->extras;
}

void complete_key(const complete_context *at, size_t from, size_t to, char key[COMPLETE_NAME])
{
    key[0] = '\0';
    while (to > from && isspace((unsigned char)at->text[to - 1]))
        to--;
    if (to == from || at->text[to - 1] != '=')
        return;
    to--;
    while (to > from && isspace((unsigned char)at->text[to - 1]))
        to--;
    size_t start = to;
    while (start > from && complete_is_word(at->text[start - 1]))
        start--;
    complete_copy_name(key, at->text, start, to);
}

const tm_param_info *complete_param(const complete_known *known, const char *key)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->table[i].name, key) == 0)
            return &known->table[i];
    return NULL;
}
