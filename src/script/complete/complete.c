/* Completion: a small scanner reads the text before the cursor; names are looked up in the tables
 * and, if the script is idle, in the Lua state. */
#include "script/complete/complete.h"

#include "base/params/words.h"
#include "script/api/classes.h"
#include "script/common/class.h"
#include "script/script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PATIENCE = 0.05; /* seconds to wait for a busy script */

/* ---- values -------------------------------------------------------------------------------- */

static void add_choices(complete_words *to, const tm_param_info *info, const char *quote)
{
    for (const tm_choice *c = info->choices; c && c->name; c++) {
        char word[COMPLETE_NAME];
        size_t length = info->type == TM_PARAM_TEXT ? word_length(c) : strlen(c->name);
        snprintf(word, sizeof word, "%.*s", (int)length, c->name);
        complete_add(to, quote, word, word[length - 1] == ':' ? "" : quote);
    }
}

/* Files, after a word that one follows or as the whole value. */
static void add_files(complete_words *to, const complete_context *at, const tm_choice *words)
{
    char text[1024];
    snprintf(text, sizeof text, "%.*s", (int)(at->cursor - at->string), at->text + at->string);
    const char *file = word_file(words, text);
    complete_add_files(to, text, file ? (size_t)(file - text) : 0);
}

static void add_parameters(complete_words *to, const complete_known *known)
{
    for (size_t i = 0; i < known->count; i++)
        complete_add(to, "", known->table[i].name, "=");
    for (size_t i = 0; known->extras && known->extras[i]; i++)
        complete_add(to, "", known->extras[i], "=");
}

/* Inside quotes: a choice, a name that the enclosing call accepts, or a file. */
static void complete_string(const complete_context *at, complete_words *to)
{
    complete_known known;
    char key[COMPLETE_NAME], callee[COMPLETE_NAME] = "";
    const complete_frame *inner = at->depth ? &at->frames[at->depth - 1] : NULL;
    complete_key(at, inner ? inner->item : 0, at->string - 1, key);
    const tm_param_info *info = complete_arguments(at, &known) ? complete_param(&known, key) : NULL;
    if (info && info->choices) {
        add_choices(to, info, "");
        if (info->type == TM_PARAM_TEXT)
            add_files(to, at, info->choices);
        return;
    }
    if (inner && inner->bracket == '{' && key[0] == '\0' && at->depth > 1)
        complete_key(at, inner[-1].item, inner->open, key); /* of the list that the word is in */
    if (strcmp(key, "method") == 0 || strcmp(key, "methods") == 0) {
        complete_add_methods(to);
        return;
    }
    if (strcmp(key, "metric") == 0) {
        complete_add_metrics(to);
        return;
    }
    size_t end = at->string - 1;
    if (inner && inner->bracket == '(')
        complete_copy_name(callee, at->text, inner->callee, inner->callee_end);
    else
        complete_copy_name(callee, at->text, complete_chain_start(at->text, end), end);
    const char *name = complete_function(callee);
    size_t place = inner && inner->bracket == '(' ? inner->commas : 0;
    if (name && (strcmp(name, "path") == 0 || strcmp(name, "ovr") == 0) && place == 1) {
        complete_add_methods(to);
    } else if (name && strcmp(name, "synth") == 0 && place == 0) {
        complete_add_synths(to);
    } else if (name && strcmp(name, ":score") == 0 && place == 1) {
        complete_add_metrics(to);
    } else if (name && strcmp(name, "on") == 0 && place == 0) {
        complete_add(to, "", "progress", "");
        complete_add(to, "", "done", "");
    } else if (strcmp(callee, "help") == 0) {
        complete_add_topics(to);
    } else {
        add_files(to, at, NULL);
    }
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* A chain of names before the cursor, and the list for completions of the last one. */
typedef struct lookup {
    complete_words *to;
    const char *text;
    size_t from, end; /* the chain without the word being typed; empty: globals */
    char separator;
    bool found;
} lookup;

static bool is_identifier(const char *name)
{
    if (!*name || isdigit((unsigned char)*name))
        return false;
    while (complete_is_word(*name))
        name++;
    return !*name;
}

/* Adds the names in the table on top; after ':' functions only. */
static void add_keys(lua_State *L, const lookup *what)
{
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING && is_identifier(lua_tostring(L, -2)) &&
            (what->separator != ':' || lua_isfunction(L, -1)))
            complete_add(what->to, "", lua_tostring(L, -2), "");
}

/* Replaces the value on top by its field, without running any code of the script. `class` is the
 * class of the value if it is an object, which the tables give for later steps. */
static const script_class *step(lua_State *L, const script_class *class, const char *name)
{
    if (class) {
        const script_member *member = script_member_find(class, name);
        lua_pushnil(L);
        return member && member->type && !member->args ? script_class_find(member->type) : NULL;
    }
    if (!lua_istable(L, -1)) {
        lua_pushnil(L);
        return NULL;
    }
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    return script_class_of(L, -1);
}

static int lookup_protected(lua_State *L)
{
    lookup *what = lua_touserdata(L, 1);
    const script_class *class = NULL;
    lua_pushglobaltable(L);
    for (size_t i = what->from; i < what->end;) {
        char name[COMPLETE_NAME];
        size_t end = i;
        while (end < what->end && complete_is_word(what->text[end]))
            end++;
        complete_copy_name(name, what->text, i, end);
        class = step(L, class, name);
        lua_remove(L, -2);
        i = end + 1;
    }
    what->found = class || lua_istable(L, -1);
    if (class)
        complete_add_members(what->to, class, what->separator);
    else if (what->found)
        add_keys(L, what);
    return 0;
}

static void look_up(script *self, lookup *what)
{
    lua_State *L = script_borrow(self, PATIENCE);
    if (!L)
        return;
    lua_pushcfunction(L, lookup_protected);
    lua_pushlightuserdata(L, what);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
    script_give_back(self);
}

static void complete_member(script *self, const complete_context *at, complete_words *to,
                            size_t separator)
{
    size_t from = complete_chain_start(at->text, separator);
    lookup what = {to, at->text, from, separator, at->text[separator], false};
    char chain[COMPLETE_NAME];
    complete_copy_name(chain, at->text, from, separator);
    if (strcmp(chain, "tm") == 0 || strcmp(chain, "tamis") == 0)
        complete_add_tm_names(to);
    if (from < separator)
        look_up(self, &what);
    const script_class *class;
    for (size_t i = 0; !what.found && to->count == 0 && (class = script_class_at(i)); i++)
        complete_add_members(to, class, at->text[separator]);
}

static void complete_global(script *self, const complete_context *at, complete_words *to)
{
    static const char *const names[] = {
        "and",    "break",  "do",    "else", "elseif", "end",  "false", "for",   "function",
        "goto",   "help",   "if",    "in",   "local",  "nil",  "not",   "or",    "print",
        "repeat", "return", "tamis", "then", "tm",     "true", "until", "while",
    };
    lookup what = {to, at->text, 0, 0, '.', false};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        complete_add(to, "", names[i], "");
    look_up(self, &what);
}

/* Outside quotes: a parameter, its value, a member or a global. */
static void complete_name(script *self, const complete_context *at, complete_words *to,
                          size_t start)
{
    complete_known known;
    char key[COMPLETE_NAME];
    if (start > 0 && (at->text[start - 1] == '.' || at->text[start - 1] == ':') &&
        !(start > 1 && at->text[start - 2] == '.')) {
        complete_member(self, at, to, start - 1);
        return;
    }
    if (complete_arguments(at, &known)) {
        size_t item = at->frames[at->depth - 1].item, first = item;
        while (first < start && isspace((unsigned char)at->text[first]))
            first++;
        if (first == start) {
            add_parameters(to, &known);
            return;
        }
        complete_key(at, item, start, key);
        const tm_param_info *info = complete_param(&known, key);
        if (info && info->choices) {
            add_choices(to, info, "\"");
            return;
        }
        if (info && info->type == TM_PARAM_BOOL) {
            complete_add(to, "", "true", "");
            complete_add(to, "", "false", "");
            return;
        }
    }
    if (to->length > 0)
        complete_global(self, at, to);
}

char **script_complete(script *self, const char *text, size_t cursor, size_t *start)
{
    *start = cursor;
    complete_context *at = calloc(1, sizeof *at);
    if (!at)
        return NULL;
    at->text = text;
    at->cursor = strnlen(text, cursor);
    complete_scan(at);
    complete_words list = {NULL, 0, NULL, 0};
    if (!at->in_comment && !at->long_string) {
        size_t from = at->cursor;
        while (!at->in_string && from > 0 && complete_is_word(text[from - 1]))
            from--;
        if (at->in_string)
            from = at->string;
        *start = from;
        list.prefix = text + from;
        list.length = at->cursor - from;
        if (at->in_string)
            complete_string(at, &list);
        else
            complete_name(self, at, &list, from);
    }
    free(at);
    return complete_finish(&list);
}
