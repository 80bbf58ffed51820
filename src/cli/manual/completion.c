#include "cli/manual/completion.h"

#include "base/params/words.h"
#include "cli/common/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A candidate for completion, for any shell. */
typedef struct candidate {
    const char *command, *method; /* where it applies; NULL as in completion_scope */
    const char *name;             /* name of the option; NULL: the words themselves */
    bool value;                   /* the option takes a value */
    const char *words;            /* the possible words, separated by spaces, FILE among them: file
                                   * names beside them; "": file names */
    const char *help;
} candidate;

struct completion_shell {
    const char *name;
    const char *begin, *end;
    void (*row)(const candidate *c);
};

/* ---- bash and zsh: a table that a function of the shell looks up --------------------------- */

static void table_row(const candidate *c)
{
    printf("%s%s%s|%s|%s|%s|", c->command ? c->command : "tamis", c->method ? ":" : "",
           c->method ? c->method : "", c->name ? c->name : "", c->value || !c->name ? "value" : "",
           c->words);
    for (const char *help = c->help; *help; help++)
        putchar(*help == '|' ? '/' : *help);
    putchar('\n');
}

/* In both functions, the first word that is not an option is the command, and the word after
 * --method is the method; an option that takes a value is completed by its words, or by file
 * names. After a word that ends with a colon its value goes on, with a file's name. */
static const char bash_begin[] =
    "# Completion of tamis for bash, made from its tables by 'tamis help --as bash'.\n"
    "_tamis_rows() {\n    cat <<'END'\n";
static const char bash_end[] =
    "END\n}\n"
    "_tamis() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} last= command=tamis method= open= i word\n"
    "    local scope name value words help options= found=\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        [[ $word == '=' ]] && continue\n"
    "        if [[ $open ]]; then\n"
    "            [[ $open == method ]] && method=$word\n"
    "            open=\n"
    "        elif [[ $word == --* ]]; then\n"
    "            last=${word#--}\n"
    "            _tamis_rows | grep -q \"^$command\\(:[^|]*\\)\\?|$last|value|\" && open=$last\n"
    "        elif [[ $command == tamis ]] && _tamis_rows | grep -q \"^$word|\"; then\n"
    "            command=$word\n"
    "        fi\n"
    "    done\n"
    "    [[ $cur == '=' || $cur == ':' ]] && cur=\n"
    "    while IFS='|' read -r scope name value words help; do\n"
    "        [[ $scope == \"$command\" || $scope == \"$command:$method\" ]] || continue\n"
    "        if [[ $open ]]; then\n"
    "            [[ $name == \"$open\" ]] && found=$words\n"
    "        elif [[ $cur == -* ]]; then\n"
    "            [[ $name ]] && options+=\" --$name\"\n"
    "        elif [[ ! $name ]]; then\n"
    "            found+=\" $words\"\n"
    "        fi\n"
    "    done < <(_tamis_rows)\n"
    "    COMPREPLY=($(compgen -W \"$options${found%FILE}\" -- \"$cur\"))\n"
    "    [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null\n"
    "    if [[ $cur != -* && ( $open && ( ! $found || $found == *FILE ) || ! $open ) ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -F _tamis tamis\n";

static const char zsh_begin[] =
    "#compdef tamis\n"
    "# Completion of tamis for zsh, made from its tables by 'tamis help --as zsh'.\n"
    "_tamis_rows() {\n    cat <<'END'\n";
static const char zsh_end[] =
    "END\n}\n"
    "_tamis() {\n"
    "    local cur=${words[CURRENT]} command=tamis method open word scope name value list help\n"
    "    local -a options found rows\n"
    "    local i\n"
    "    rows=(\"${(@f)$(_tamis_rows)}\")\n"
    "    for ((i = 2; i < CURRENT; i++)); do\n"
    "        word=${words[i]}\n"
    "        if [[ -n $open ]]; then\n"
    "            [[ $open == method ]] && method=$word\n"
    "            open=\n"
    "        elif [[ $word == --method=* ]]; then\n"
    "            method=${word#*=}\n"
    "        elif [[ $word == --*=* ]]; then\n"
    "            :\n"
    "        elif [[ $word == --* ]]; then\n"
    "            [[ -n ${(M)rows:#$command(|:[^|]#)\\|${word#--}\\|value\\|*} ]] && "
    "open=${word#--}\n"
    "        elif [[ $command == tamis && -n ${(M)rows:#$word\\|*} ]]; then\n"
    "            command=$word\n"
    "        fi\n"
    "    done\n"
    "    for word in $rows; do\n"
    "        IFS='|' read -r scope name value list help <<<\"$word\"\n"
    "        [[ $scope == $command || $scope == $command:$method ]] || continue\n"
    "        if [[ -n $open ]]; then\n"
    "            [[ $name == $open ]] && found=(${=list})\n"
    "        elif [[ -n $name ]]; then\n"
    "            options+=(\"--$name:$help\")\n"
    "        else\n"
    "            found+=(${=list})\n"
    "        fi\n"
    "    done\n"
    "    if [[ -n $open ]]; then\n"
    "        if [[ -n $cur && $cur == *:* && -n ${found[(r)FILE]} ]]; then\n"
    "            compset -P '*:'\n"
    "            _files\n"
    "        elif [[ -n ${found[(r)FILE]} ]]; then\n"
    "            compadd -S '' -- ${(M)found:#*:}\n"
    "            compadd -- ${${found:#*:}:#FILE}\n"
    "            _files\n"
    "        elif (( $#found )); then\n"
    "            compadd -a found\n"
    "        else\n"
    "            _files\n"
    "        fi\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _describe option options\n"
    "    else\n"
    "        compadd -a found\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "if [[ $funcstack[1] == _tamis ]]; then _tamis \"$@\"; else compdef _tamis tamis; fi\n";

/* ---- fish ---------------------------------------------------------------------------------- */

static void put_fish(const char *text, size_t length)
{
    putchar('\'');
    for (const char *at = text; at < text + length; at++)
        printf(*at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
    putchar('\'');
}

static void fish_row(const candidate *c)
{
    printf("complete -c tamis -n '__tamis_at %s %s'", c->command ? c->command : "tamis",
           c->method ? c->method : "''");
    if (c->name)
        printf(" -l %s", c->name);
    size_t length = strlen(c->words);
    bool files = length > 4 && strcmp(c->words + length - 4, "FILE") == 0;
    if (c->name && c->value)
        fputs(files ? " -r -F" : length > 0 ? " -x" : " -r", stdout);
    if (length > 0) {
        fputs(" -a ", stdout);
        put_fish(c->words, files ? length - 5 : length);
    }
    if (c->help[0]) {
        fputs(" -d ", stdout);
        put_fish(c->help, strlen(c->help));
    }
    putchar('\n');
}

static const char fish_begin[] =
    "# Completion of tamis for fish, made from its tables by 'tamis help --as fish'.\n"
    "function __tamis_at --argument-names command method\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    set -l first\n"
    "    set -l chosen\n"
    "    for i in (seq (count $words))\n"
    "        if string match -q -- '--method=*' $words[$i]\n"
    "            set chosen (string replace -- '--method=' '' $words[$i])\n"
    "        else if test $words[$i] = --method; and test $i -lt (count $words)\n"
    "            set chosen $words[(math $i + 1)]\n"
    "        end\n"
    "        if test -z \"$first\"; and contains -- $words[$i] $__tamis_commands\n"
    "            set first $words[$i]\n"
    "        end\n"
    "    end\n"
    "    test \"$command\" = tamis; and set command ''\n"
    "    test \"$first\" = \"$command\"; or return 1\n"
    "    test -z \"$method\"; or test \"$method\" = \"$chosen\"\n"
    "end\n";

static const completion_shell shells[] = {
    {"bash", bash_begin, bash_end, table_row},
    {"zsh", zsh_begin, zsh_end, table_row},
    {"fish", fish_begin, "", fish_row},
};

const completion_shell *completion_find(const char *name)
{
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, name) == 0)
            return &shells[i];
    return NULL;
}

void completion_begin(const completion_shell *shell, const char *commands)
{
    fputs(shell->begin, stdout);
    if (shell->row == fish_row)
        printf("set -g __tamis_commands %s\n", commands);
}

void completion_end(const completion_shell *shell)
{
    fputs(shell->end, stdout);
}

/* ---- what there is to type ----------------------------------------------------------------- */

static const char *words_of(const completion_scope *scope, const char *placeholder, size_t length)
{
    for (const completion_words *w = scope->words; w->placeholder; w++)
        if (strlen(w->placeholder) == length && memcmp(w->placeholder, placeholder, length) == 0)
            return w->words;
    return "";
}

static void join(char *buffer, size_t size, const char *word, size_t length)
{
    size_t used = strlen(buffer);
    if (length > 0)
        snprintf(buffer + used, size - used, "%s%.*s", used ? " " : "", (int)length, word);
}

static void option_row(const cli_option_row *row, void *payload)
{
    const completion_scope *scope = payload;
    char words[2048] = "";
    if (row->choices)
        for (const tm_choice *c = row->choices; c->name; c++)
            join(words, sizeof words, c->name, row->open ? word_length(c) : strlen(c->name));
    else
        snprintf(words, sizeof words, "%s", words_of(scope, row->value, strlen(row->value)));
    if (row->choices && row->open)
        join(words, sizeof words, "FILE", 4);
    const candidate c = {scope->command,        scope->method, row->name,
                         row->value[0] != '\0', words,         row->help};
    scope->shell->row(&c);
}

/* Adds the first words of the alternatives after the command's name: "[list | show ID]" gives list
 * and show, "[M]" the words for which M stands. */
static void usage_row(const cli_syntax *syntax, const completion_scope *scope)
{
    char words[4096] = "";
    const char *at = scope->command ? syntax->usage + strlen(scope->command) : syntax->usage;
    for (const char *end = at + strlen(at); at < end;) {
        at += strspn(at, " [|");
        size_t length = strcspn(at, " ]|.");
        if (islower((unsigned char)at[0]))
            join(words, sizeof words, at, length);
        else {
            const char *known = words_of(scope, at, length);
            join(words, sizeof words, known, strlen(known));
        }
        at += strcspn(at, "|");
    }
    const candidate c = {scope->command, NULL, NULL, false, words, ""};
    if (words[0])
        scope->shell->row(&c);
}

void completion_page(const cli_syntax *syntax, const cli_context *context, void *payload)
{
    completion_scope *scope = payload;
    if (!scope->method)
        usage_row(syntax, scope);
    cli_each_option(syntax, context, option_row, scope);
}
