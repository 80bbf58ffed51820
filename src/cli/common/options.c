#include "cli/common/options.h"

#include "base/text.h"
#include "cli/print/describe.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const tm_choice charset_choices[] = {
    {"auto", "what the locale says"},
    {"utf8", "Braille and box drawing"},
    {"ascii", "plain characters alone"},
    {NULL, NULL},
};
static const tm_choice color_choices[] = {
    {"auto", "what the terminal can show; none in files and pipes"},
    {"never", "no colours"},
    {"16", "the sixteen basic colours"},
    {"256", "xterm's 256 colours"},
    {"true", "24-bit colours"},
    {NULL, NULL},
};
static const tm_param_info common_table[] = {
    {"jobs", TM_PARAM_INT, NULL, 1, 1024, NULL, "worker threads; one for each core unless given",
     NULL, 0},
    {"seed", TM_PARAM_INT, "1", 0, 9007199254740992.0, NULL, "seed of everything random", NULL, 0},
    {"store", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "run store: runs and sweeps are recorded in it, 'runs' reads it ('default': the usual place)",
     NULL, 0},
    {"charset", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "characters to draw with", charset_choices, 0},
    {"color", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "colours to draw with", color_choices, 0},
};

static const char quiet_help[] = "no progress and no remarks";
static const char help_help[] = "print this page";

tm_status cli_common_new(tm_params **out, tm_error *err)
{
    return tm_params_new(out, "common options", common_table,
                         sizeof common_table / sizeof common_table[0], err);
}

/* ---- one option ---------------------------------------------------------------------------- */

/* "lambda_min_ratio" and "lambda-min-ratio" are the same name. `length` is that of `typed`. */
static bool same_name(const char *known, const char *typed, size_t length)
{
    if (strlen(known) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char a = known[i] == '_' ? '-' : known[i];
        char b = typed[i] == '_' ? '-' : typed[i];
        if (a != b)
            return false;
    }
    return true;
}

/* A word of argv that is an option: its name, and the value in the same word. */
typedef struct option_word {
    const char *name;
    size_t length;
    const char *value; /* after '=', or NULL */
} option_word;

static option_word split_word(const char *word)
{
    option_word option = {word + 2, strcspn(word + 2, "="), NULL};
    if (word[2 + option.length] == '=')
        option.value = word + 2 + option.length + 1;
    return option;
}

/* Not options are "-" (standard input) and numbers such as "-1". */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !isdigit((unsigned char)word[1]);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static const cli_option *find_own(const cli_syntax *syntax, const option_word *option)
{
    for (size_t i = 0; i < syntax->option_count; i++)
        if (same_name(syntax->options[i].name, option->name, option->length))
            return &syntax->options[i];
    return NULL;
}

static const tm_param_info *find_param(tm_params *params, const option_word *option)
{
    for (size_t i = 0; params && i < tm_params_count(params); i++)
        if (same_name(tm_params_info(params, i)->name, option->name, option->length))
            return tm_params_info(params, i);
    return NULL;
}

static bool takes_value(const cli_syntax *syntax, const option_word *option)
{
    const cli_option *own = find_own(syntax, option);
    return own ? !own->flag : !same_name("quiet", option->name, option->length);
}

/* ---- hints --------------------------------------------------------------------------------- */

typedef struct name_list {
    const cli_syntax *syntax;
    const tm_params *common;
} name_list;

/* Enumerates the known names for text_closest. */
static const char *known_name(size_t i, const void *payload)
{
    const name_list *list = payload;
    if (i < list->syntax->option_count)
        return list->syntax->options[i].name;
    i -= list->syntax->option_count;
    for (size_t set = 0; set <= CLI_PARAM_SETS; set++) {
        const tm_params *params = set < CLI_PARAM_SETS ? list->syntax->params[set] : list->common;
        size_t count = params ? tm_params_count(params) : 0;
        if (i < count)
            return tm_params_info(params, i)->name;
        i -= count;
    }
    return i == 0 ? "quiet" : i == 1 ? "help" : NULL;
}

static tm_status fail_unknown(const cli_syntax *syntax, const cli_context *context,
                              const option_word *option, tm_error *err)
{
    char typed[64], shown[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(option->length < 60 ? option->length : 60),
             option->name);
    for (char *c = typed; *c; c++)
        *c = *c == '-' ? '_' : *c;
    name_list list = {syntax, context->common};
    const char *close = text_closest(typed, known_name, &list);
    int length = (int)(option->length < 60 ? option->length : 60);
    if (!close)
        return tm_fail(err, TM_EUSAGE, "unknown option '--%.*s'; see 'tamis %s%s--help'", length,
                       option->name, syntax->command ? syntax->command : "",
                       syntax->command ? " " : "");
    describe_option(close, shown, sizeof shown);
    return tm_fail(err, TM_EUSAGE, "unknown option '--%.*s'; did you mean '--%s'?", length,
                   option->name, shown);
}

/* ---- reading argv -------------------------------------------------------------------------- */

static tm_status set_flag(const option_word *option, bool *flag, tm_error *err)
{
    if (option->value)
        return tm_fail(err, TM_EUSAGE, "option '--%.*s' takes no value", (int)option->length,
                       option->name);
    *flag = true;
    return TM_OK;
}

static tm_status apply(const cli_syntax *syntax, cli_context *context, const option_word *option,
                       const char *value, tm_error *err)
{
    const cli_option *own = find_own(syntax, option);
    if (own && own->flag)
        return set_flag(option, own->flag, err);
    if (own) {
        *own->text = value;
        return TM_OK;
    }
    if (same_name("quiet", option->name, option->length))
        return set_flag(option, &context->quiet, err);
    tm_status status = TM_EUSAGE;
    bool found = false;
    /* A name in a table of the command and in the common table (seed) is one option that sets both;
     * of two tables of the command (features, of a method and of the reader), the first one gets
     * it. */
    for (size_t set = 0; set <= CLI_PARAM_SETS; set++) {
        tm_params *params = set < CLI_PARAM_SETS ? syntax->params[set] : context->common;
        const tm_param_info *info = find_param(params, option);
        if (!info || (found && set < CLI_PARAM_SETS))
            continue;
        found = true;
        status = tm_params_set_text(params, info->name, value, err);
        if (status != TM_OK)
            return status;
    }
    return found ? status : fail_unknown(syntax, context, option, err);
}

/* The words that remain to be read. */
typedef struct word_queue {
    int argc;
    char **argv;
    int at; /* the current word */
} word_queue;

/* The value of the option at words->at, from the same word, or from the next one, which is then
 * consumed. */
static tm_status value_of(const cli_syntax *syntax, const cli_context *context,
                          const option_word *option, word_queue *words, const char **value,
                          tm_error *err)
{
    *value = option->value;
    if (option->value || !takes_value(syntax, option))
        return TM_OK;
    if (words->at + 1 < words->argc && strncmp(words->argv[words->at + 1], "--", 2) != 0) {
        *value = words->argv[++words->at];
        return TM_OK;
    }
    bool known = find_own(syntax, option) || find_param(context->common, option);
    for (size_t set = 0; set < CLI_PARAM_SETS; set++)
        known = known || find_param(syntax->params[set], option);
    if (!known)
        return fail_unknown(syntax, context, option, err);
    return tm_fail(err, TM_EUSAGE, "option '--%.*s' needs a value", (int)option->length,
                   option->name);
}

static tm_status check_store(const cli_syntax *syntax, const cli_context *context, tm_error *err)
{
    if (!syntax->no_store || !tm_params_given(context->common, "store"))
        return TM_OK;
    return tm_fail(err, TM_EUSAGE, "'--store' is not for 'tamis %s': it has no runs",
                   syntax->command);
}

/* Whether a word among a script's arguments is an option of the program. */
static bool is_known(const cli_syntax *syntax, const cli_context *context, const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return false;
    option_word option = split_word(word);
    return option.length == 0 || find_own(syntax, &option) ||
           find_param(context->common, &option) || same_name("quiet", option.name, option.length);
}

tm_status cli_parse(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
                    cli_arguments *out, tm_error *err)
{
    static char short_out[] = "--out";
    *out = (cli_arguments){argv + 1, 0, false};
    word_queue words = {argc, argv, 1};
    for (; words.at < argc; words.at++) {
        char *word = argv[words.at];
        bool argument = syntax->script && out->count > 0 && !is_known(syntax, context, word);
        if (argument || !is_option(word)) {
            if (syntax->stop)
                break;
            out->words[out->count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            words.at++;
            break;
        }
        if (is_help(word)) {
            out->help = true;
            return TM_OK;
        }
        if (strcmp(word, "-o") == 0 && find_own(syntax, &(option_word){"out", 3, NULL}))
            word = short_out; /* the short name that users expect */
        if (word[1] != '-')
            return tm_fail(err, TM_EUSAGE, "unknown option '%.60s': options begin with '--'", word);
        option_word option = split_word(word);
        const char *value;
        tm_status status = value_of(syntax, context, &option, &words, &value, err);
        if (status == TM_OK)
            status = apply(syntax, context, &option, value, err);
        if (status != TM_OK)
            return status;
    }
    /* If no word precedes the end of the options, argv stays unchanged. */
    if (out->count == 0)
        out->words = argv + words.at;
    for (; words.at < argc; words.at++)
        out->words[out->count++] = argv[words.at];
    return check_store(syntax, context, err);
}

static const char *only_name(size_t i, const void *payload)
{
    return i == 0 ? payload : NULL;
}

int cli_missing(const cli_syntax *syntax, int argc, char **argv, const char *name,
                const char *otherwise)
{
    for (int i = 1; i < argc; i++) {
        char word[32] = "";
        if (strncmp(argv[i], "--", 2) == 0)
            snprintf(word, sizeof word, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
        if (word[0] && strcmp(word, name) != 0 && text_closest(word, only_name, name))
            return cli_usage(syntax->command, "unknown option '--%s'; did you mean '--%s'?", word,
                             name);
    }
    return cli_usage(syntax->command, "%s", otherwise);
}

const char *cli_peek(const cli_syntax *syntax, int argc, char **argv, const char *name)
{
    const char *found = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!is_option(argv[i]) || is_help(argv[i]) || argv[i][1] != '-')
            continue;
        option_word option = split_word(argv[i]);
        bool next = !option.value && takes_value(syntax, &option) && i + 1 < argc &&
                    strncmp(argv[i + 1], "--", 2) != 0;
        const char *value = next ? argv[++i] : option.value;
        if (same_name(name, option.name, option.length))
            found = value;
    }
    return found;
}

/* ---- help ---------------------------------------------------------------------------------- */

static const tm_choice boolean_choices[] = {{"true", ""}, {"false", ""}, {NULL, NULL}};

static cli_option_row row_of(const char *section, const char *name, const char *value,
                             const char *help)
{
    cli_option_row row = {.section = section, .help = help};
    describe_option(name, row.name, sizeof row.name);
    snprintf(row.value, sizeof row.value, "%s", value ? value : "");
    return row;
}

/* The callback for the rows, and its payload. */
typedef struct row_target {
    void (*use)(const cli_option_row *row, void *payload);
    void *payload;
} row_target;

static void each_param(const char *section, const tm_params *params, const char *but,
                       const row_target *target)
{
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const tm_param_info *info = tm_params_info(params, i);
        if (but && strcmp(info->name, but) == 0)
            continue;
        cli_option_row row = row_of(section, info->name, NULL, info->help);
        describe_value(info, row.value, sizeof row.value);
        describe_limits(info, row.limits, sizeof row.limits);
        row.choices = info->type == TM_PARAM_BOOL ? boolean_choices : info->choices;
        row.open = info->type == TM_PARAM_TEXT;
        target->use(&row, target->payload);
    }
}

void cli_each_option(const cli_syntax *syntax, const cli_context *context,
                     void (*use)(const cli_option_row *row, void *payload), void *payload)
{
    static const char common[] = "common options";
    const row_target target = {use, payload};
    for (size_t i = 0; i < syntax->option_count; i++) {
        const cli_option *option = &syntax->options[i];
        cli_option_row row = row_of("options", option->name, option->value, option->help);
        use(&row, payload);
    }
    for (size_t set = 0; set < CLI_PARAM_SETS; set++)
        if (syntax->params[set])
            each_param(syntax->params_title[set], syntax->params[set], NULL, &target);
    each_param(common, context->common, syntax->no_store ? "store" : NULL, &target);
    cli_option_row quiet = row_of(common, "quiet", NULL, quiet_help);
    use(&quiet, payload);
    cli_option_row help = row_of(common, "help", NULL, help_help);
    use(&help, payload);
}

/* `payload` is the section of the previous row. */
static void print_row(const cli_option_row *row, void *payload)
{
    enum { HELP_COLUMN = 31 };
    const char **section = payload;
    char left[256], text[1024];
    if (!*section || strcmp(*section, row->section) != 0)
        printf("\n%s:\n", row->section);
    *section = row->section;
    snprintf(left, sizeof left, "--%s%s%s", row->name, row->value[0] ? " " : "", row->value);
    printf("  %-*s", HELP_COLUMN - 2, left);
    if (strlen(left) > HELP_COLUMN - 4)
        printf("\n%*s", HELP_COLUMN, "");
    snprintf(text, sizeof text, "%s%s", row->help, row->limits);
    report_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

void cli_print_help(const cli_syntax *syntax, const cli_context *context)
{
    const char *section = NULL;
    if (context->page) {
        context->page(syntax, context, context->page_payload);
        return;
    }
    printf("usage: tamis ");
    report_wrapped(syntax->usage, 13, 13);
    putchar('\n');
    report_wrapped(syntax->summary, 0, 0);
    cli_each_option(syntax, context, print_row, &section);
}

bool cli_begin(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
               cli_arguments *out, int *done)
{
    tm_error err;
    if (cli_parse(syntax, context, argc, argv, out, &err) != TM_OK) {
        *done = cli_fail(syntax->command, &err);
        return false;
    }
    if (!out->help)
        return true;
    cli_print_help(syntax, context);
    *done = cli_finish(syntax->command, CLI_DONE);
    return false;
}
