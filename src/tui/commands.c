#include "tui/commands.h"

#include "base/params/words.h"
#include "base/text.h"
#include "script/lessons/rows.h"
#include "tui/export.h"
#include "tui/shell/state.h"
#include "tui/user_commands.h"
#include "tui/views/lessons/progress.h"

#include "tamis/method.h"
#include "tamis/reader.h"

#include <stdlib.h>
#include <string.h>

#include <stdio.h>

#include <readline/readline.h>
#include <readline/tilde.h>

static void quit(app *a, const char *argument)
{
    (void)argument;
    app_quit(a);
}

static void help(app *a, const char *argument)
{
    (void)argument;
    app_help(a);
}

/* The parsed words of ":open FILE --NAME VALUE ...". */
typedef struct open_words {
    char *text; /* the buffer that the other members point into */
    const char *path, *label;
    tm_params *reader;
} open_words;

/* Returns the next word of *text and ends it with a NUL; words with blanks are in quotes. */
static char *next_word(char **text)
{
    char *word = *text + strspn(*text, " ");
    if (*word == '\0')
        return NULL;
    bool quoted = *word == '"' || *word == '\'';
    char end = quoted ? *word++ : ' ';
    char *behind = strchr(word, end);
    *text = behind ? behind + 1 : word + strlen(word);
    if (behind)
        *behind = '\0';
    return word;
}

static tm_status read_option(open_words *words, char *name, const char *value, tm_error *err)
{
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
    if (!value)
        return tm_fail(err, TM_EUSAGE, ":open: --%s needs a value", name);
    if (strcmp(name, "class") == 0) {
        words->label = value;
        return TM_OK;
    }
    return tm_params_set_text(words->reader, name, value, err);
}

/* A file name with blanks needs no quotes if no option follows it. */
static tm_status read_open(open_words *words, const char *argument, tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    tm_status status = tm_params_new(&words->reader, "data", table, count, err);
    words->text = strdup(argument);
    if (!words->text)
        return tm_fail_memory(err, "the words");
    words->path = argument;
    if (status != TM_OK || !strstr(argument, " --"))
        return status;
    char *rest = words->text;
    words->path = next_word(&rest);
    for (char *word = next_word(&rest); word && status == TM_OK; word = next_word(&rest)) {
        if (strncmp(word, "--", 2) != 0)
            return tm_fail(err, TM_EUSAGE, ":open: '%.60s'; expected --NAME VALUE", word);
        status = read_option(words, word + 2, next_word(&rest), err);
    }
    return status;
}

static void open_file(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    if (argument[0] == '\0') {
        app_message(a, STYLE_ERROR, ":open needs the name of a data file");
        return;
    }
    open_words words = {.path = NULL};
    if (read_open(&words, argument, &err) == TM_OK) {
        char *path = tilde_expand(words.path);
        session_load(app_session(a), path, words.reader, words.label, &err);
        free(path);
        app_show(a, VIEW_EXPLORE);
    }
    tm_params_free(words.reader);
    free(words.text);
    app_error(a, &err);
}

static void run_file(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    if (argument[0] == '\0') {
        app_message(a, STYLE_ERROR, ":run needs the name of a Lua file");
        return;
    }
    char *path = tilde_expand(argument);
    app_asked(a);
    session_run_file(app_session(a), path, NULL, 0, NULL, &err);
    free(path);
    app_error(a, &err);
}

static void snapshot(app *a, const char *argument)
{
    export_named(a, "screen", argument[0] != '\0' ? argument : NULL);
}

static void save_session(app *a, const char *argument)
{
    export_named(a, "session", argument[0] != '\0' ? argument : NULL);
}

static const char *lesson_at(size_t i, const void *payload)
{
    (void)payload;
    return i < lesson_count ? lesson_rows[i].name : NULL;
}

/* The lesson continues where it was left. */
static void open_lesson(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    char chunk[160];
    size_t at = lesson_find(argument);
    if (at == lesson_count) {
        const char *close = text_closest(argument, lesson_at, NULL);
        app_message(a, STYLE_ERROR, "no lesson '%.40s'%s%s%s; * lists them", argument,
                    close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
        return;
    }
    const char *name = lesson_rows[at].name;
    snprintf(chunk, sizeof chunk, "tm.lesson.open('%s', %zu)", name, progress_step(name));
    session_submit_quietly(a->session, chunk, &err);
    app_show(a, VIEW_LESSONS);
    app_error(a, &err);
}

static void set_shape(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    if (session_choose_shape(app_session(a), argument, &err) == TM_OK)
        app_show(a, VIEW_PATH);
    app_error(a, &err);
    app_changed(a);
}

static void set_theme(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    terminal_theme(app_terminal(a), argument, "", &err);
    app_error(a, &err);
    app_changed(a);
}

/* Parses "NAME VALUE" or "NAME=VALUE"; without a value restores the default. */
static void set_parameter(app *a, const char *argument)
{
    tm_error err = TM_ERROR_INIT;
    explore_runs *e = app_explorer(a);
    size_t length = strcspn(argument, " =");
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < 63 ? (int)length : 63, argument);
    const char *value = argument + length + strspn(argument + length, " =");
    if (name[0] == '\0') {
        app_message(a, STYLE_ERROR, ":set needs a parameter of the form and a value");
        return;
    }
    if (strcmp(name, "class") == 0 && !tm_params_find(e->params, name, NULL)) {
        app_choose_class(a, value);
        return;
    }
    if (strcmp(name, "metric") == 0) {
        scores_choose(app_session(a)->chosen.scores, value, e->train, &err);
    } else if (strcmp(name, "method") == 0) {
        const tm_method *method = tm_method_find(value, &err);
        if (method)
            explore_runs_method(e, method, &err);
    } else if (tm_params_find(e->params, name, &err)) {
        explore_runs_set(e, name, value[0] != '\0' ? value : NULL, &err);
    }
    app_error(a, &err);
    app_changed(a);
}

typedef struct command {
    const char *name;
    void (*act)(app *a, const char *argument); /* NULL: shows `view` */
    bool argument;                             /* whether an argument is required */
    const char *help;
    view_id view;
} command;

static const command commands[] = {
    {"open", open_file, true, "load a data file and explore it: FILE --class 3 --names F", 0},
    {"run", run_file, true, "run a Lua file", 0},
    {"set", set_parameter, true, "set a parameter of the form, method, class or metric: NAME VALUE",
     0},
    {"session", save_session, false, "save the session as a Lua script that replays it", 0},
    {"shape", set_shape, false, "draw the features as chain, grid:RxC, FILE; none: as the run", 0},
    {"theme", set_theme, true, "colours: auto, dark, light, contrast, mono", 0},
    {"export", export_run, true, "save a plot, the features, the screen or the session: NAME FILE",
     0},
    {"lesson", open_lesson, true, "open a lesson by its name or number", 0},
    {"snapshot", snapshot, false, "save what is on the screen as text", 0},
#define VIEW_COMMAND(id, name, key, title, help) {#name, NULL, false, help, VIEW_##id},
    VIEWS(VIEW_COMMAND)
#undef VIEW_COMMAND
        {"help", help, false, "the keys of the view", 0},
    {"quit", quit, false, "quit", 0},
    {"q", quit, false, "quit", 0},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const char *command_name(size_t i)
{
    return i < COMMANDS ? commands[i].name : NULL;
}

const char *command_help(size_t i)
{
    return i < COMMANDS ? commands[i].help : NULL;
}

bool command_has_argument(size_t i)
{
    return commands[i].argument;
}

static const char *name_at(size_t i, const void *payload)
{
    (void)payload;
    return command_name(i);
}

/* A single word, or two words in a row, is not valid Lua: a command was meant. */
static bool refuse_unknown(app *a, const char *line)
{
    size_t length = strspn(line + 1, "abcdefghijklmnopqrstuvwxyz");
    const char *rest = line + 1 + length;
    bool word = length > 0 && (*rest == '\0' || (*rest == ' ' && !strpbrk(rest, "=([{\"',")));
    if (!word)
        return false;
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, line + 1);
    const char *close = text_closest(name, name_at, NULL);
    char text[200];
    snprintf(text, sizeof text, "no command ':%s'%s%s%s", name, close ? "; did you mean ':" : "",
             close ? close : "", close ? "'?" : "; :help lists the keys");
    app_message(a, STYLE_ERROR, "%s", text);
    return true;
}

bool command_run(app *a, const char *line)
{
    size_t length = strcspn(line + 1, " ");
    char argument[4096];
    const char *rest = line + 1 + length;
    rest += strspn(rest, " ");
    snprintf(argument, sizeof argument, "%s", rest);
    for (size_t end = strlen(argument); end > 0 && argument[end - 1] == ' '; end--)
        argument[end - 1] = '\0';
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strlen(commands[i].name) == length &&
            strncmp(commands[i].name, line + 1, length) == 0) {
            if (commands[i].act)
                commands[i].act(a, argument);
            else
                app_show(a, commands[i].view);
            return true;
        }
    }
    return user_command_named(a, line + 1, length, argument) || refuse_unknown(a, line);
}

static char **complete_name(const app *a, const char *word, size_t length)
{
    char **out = calloc(COMMANDS + a->keymap.command_count + 1, sizeof *out);
    size_t count = 0;
    for (size_t i = 0; out && i < a->keymap.command_count; i++) {
        const user_command *own = &a->keymap.commands[i];
        if (own->help[0] != '\0' && strncmp(own->name, word, length) == 0) {
            out[count] = strdup(own->name);
            count += out[count] ? 1 : 0;
        }
    }
    for (size_t i = 0; out && i < COMMANDS; i++) {
        if (strncmp(commands[i].name, word, length) == 0) {
            out[count] = strdup(commands[i].name);
            count += out[count] ? 1 : 0;
        }
    }
    return out;
}

/* The names of a table that begin with the word. */
static char **complete_from(const char *(*name)(size_t i, const void *payload), const char *word)
{
    size_t count = 0, names = 0;
    while (name(names, NULL))
        names++;
    char **out = calloc(names + 1, sizeof *out);
    for (size_t i = 0; out && i < names; i++)
        if (strncmp(name(i, NULL), word, strlen(word)) == 0)
            count += (out[count] = strdup(name(i, NULL))) ? 1 : 0;
    return out;
}

static const char *export_at(size_t i, const void *payload)
{
    (void)payload;
    return export_name(i);
}

/* "method", "metric" and the form's parameters that begin with the word. */
static char **complete_parameter(const app *a, const char *word)
{
    const tm_params *params = a->explore_runs.params;
    size_t count = 0, length = strlen(word);
    static const char *const others[] = {"method", "metric"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    char **out = calloc(tm_params_count(params) + OTHERS + 1, sizeof *out);
    for (size_t i = 0; out && i < tm_params_count(params) + OTHERS; i++) {
        const char *name = i < OTHERS ? others[i] : tm_params_info(params, i - OTHERS)->name;
        if (strncmp(name, word, length) == 0)
            count += (out[count] = strdup(name)) ? 1 : 0;
    }
    return out;
}

static char **complete_file(const char *word)
{
    char **out = NULL;
    size_t count = 0;
    char *name;
    for (int state = 0; (name = rl_filename_completion_function(word, state)) != NULL; state = 1) {
        char **grown = realloc(out, (count + 2) * sizeof *grown);
        if (!grown) {
            free(name);
            break;
        }
        out = grown;
        out[count++] = name;
        out[count] = NULL;
    }
    return out;
}

/* Keeps `name` if the word that is typed begins it. */
static void keep_word(char **out, size_t *count, const char *name, size_t length, const char *word)
{
    if (strncmp(name, word, strlen(word)) == 0 && strlen(word) <= length)
        *count += (out[*count] = strndup(name, length)) ? 1 : 0;
}

/* The words of a parameter's choices, and after them files if other values are possible. */
static char **complete_choices(const tm_param_info *info, const char *word)
{
    size_t words = 0, count = 0, files = 0;
    bool open = info->type == TM_PARAM_TEXT;
    while (info->choices && info->choices[words].name)
        words++;
    char **found = open ? complete_file(word) : NULL;
    while (found && found[files])
        files++;
    char **out = calloc(words + files + 1, sizeof *out);
    for (size_t i = 0; out && i < words; i++)
        keep_word(out, &count, info->choices[i].name,
                  open ? word_length(&info->choices[i]) : strlen(info->choices[i].name), word);
    for (size_t i = 0; i < files; i++)
        if (out)
            out[count++] = found[i];
        else
            free(found[i]);
    free(found);
    return out;
}

static const char *method_at(size_t i, const void *payload)
{
    (void)payload;
    const tm_method *method = tm_methods_at(i);
    return method ? tm_method_id(method) : NULL;
}

char **command_values(const app *a, const char *name, const char *text, size_t cursor,
                      size_t *start)
{
    const tm_params *params = a->explore_runs.params;
    const tm_param_info *info = tm_params_find(params, name, NULL);
    char *word = strndup(text + *start, cursor - *start);
    char **out = NULL;
    const char *file = word && info ? word_file(info->choices, word) : NULL;
    if (word && strcmp(name, "method") == 0)
        out = complete_from(method_at, word);
    else if (word && info && (info->choices || info->type == TM_PARAM_TEXT))
        out = file ? complete_file(file) : complete_choices(info, word);
    *start += file ? (size_t)(file - word) : 0;
    free(word);
    return out;
}

/* Where the value begins in ":set NAME VALUE"; 0: in the name. */
static size_t value_start(const char *text, size_t cursor, size_t from)
{
    size_t name = from + strcspn(text + from, " =");
    size_t value = name + strspn(text + name, " =");
    return value > name && value <= cursor ? value : 0;
}

/* Whether the word at `start` is the name of something to save rather than a file name. */
static bool names_export(const char *text, size_t start)
{
    return strncmp(text, ":export ", 8) == 0 && start == 7 + strspn(text + 7, " ");
}

char **command_complete(const app *a, const char *text, size_t cursor, size_t *start)
{
    size_t name = strcspn(text, " ");
    if (cursor <= name) {
        *start = 1;
        return cursor >= 1 ? complete_name(a, text + 1, cursor - 1) : NULL;
    }
    *start = name + strspn(text + name, " ");
    if (*start > cursor)
        return NULL;
    size_t value = strncmp(text, ":set ", 5) == 0 ? value_start(text, cursor, *start) : 0;
    if (value > 0) {
        char parameter[64];
        snprintf(parameter, sizeof parameter, "%.*s", (int)strcspn(text + *start, " ="),
                 text + *start);
        *start = value;
        return command_values(a, parameter, text, cursor, start);
    }
    char *word = strndup(text + *start, cursor - *start);
    char **out = !word                               ? NULL
                 : strncmp(text, ":set ", 5) == 0    ? complete_parameter(a, word)
                 : strncmp(text, ":lesson ", 8) == 0 ? complete_from(lesson_at, word)
                 : names_export(text, *start)        ? complete_from(export_at, word)
                                                     : complete_file(word);
    free(word);
    return out;
}
