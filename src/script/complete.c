/* Completion, and telling unfinished chunks from wrong ones. Both read the text before the cursor
 * with a small scanner; what names mean comes from the tables and, when it is idle, the state. */
#include "state.h"

#include "base/text.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/reader.h"
#include "tamis/synth.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 64, MAX_WORDS = 4096, NAME_BYTES = 128 };

static const double PATIENCE = 0.05; /* seconds to wait for a busy script */

/* ---- unfinished chunks ---------------------------------------------------------------------- */

typedef enum verdict { COMPLETE, WRONG, UNFINISHED } verdict;

static verdict compile(lua_State *L, const char *text, size_t size)
{
    int status = luaL_loadbufferx(L, text, size, "=?", "t");
    size_t length;
    const char *message = status == LUA_OK ? NULL : lua_tolstring(L, -1, &length);
    bool at_end = message && length >= 5 && strcmp(message + length - 5, "<eof>") == 0;
    /* A quote left open cannot be closed on the next line. */
    bool quote = message && strstr(message, "unfinished string");
    lua_settop(L, 0);
    return status == LUA_OK ? COMPLETE : at_end && !quote ? UNFINISHED : WRONG;
}

bool script_incomplete(const char *text)
{
    static const char PREFIX[] = "return ";
    size_t size = strlen(text), prefix = sizeof PREFIX - 1;
    char *expression = malloc(prefix + size + 1);
    lua_State *L = luaL_newstate();
    bool unfinished = false;
    if (L && expression) {
        memcpy(expression, PREFIX, prefix);
        memcpy(expression + prefix, text, size + 1);
        verdict as_value = compile(L, expression, prefix + size);
        verdict as_chunk = compile(L, text, size);
        unfinished = as_value != COMPLETE && as_chunk != COMPLETE &&
                     (as_value == UNFINISHED || as_chunk == UNFINISHED);
    }
    if (L)
        lua_close(L);
    free(expression);
    return unfinished;
}

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct words {
    char **items; /* NULL-ended */
    size_t count;
    const char *prefix; /* what is there already */
    size_t length;
} words;

/* Without memory a word is left out. */
static void add_word(words *to, const char *before, const char *word, const char *after)
{
    char text[1024];
    int size = snprintf(text, sizeof text, "%s%s%s", before, word, after);
    if (size < 0 || (size_t)size >= sizeof text || to->count >= MAX_WORDS ||
        strncmp(text, to->prefix, to->length) != 0)
        return;
    char **moved = realloc(to->items, (to->count + 2) * sizeof *moved);
    if (!moved)
        return;
    to->items = moved;
    moved[to->count] = text_copy(text);
    if (moved[to->count])
        to->count++;
    moved[to->count] = NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **finish_words(words *list)
{
    if (list->count == 0) {
        free(list->items);
        return NULL;
    }
    qsort(list->items, list->count, sizeof *list->items, by_text);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        if (strcmp(list->items[i], list->items[kept - 1]) == 0)
            free(list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->items[kept] = NULL;
    return list->items;
}

static void add_tm_names(words *to)
{
    const script_function *function;
    const tm_method *method;
    for (size_t i = 0; (function = script_function_at(i)); i++)
        add_word(to, "", function->name, "");
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        add_word(to, "", tm_method_id(method), "");
    add_word(to, "", "version", "");
}

static void add_members(words *to, const script_class *class, char separator)
{
    for (const script_member *m = class->members; m->name; m++)
        if ((m->args != NULL) == (separator == ':'))
            add_word(to, "", m->name, "");
}

static void add_methods(words *to)
{
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        add_word(to, "", tm_method_id(method), "");
}

static void add_metrics(words *to)
{
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    for (size_t i = 0; i < count; i++)
        add_word(to, "", metrics[i].id, "");
}

static void add_synths(words *to)
{
    size_t count;
    const tm_synth_info *synths = tm_synths(&count);
    for (size_t i = 0; i < count; i++)
        add_word(to, "", synths[i].id, "");
}

static void add_topics(words *to)
{
    const script_class *class;
    add_tm_names(to);
    add_metrics(to);
    for (size_t i = 0; (class = script_class_at(i)); i++)
        add_word(to, "", class->id, "");
}

/* Names of files; `path` is what is typed of one. */
static void add_files(words *to, const char *path)
{
    char directory[512], before[512];
    const char *slash = strrchr(path, '/');
    int size = slash ? (int)(slash - path) + 1 : 0;
    if ((size_t)size >= sizeof directory)
        return;
    snprintf(before, sizeof before, "%.*s", size, path);
    snprintf(directory, sizeof directory, "%s", size ? before : ".");
    DIR *open = opendir(directory);
    if (!open)
        return;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        struct stat what;
        char full[1024];
        bool hidden = entry->d_name[0] == '.' && (!slash ? path[0] : slash[1]) != '.';
        if (hidden || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(full, sizeof full, "%s/%s", directory, entry->d_name);
        bool folder = stat(full, &what) == 0 && S_ISDIR(what.st_mode);
        add_word(to, before, entry->d_name, folder ? "/" : "");
    }
    closedir(open);
}

/* ---- the scanner ----------------------------------------------------------------------------- */

/* An open bracket: what stands before it, and where its last item began. */
typedef struct frame {
    char bracket;
    size_t open;
    size_t callee, callee_end; /* "tm.lasso" before it; empty when callee == callee_end */
    size_t commas;
    size_t item;
} frame;

typedef struct context {
    const char *text;
    size_t cursor;
    frame frames[MAX_DEPTH];
    size_t depth;
    bool in_string, in_comment;
    bool long_string;
    size_t string; /* first character inside the quotes */
} context;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Start of the chain of names that ends at `end`: "a.b:c". */
static size_t chain_start(const char *text, size_t end)
{
    while (end > 0 && (is_word(text[end - 1]) || text[end - 1] == '.' || text[end - 1] == ':'))
        end--;
    return end;
}

static void open_bracket(context *at, size_t i)
{
    if (at->depth == MAX_DEPTH)
        return;
    size_t end = i;
    while (end > 0 && at->text[end - 1] == ' ')
        end--;
    at->frames[at->depth++] = (frame){at->text[i], i, chain_start(at->text, end), end, 0, i + 1};
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

/* The place after the long bracket whose opening has that length; past the cursor when unclosed. */
static size_t skip_long(const context *at, size_t i, size_t opening)
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

static size_t skip_comment(context *at, size_t i)
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

static size_t skip_quoted(context *at, size_t i)
{
    for (size_t k = i + 1; k < at->cursor; k++) {
        if (at->text[k] == '\\')
            k++;
        else if (at->text[k] == at->text[i] || at->text[k] == '\n')
            return k + 1;
    }
    at->in_string = true;
    at->string = i + 1;
    return at->cursor;
}

static void scan(context *at)
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

/* ---- arguments of the call around the cursor -------------------------------------------------- */

typedef struct arguments {
    const tm_param_info *table;
    size_t count;
    const char *const *extras;
} arguments;

static void copy_name(char name[NAME_BYTES], const char *text, size_t from, size_t to)
{
    snprintf(name, NAME_BYTES, "%.*s", (int)(to - from < NAME_BYTES ? to - from : 0), text + from);
}

/* The name of tm's function that a callee means, or of a method (":split"); NULL: neither. */
static const char *function_name(const char *callee)
{
    const char *colon = strrchr(callee, ':');
    if (strncmp(callee, "tm.", 3) == 0)
        return callee + 3;
    if (strncmp(callee, "tamis.", 6) == 0)
        return callee + 6;
    return colon ? colon : NULL;
}

/* The first quoted word after `from`: the method of tm.path, the generator of tm.synth. */
static void first_quoted(const context *at, size_t from, char name[NAME_BYTES])
{
    size_t i = from, end;
    name[0] = '\0';
    while (i < at->cursor && at->text[i] != '"' && at->text[i] != '\'')
        i++;
    for (end = i + 1; end < at->cursor && at->text[end] != at->text[i];)
        end++;
    if (end < at->cursor)
        copy_name(name, at->text, i + 1, end);
}

/* What may stand in the braces of the innermost frame; false when that is not known. */
static bool arguments_of(const context *at, arguments *out)
{
    if (at->depth == 0 || at->frames[at->depth - 1].bracket != '{')
        return false;
    const frame *call = &at->frames[at->depth - 1];
    if (call->callee == call->callee_end && at->depth > 1)
        call--;
    char callee[NAME_BYTES], first[NAME_BYTES];
    copy_name(callee, at->text, call->callee, call->callee_end);
    const char *name = function_name(callee);
    if (!name)
        return false;
    *out = (arguments){NULL, 0, NULL};
    first_quoted(at, call->open, first);
    const tm_method *method = tm_method_find(strcmp(name, "path") == 0 ? first : name, NULL);
    const tm_synth_info *synth = strcmp(name, "synth") == 0 ? tm_synth_find(first, NULL) : NULL;
    if (method) {
        out->table = tm_method_params(method, &out->count);
        out->extras = script_run_extras;
    } else if (synth) {
        out->table = synth->params;
        out->count = synth->param_count;
    } else if (strcmp(name, "load") == 0) {
        out->table = tm_reader_params(&out->count);
    } else if (strcmp(name, ":split") == 0) {
        out->table = script_split_params(&out->count);
        out->extras = script_split_extras;
    } else if (strcmp(name, ":select") == 0) {
        out->extras = script_select_extras;
    } else if (strcmp(name, ":scale") == 0) {
        out->table = script_scale_params(&out->count);
        out->extras = script_scale_extras;
    } else if (strcmp(name, ":filter") == 0) {
        out->table = script_filter_params(&out->count);
        out->extras = script_scale_extras;
    } else if (strcmp(name, "sweep") == 0) {
        out->extras = script_sweep_extras;
    } else if (strcmp(name, "curve") == 0) {
        out->extras = script_curve_extras;
    } else if (strcmp(name, ":folds") == 0) {
        out->table = script_folds_params(&out->count);
        out->extras = script_split_extras;
    } else if (strcmp(name, ":debias") == 0) {
        out->table = script_debias_params(&out->count);
        out->extras = script_debias_extras;
    } else if (strcmp(name, "plot") == 0) {
        out->table = script_plot_params(&out->count);
        out->extras = script_plot_extras;
    } else if (strcmp(name, "dataset") == 0) {
        out->extras = script_dataset_extras;
    }
    return out->table || out->extras;
}

/* The name in "name = " between `from` and `to`, or "". */
static void key_before(const context *at, size_t from, size_t to, char key[NAME_BYTES])
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
    while (start > from && is_word(at->text[start - 1]))
        start--;
    copy_name(key, at->text, start, to);
}

static const tm_param_info *param_named(const arguments *known, const char *key)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->table[i].name, key) == 0)
            return &known->table[i];
    return NULL;
}

static void add_choices(words *to, const tm_param_info *info, const char *quote)
{
    for (const tm_choice *c = info->choices; c && c->name; c++)
        add_word(to, quote, c->name, quote);
}

static void add_parameters(words *to, const arguments *known)
{
    for (size_t i = 0; i < known->count; i++)
        add_word(to, "", known->table[i].name, "=");
    for (size_t i = 0; known->extras && known->extras[i]; i++)
        add_word(to, "", known->extras[i], "=");
}

/* Inside quotes: a choice, a name that the call around knows, or a file. */
static void complete_string(const context *at, words *to)
{
    arguments known;
    char key[NAME_BYTES], callee[NAME_BYTES] = "";
    const frame *inner = at->depth ? &at->frames[at->depth - 1] : NULL;
    key_before(at, inner ? inner->item : 0, at->string - 1, key);
    const tm_param_info *info = arguments_of(at, &known) ? param_named(&known, key) : NULL;
    if (info && info->choices) {
        add_choices(to, info, "");
        return;
    }
    size_t end = at->string - 1;
    if (inner && inner->bracket == '(')
        copy_name(callee, at->text, inner->callee, inner->callee_end);
    else
        copy_name(callee, at->text, chain_start(at->text, end), end);
    const char *name = function_name(callee);
    size_t place = inner && inner->bracket == '(' ? inner->commas : 0;
    if (name && strcmp(name, "path") == 0 && place == 1) {
        add_methods(to);
    } else if (name && strcmp(name, "synth") == 0 && place == 0) {
        add_synths(to);
    } else if (name && strcmp(name, ":score") == 0 && place == 1) {
        add_metrics(to);
    } else if (name && strcmp(name, "on") == 0 && place == 0) {
        add_word(to, "", "progress", "");
        add_word(to, "", "done", "");
    } else if (strcmp(callee, "help") == 0) {
        add_topics(to);
    } else {
        char path[1024];
        snprintf(path, sizeof path, "%.*s", (int)(at->cursor - at->string), at->text + at->string);
        add_files(to, path);
    }
}

/* ---- names ------------------------------------------------------------------------------------ */

/* A chain of names before the cursor and what to add for the last. */
typedef struct lookup {
    words *to;
    const char *text;
    size_t from, end; /* the chain without the word being typed; empty: globals */
    char separator;
    bool found;
} lookup;

static bool is_identifier(const char *name)
{
    if (!*name || isdigit((unsigned char)*name))
        return false;
    while (is_word(*name))
        name++;
    return !*name;
}

/* The names of the table on top; after ':' functions alone. */
static void add_keys(lua_State *L, const lookup *what)
{
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING && is_identifier(lua_tostring(L, -2)) &&
            (what->separator != ':' || lua_isfunction(L, -1)))
            add_word(what->to, "", lua_tostring(L, -2), "");
}

/* Steps from the value on top to its field without running any code of the script's. `class` is
 * the class of the value when it is an object, known from the tables for later steps. */
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
        char name[NAME_BYTES];
        size_t end = i;
        while (end < what->end && is_word(what->text[end]))
            end++;
        copy_name(name, what->text, i, end);
        class = step(L, class, name);
        lua_remove(L, -2);
        i = end + 1;
    }
    what->found = class || lua_istable(L, -1);
    if (class)
        add_members(what->to, class, what->separator);
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

static void complete_member(script *self, const context *at, words *to, size_t separator)
{
    size_t from = chain_start(at->text, separator);
    lookup what = {to, at->text, from, separator, at->text[separator], false};
    char chain[NAME_BYTES];
    copy_name(chain, at->text, from, separator);
    if (strcmp(chain, "tm") == 0 || strcmp(chain, "tamis") == 0)
        add_tm_names(to);
    if (from < separator)
        look_up(self, &what);
    const script_class *class;
    for (size_t i = 0; !what.found && to->count == 0 && (class = script_class_at(i)); i++)
        add_members(to, class, at->text[separator]);
}

static void complete_global(script *self, const context *at, words *to)
{
    static const char *const names[] = {
        "and",    "break",  "do",    "else", "elseif", "end",  "false", "for",   "function",
        "goto",   "help",   "if",    "in",   "local",  "nil",  "not",   "or",    "print",
        "repeat", "return", "tamis", "then", "tm",     "true", "until", "while",
    };
    lookup what = {to, at->text, 0, 0, '.', false};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_word(to, "", names[i], "");
    look_up(self, &what);
}

/* Outside quotes: a parameter, its value, a member or a global. */
static void complete_name(script *self, const context *at, words *to, size_t start)
{
    arguments known;
    char key[NAME_BYTES];
    if (start > 0 && (at->text[start - 1] == '.' || at->text[start - 1] == ':') &&
        !(start > 1 && at->text[start - 2] == '.')) {
        complete_member(self, at, to, start - 1);
        return;
    }
    if (arguments_of(at, &known)) {
        size_t item = at->frames[at->depth - 1].item, first = item;
        while (first < start && isspace((unsigned char)at->text[first]))
            first++;
        if (first == start) {
            add_parameters(to, &known);
            return;
        }
        key_before(at, item, start, key);
        const tm_param_info *info = param_named(&known, key);
        if (info && info->choices) {
            add_choices(to, info, "\"");
            return;
        }
        if (info && info->type == TM_PARAM_BOOL) {
            add_word(to, "", "true", "");
            add_word(to, "", "false", "");
            return;
        }
    }
    if (to->length > 0)
        complete_global(self, at, to);
}

char **script_complete(script *self, const char *text, size_t cursor, size_t *start)
{
    *start = cursor;
    context *at = calloc(1, sizeof *at);
    if (!at)
        return NULL;
    at->text = text;
    at->cursor = strnlen(text, cursor);
    scan(at);
    words list = {NULL, 0, NULL, 0};
    if (!at->in_comment && !at->long_string) {
        size_t from = at->cursor;
        while (!at->in_string && from > 0 && is_word(text[from - 1]))
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
    return finish_words(&list);
}
