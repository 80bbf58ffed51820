/* tamis: finds the subcommand, or opens the workbench. */
#include "cli/commands.h"
#include "cli/common/load.h"
#include "cli/common/settings.h"
#include "cli/manual/completion.h"
#include "cli/manual/man.h"
#include "cli/print/messages.h"
#include "cli/print/output_kind.h"

#include "base/numeric/blas.h"
#include "base/text.h"
#include "cli/common/options.h"
#include "cli/common/record.h"
#include "script/lessons/rows.h"
#include "tamis/job.h"
#include "tamis/method.h"
#include "tamis/store.h"
#include "tamis/version.h"
#include "tui/tui.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cli_command {
    const char *name;
    cli_main *main;
    const char *usage;
    const char *summary; /* one line */
} cli_command;

static cli_main help;
static int dispatch(cli_context *context, int argc, char **argv);

static const cli_command commands[] = {
    {"run", cli_run, "run SCRIPT.lua [ARG...]", "run a Lua script without a screen"},
    {"eval", cli_eval, "eval 'LUA'", "run one chunk of Lua and print its values"},
    {"repl", cli_repl, "repl", "a plain prompt for Lua"},
    {"fit", cli_fit, "fit FILE --method M", "fit a method to data"},
    {"predict", cli_predict, "predict MODEL FILE", "predict with a model that fit has saved"},
    {"info", cli_info, "info FILE", "describe a data file"},
    {"convert", cli_convert, "convert IN OUT", "write data in another format"},
    {"runs", cli_runs, "runs [list|show ID|...]", "what earlier runs with --store found"},
    {"report", cli_report, "report SWEEP -o FILE.html", "a sweep as one HTML page"},
    {"methods", cli_methods, "methods [M]", "list the methods, or explain one"},
    {"learn", cli_learn, "learn [LESSON]", "lessons in steps, with a view and questions"},
    {"help", help, "help [COMMAND | M]", "this page, or that of a command or method"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* ---- finding what to do -------------------------------------------------------------------- */

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static const char *command_name(size_t i, const void *payload)
{
    (void)payload;
    return i < COMMANDS ? commands[i].name : NULL;
}

static const char *command_list(char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size,
                                   "Opens the workbench on FILE, or on the built-in example. With "
                                   "a command:\n");
    for (size_t i = 0; i < COMMANDS && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "\n  tamis %-26s %s",
                                 commands[i].usage, commands[i].summary);
    if (used < size)
        snprintf(buffer + used, size - used,
                 "\n\n'tamis COMMAND --help' explains a command, 'tamis help [COMMAND] --as man' "
                 "prints its manual page, 'tamis help --as bash' (zsh, fish) completion for that "
                 "shell. Exit status: 0 done, 1 the data "
                 "or the run failed, 2 wrong usage, 130 interrupted.");
    return buffer;
}

/* Checks the first word, which is not a command, as the name of a data file. */
static int check_file(const char *word)
{
    if (strcmp(word, "-") == 0 && !isatty(STDIN_FILENO))
        return CLI_DONE; /* keys are read from the controlling terminal */
    if (strcmp(word, "-") == 0)
        return cli_usage(NULL, "'-' is data from a pipe, and standard input is the terminal: name "
                               "a file");
    if (access(word, R_OK) == 0)
        return CLI_DONE;
    int number = errno;
    if (number == ENOENT && !strpbrk(word, "./")) {
        const char *close = text_closest(word, command_name, NULL);
        if (close)
            return cli_usage(NULL, "there is no command and no file '%.100s'; did you mean '%s'?",
                             word, close);
        return cli_usage(NULL, "there is no command and no file '%.100s'; see 'tamis --help'",
                         word);
    }
    tm_error err;
    tm_fail(&err, TM_EIO, "cannot open '%.300s': %s", word, strerror(number));
    return cli_fail(NULL, &err);
}

static void record_begin(const tm_job *job, void *payload)
{
    cli_record_begin(payload, job);
}

static void record_sweep(void *payload)
{
    cli_record_sweep(payload);
}

/* The default store, for viewing and deleting its runs; NULL if it does not exist or cannot be
 * read. */
static tm_store *earlier_runs(void)
{
    char *path;
    tm_error err;
    tm_store *store = NULL;
    if (tm_store_default_path(&path, &err) != TM_OK)
        return NULL;
    tm_store_mode mode = access(path, W_OK) == 0 ? TM_STORE_WRITE : TM_STORE_READ;
    if (access(path, F_OK) == 0 && tm_store_open(&store, path, mode, &err) != TM_OK)
        cli_fail(NULL, &err);
    free(path);
    return store;
}

/* The options of the workbench, before a command or beside a file. */
typedef struct front {
    bool version;
    const char *script, *dump, *size, *class;
    tm_params *reader;
} front;

static int open_workbench(const cli_context *context, const cli_arguments *arguments,
                          const front *given)
{
    const char *script = given->script, *dump = given->dump, *size = given->size;
    int cols = 120, rows = 40;
    if (size && (sscanf(size, "%4dx%4d", &cols, &rows) != 2 || cols < 1 || rows < 1))
        return cli_usage(NULL, "--size is COLSxROWS, say 100x30, not '%.40s'", size);
    if (arguments->count > 0) {
        int status = check_file(arguments->words[0]);
        if (status != CLI_DONE)
            return status;
    }
    if (arguments->count > 1 && !script)
        return cli_usage(NULL, "the workbench opens one file, not '%.100s' too",
                         arguments->words[1]);
    if (script && access(script, R_OK) != 0) {
        tm_error err;
        tm_fail(&err, TM_EIO, "cannot open the script '%.300s': %s", script, strerror(errno));
        return cli_fail(NULL, &err);
    }
    bool jobs = tm_params_has(context->common, "jobs");
    tui_options options = {
        .path = arguments->count > 0 ? arguments->words[0] : NULL,
        .reader = given->reader,
        .label = given->class,
        .script = script,
        .script_args = arguments->count > 1 ? arguments->words + 1 : NULL,
        .script_arg_count = arguments->count > 1 ? arguments->count - 1 : 0,
        .jobs = jobs ? (int)tm_params_int(context->common, "jobs") : 0,
        .seed = cli_seed(context),
        .charset = tm_params_text(context->common, "charset"),
        .color = tm_params_text(context->common, "color"),
        .quiet = context->quiet,
        .dump = dump,
        .rows = rows,
        .cols = cols,
    };
    if (!cli_store(context)) {
        options.store = earlier_runs();
        int status = dump ? tui_dump(&options) : tui_main(&options);
        tm_store_close(options.store);
        return status;
    }
    cli_record record;
    cli_record_open_later(&record, cli_store(context));
    const tui_recorder recorder = {record.store, record_begin, record_sweep, &record};
    options.recorder = &recorder;
    options.store = record.store;
    int status = dump ? tui_dump(&options) : tui_main(&options);
    return cli_record_close(&record, status);
}

/* ---- help in other forms -------------------------------------------------------------------- */

static char help_word[] = "--help";

/* Prints the page of one command, or of the program itself. */
static int page_of(cli_context *context, const cli_command *command)
{
    char name[16];
    snprintf(name, sizeof name, "%s", command ? command->name : "tamis");
    char *const argv[] = {name, help_word};
    return command ? command->main(context, 2, (char **)argv) : dispatch(context, 2, (char **)argv);
}

/* The functions and objects of Lua, a topic that is no command. */
static bool is_lua(const char *topic)
{
    static const char page[] = "tamis-lua";
    return strcmp(topic, page) == 0 || strcmp(topic, strchr(page, '-') + 1) == 0;
}

static int print_man(cli_context *context, const char *topic)
{
    man_entry entries[COMMANDS + 1] = {{0}};
    for (size_t i = 0; i + 1 < COMMANDS; i++) /* help has no page of its own */
        entries[i] = (man_entry){commands[i].name, commands[i].summary};
    const cli_command *command = topic ? find_command(topic) : NULL;
    man_topic page = {topic, "terminal workbench for sparse learning and feature selection",
                      entries};
    if (topic && is_lua(topic)) {
        man_lua_page();
        return cli_finish("help", CLI_DONE);
    }
    if (topic && (!command || command == &commands[COMMANDS - 1]))
        return cli_usage("help",
                         "there is no manual page of '%.100s'; there are those of the "
                         "commands and of tamis-lua",
                         topic);
    if (command)
        page.summary = command->summary;
    context->page = man_command_page;
    /* cppcheck-suppress autoVariables ; it is reset below */
    context->page_payload = &page;
    int status = page_of(context, command);
    context->page_payload = NULL;
    return status;
}

/* The lists for which placeholders of the usage stand. */
typedef struct word_lists {
    char methods[1024], commands[256], lessons[512], topics[1280];
} word_lists;

static void add_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? " " : "", word);
}

static void make_lists(word_lists *lists)
{
    const tm_method *method;
    *lists = (word_lists){0};
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        add_word(lists->methods, sizeof lists->methods, tm_method_id(method));
    for (size_t i = 0; i < COMMANDS; i++)
        add_word(lists->commands, sizeof lists->commands, commands[i].name);
    for (size_t i = 0; i < lesson_count; i++)
        add_word(lists->lessons, sizeof lists->lessons, lesson_rows[i].name);
    snprintf(lists->topics, sizeof lists->topics, "%s %s", lists->commands, lists->methods);
}

/* The options of fit depend on the method. */
static int complete_methods(cli_context *context, completion_scope *scope)
{
    const tm_method *method;
    int status = CLI_DONE;
    scope->command = "fit";
    for (size_t i = 0; status == CLI_DONE && (method = tm_methods_at(i)); i++) {
        char fit[] = "fit", option[] = "--method", id[64];
        snprintf(id, sizeof id, "%s", tm_method_id(method));
        scope->method = id;
        status = cli_fit(context, 4, (char *[]){fit, option, id, help_word});
    }
    return status;
}

static int print_completion(cli_context *context, const completion_shell *shell)
{
    word_lists lists;
    make_lists(&lists);
    const completion_words words[] = {{"M", lists.methods},
                                      {"COMMAND", lists.commands},
                                      {"LESSON", lists.lessons},
                                      {"TOPIC", lists.topics},
                                      {NULL, NULL}};
    completion_scope scope = {.shell = shell, .words = words};
    int status;
    context->page = completion_page;
    /* cppcheck-suppress autoVariables ; it is reset below */
    context->page_payload = &scope;
    completion_begin(shell, lists.commands);
    status = page_of(context, NULL);
    for (size_t i = 0; status == CLI_DONE && i < COMMANDS; i++) {
        scope.command = commands[i].name;
        status = page_of(context, &commands[i]);
    }
    if (status == CLI_DONE)
        status = complete_methods(context, &scope);
    completion_end(shell);
    context->page_payload = NULL;
    return cli_finish("help", status);
}

/* The same pages as --help, as a command, and in other forms. */
static int help(cli_context *context, int argc, char **argv)
{
    static char methods[] = "methods", eval[] = "eval", overview[] = "help()";
    const char *as = NULL;
    const cli_option options[] = {
        {"as", "FORM", "in another form: man, bash, zsh or fish", NULL, &as}};
    const cli_syntax syntax = {
        .command = "help",
        .no_store = true,
        .usage = "help [TOPIC] [--as FORM]",
        .summary =
            "Prints the page of the program, of a command, of a method or of Lua ('lua'). With "
            "'--as man' the manual page of the program, of a command or of Lua; with '--as bash', "
            "'zsh' or 'fish' what that shell needs to complete command lines.",
        .options = options,
        .option_count = 1,
    };
    cli_arguments arguments;
    tm_error err;
    int done;
    bool asked = argc == 2 && strcmp(argv[1], help_word) == 0 && !context->page;
    if (asked) /* the program's page describes this command */
        return page_of(context, NULL);
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    const char *topic = arguments.count ? arguments.words[0] : NULL;
    if (arguments.count > 1)
        return cli_usage("help", "one command or method at a time, not '%.100s' too",
                         arguments.words[1]);
    if (as && strcmp(as, "man") == 0)
        return print_man(context, topic);
    if (as && (!completion_find(as) || topic))
        return cli_usage("help",
                         topic ? "'--as %.40s' is for the whole command line, not for one topic"
                               : "'--as %.40s': expected man, bash, zsh or fish",
                         as);
    if (as)
        return print_completion(context, completion_find(as));
    const cli_command *command = topic ? find_command(topic) : NULL;
    if (!topic || command)
        return page_of(context, command == &commands[COMMANDS - 1] ? NULL : command);
    if (tm_method_find(topic, &err))
        return cli_methods(context, 2, (char *[]){methods, arguments.words[0]});
    if (is_lua(topic))
        return cli_eval(context, 2, (char *[]){eval, overview});
    return cli_usage("help",
                     "there is no command and no method '%.100s'; 'tamis help' lists the "
                     "commands, 'tamis methods' the methods, 'tamis help lua' what scripts call",
                     topic);
}

/* The first option of the reader that was given, or NULL. */
static const char *reader_option(const tm_params *reader)
{
    for (size_t i = 0; i < tm_params_count(reader); i++) {
        const char *name = tm_params_info(reader, i)->name;
        if (tm_params_given(reader, name))
            return name;
    }
    return NULL;
}

/* Refuses options of the workbench before a command's name, where they would have no effect. */
static int check_front(const front *given, const cli_command *command)
{
    if (given->script)
        return cli_usage(NULL, "'--script' is for the workbench, not for 'tamis %s'",
                         command->name);
    const char *name = given->class ? "class" : reader_option(given->reader);
    if (name)
        return cli_usage(NULL, "'--%s' before '%s' would be lost: write it after '%s'", name,
                         command->name, command->name);
    return CLI_DONE;
}

static int run_front(cli_context *context, int argc, char **argv, front *given)
{
    char page[2048];
    const cli_option options[] = {
        {"script", "SCRIPT.lua", "start this script in the workbench; words after FILE are its arg",
         NULL, &given->script},
        {"class", "LABEL", "explore this class of FILE's several against the rest", NULL,
         &given->class},
        {"dump-view", "VIEW",
         "print what a view of the workbench shows, without a terminal, when all is done", NULL,
         &given->dump},
        {"size", "COLSxROWS", "the screen of --dump-view (default 120x40)", NULL, &given->size},
        {"version", NULL, "print the version", &given->version, NULL},
    };
    cli_syntax syntax = {
        .usage = "[OPTION...] [FILE | COMMAND ...]",
        .summary = command_list(page, sizeof page),
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .params = {given->reader},
        .params_title = {"how FILE is read"},
        .stop = true,
    };
    cli_arguments arguments;
    tm_error err;
    if (cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail(NULL, &err);
    const cli_command *command = arguments.count ? find_command(arguments.words[0]) : NULL;
    if (command && !arguments.help && !given->version) {
        int status = check_front(given, command);
        if (status != CLI_DONE)
            return status;
        return command->main(context, (int)arguments.count, arguments.words);
    }
    syntax.stop = false;
    if (!arguments.help && !given->version &&
        cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail(NULL, &err);
    if (given->version) {
        printf("tamis %s\n", TAMIS_VERSION);
        return cli_finish(NULL, CLI_DONE);
    }
    if (arguments.help) {
        cli_print_help(&syntax, context);
        return cli_finish(NULL, CLI_DONE);
    }
    const char *name = given->class ? "class" : reader_option(given->reader);
    if (name && arguments.count == 0)
        return cli_usage(NULL, "'--%s' says how FILE is read, and there is no FILE", name);
    return open_workbench(context, &arguments, given);
}

static int dispatch(cli_context *context, int argc, char **argv)
{
    front given = {0};
    tm_error err;
    int status = cli_reader_params_new(&given.reader, &err) == TM_OK
                     ? run_front(context, argc, argv, &given)
                     : cli_fail(NULL, &err);
    tm_params_free(given.reader);
    return status;
}

/* A closed standard descriptor would be reused by the next file opened. It is replaced by one that
 * cannot be written to, so that output causes an error instead of being lost. */
static bool hold_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            return false;
    return true;
}

/* A solve allocates and frees arrays of megabytes, and the next one allocates them again. The C
 * library would return them to the system each time, and every new page costs a page fault. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    enum { MEGABYTE = 1 << 20, APART_FROM = 32 * MEGABYTE, MAX_KEPT = 256 * MEGABYTE };
    mallopt(M_MMAP_THRESHOLD, APART_FROM);
    mallopt(M_TRIM_THRESHOLD, MAX_KEPT);
#endif
}

int main(int argc, char **argv)
{
    cli_context context = {0};
    tm_error err;
    if (!hold_descriptors())
        return CLI_FAILED;
    keep_memory();
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the file size limit fails instead of killing the
                               * program, so that partial files are removed */
    cli_locale(&context);
    if (cli_common_new(&context.common, &err) != TM_OK)
        return cli_fail(NULL, &err);
    int status = dispatch(&context, argc, argv);
    tm_params_free(context.common);
    if (!blas_ends()) {
        fflush(NULL); /* the commands have reported what could not be written */
        _exit(status);
    }
    return status;
}
