#include "tui/prompt/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_LINES = 2000 };

/* readline's hooks have no user data argument. */
static prompt *the_prompt;

/* ---- hooks --------------------------------------------------------------------------------- */

static int read_byte(FILE *stream)
{
    (void)stream;
    if (the_prompt->length == 0)
        return EOF;
    the_prompt->length--;
    return (unsigned char)*the_prompt->bytes++;
}

static int bytes_left(void)
{
    return the_prompt->length > 0;
}

/* Nothing to do: the prompt is drawn with the screen. */
static void no_redisplay(void)
{
}

static void free_list(prompt *p)
{
    for (size_t i = 0; i < p->list_count; i++)
        free(p->list[i]);
    free(p->list);
    p->list = NULL;
    p->list_count = 0;
}

static size_t common_prefix(char **words)
{
    size_t length = strlen(words[0]);
    for (size_t i = 1; words[i]; i++) {
        size_t same = 0;
        while (same < length && words[i][same] == words[0][same])
            same++;
        length = same;
    }
    while (length > 0 && (words[0][length] & 0xc0) == 0x80)
        length--; /* never half a character */
    return length;
}

void prompt_replace_word(size_t start, const char *word, size_t length)
{
    char *text = strndup(word, length);
    if (!text)
        return;
    rl_begin_undo_group();
    rl_delete_text((int)start, rl_point);
    rl_point = (int)start;
    rl_insert_text(text);
    rl_end_undo_group();
    free(text);
}

/* Tab inserts the longest common prefix, and shows the list when several completions remain. */
static int complete_word(int count, int key)
{
    (void)count;
    (void)key;
    prompt *p = the_prompt;
    size_t start = 0;
    free_list(p);
    const prompt_hooks *h = &p->hooks;
    size_t at = (size_t)rl_point;
    char **words = !p->done     ? h->complete(rl_line_buffer, at, &start, h->payload)
                   : h->answers ? h->answers(p->question, rl_line_buffer, at, &start, h->payload)
                                : NULL;
    if (!words || !words[0] || start > (size_t)rl_point) {
        free(words);
        return 0;
    }
    size_t length = common_prefix(words);
    if (length >= (size_t)rl_point - start)
        prompt_replace_word(start, words[0], length);
    p->list = words;
    p->list_start = start;
    p->list_at = SIZE_MAX;
    while (words[p->list_count])
        p->list_count++;
    if (p->list_count == 1)
        free_list(p);
    return 0;
}

/* Enter on an incomplete chunk adds a line to the text being edited. */
static int accept_line(int count, int key)
{
    prompt *p = the_prompt;
    if (!p->done && rl_end > 0 && p->hooks.incomplete(rl_line_buffer)) {
        rl_point = rl_end;
        rl_insert_text("\n");
        return 0;
    }
    return rl_newline(count, key);
}

static void remember(prompt *p, const char *text)
{
    HIST_ENTRY *last = history_get(history_base + history_length - 1);
    if (last && strcmp(last->line, text) == 0)
        return;
    add_history(text);
    using_history(); /* readline did this before the line was added */
    if (p->history && append_history(1, p->history) == ENOENT)
        write_history(p->history);
}

/* Empties the line and makes readline accept it, which also ends searches and resets the history
 * position: both hold saved lines and undo lists that would break if the line were replaced under
 * them. */
static void end_line(prompt *p)
{
    void (*done)(const char *, void *) = p->done;
    const char *bytes = p->bytes;
    size_t length = p->length;
    if (prompt_searching(p))
        prompt_feed(p, "\007", 1);
    rl_delete_text(0, rl_end);
    rl_point = rl_mark = 0;
    p->done = NULL;
    prompt_feed(p, "\r", 1);
    p->done = done;
    p->bytes = bytes;
    p->length = length;
}

static void end_question(prompt *p, const char *text)
{
    void (*done)(const char *, void *) = p->done;
    p->done = NULL;
    p->fresh = false;
    rl_replace_line(p->kept ? p->kept : "", 1);
    rl_point = p->kept_point <= rl_end ? p->kept_point : rl_end;
    free(p->kept);
    p->kept = NULL;
    rl_set_prompt(p->label);
    done(text, p->done_payload);
}

/* readline clears its line after this call, so the line is acted on later, in prompt_feed. */
static void line_done(char *text)
{
    free(the_prompt->finished);
    the_prompt->finished = text;
}

static void act_on_line(prompt *p)
{
    char *text = p->finished;
    p->finished = NULL;
    if (p->done) {
        end_question(p, text);
    } else if (text[strspn(text, " \t\n")] != '\0') {
        remember(p, text);
        p->hooks.accept(text, p->hooks.payload);
    }
    free(text);
}

static char **no_completion(const char *text, int start, int end)
{
    (void)text;
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1;
    return NULL;
}

static void no_matches(char **matches, int count, int longest)
{
    (void)matches;
    (void)count;
    (void)longest;
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Unbinds what crashes readline 8.2 (double free, NULL dereference) when it is fed byte by byte:
 * non-incremental searches (Alt-P, Alt-N, vi's / and ?; Ctrl-R and Ctrl-S are sound), Ctrl-O,
 * macros. */
static void unbind_unsound(void)
{
    Keymap maps[] = {emacs_standard_keymap, emacs_meta_keymap, emacs_ctlx_keymap,
                     vi_insertion_keymap, vi_movement_keymap};
    rl_command_func_t *unsound[] = {
        rl_noninc_forward_search, rl_noninc_reverse_search, rl_vi_search,
        rl_vi_search_again,       rl_operate_and_get_next,  rl_start_kbd_macro,
        rl_end_kbd_macro,         rl_call_last_kbd_macro};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        for (size_t k = 0; k < sizeof unsound / sizeof unsound[0]; k++)
            rl_unbind_function_in_map(unsound[k], maps[i]);
}

static void set_up_readline(prompt *p, FILE *input)
{
    rl_readline_name = "tamis";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_instream = input;
    rl_outstream = p->nowhere;
    rl_prep_term_function = NULL;
    rl_deprep_term_function = NULL;
    rl_getc_function = read_byte;
    rl_input_available_hook = bytes_left;
    rl_redisplay_function = no_redisplay;
    rl_completion_display_matches_hook = no_matches;
    rl_attempted_completion_function = no_completion;
    rl_initialize();
    /* Set after the user's inputrc has been read, which may set it differently. */
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("enable-bracketed-paste", "off");
    /* Ctrl-X ends a search: readline 8.2 dereferences NULL when it begins a sequence there that is
     * bound to nothing. */
    rl_variable_bind("isearch-terminators", "\\e\\C-j\\C-x");
    unbind_unsound();
    rl_bind_key('\t', complete_word);
    rl_bind_key('\r', accept_line);
    rl_bind_key('\n', accept_line);
    rl_generic_bind(ISFUNC, "\\e?", (char *)complete_word, emacs_standard_keymap);
    rl_bind_key_in_map('\t', complete_word, vi_insertion_keymap);
    rl_bind_key_in_map('\r', accept_line, vi_insertion_keymap);
    rl_bind_key_in_map('\r', accept_line, vi_movement_keymap);
}

static void load_history(const prompt *p)
{
    using_history();
    stifle_history(HISTORY_LINES);
    /* Time stamps separate entries, so that chunks of several lines come back as they were. */
    history_comment_char = '#';
    history_write_timestamps = 1;
    if (p->history) {
        history_truncate_file(p->history, HISTORY_LINES * 2);
        read_history(p->history);
    }
}

tm_status prompt_new(prompt **out, FILE *input, const char *label, const char *history,
                     const prompt_hooks *hooks, tm_error *err)
{
    prompt *p = calloc(1, sizeof *p);
    if (!p)
        return tm_fail_memory(err, "the prompt");
    p->hooks = *hooks;
    p->label = strdup(label);
    p->history = history ? strdup(history) : NULL;
    p->nowhere = fopen("/dev/null", "we");
    if (!p->label || !p->nowhere || (history && !p->history)) {
        prompt_free(p);
        return tm_fail_memory(err, "the prompt");
    }
    the_prompt = p;
    set_up_readline(p, input);
    load_history(p);
    rl_callback_handler_install(p->label, line_done);
    *out = p;
    return TM_OK;
}

void prompt_free(prompt *p)
{
    if (!p)
        return;
    if (the_prompt == p) {
        rl_callback_handler_remove();
        clear_history();
        the_prompt = NULL;
    }
    free_list(p);
    if (p->nowhere)
        fclose(p->nowhere);
    free(p->kept);
    free(p->finished);
    free(p->label);
    free(p->history);
    free(p);
}

/* Typed text replaces the suggested line; a key that moves the cursor or deletes keeps it. */
static void take_place(prompt *p, const char *text)
{
    if (p->fresh && (unsigned char)text[0] >= ' ' && text[0] != 127)
        rl_delete_text(0, rl_end);
    if (p->fresh && rl_point > rl_end)
        rl_point = rl_end;
    p->fresh = false;
}

void prompt_feed(prompt *p, const char *bytes, size_t length)
{
    free_list(p);
    if (length > 0)
        take_place(p, bytes);
    p->bytes = bytes;
    p->length = length;
    while (p->length > 0) {
        rl_callback_read_char();
        if (p->finished)
            act_on_line(p);
    }
}

void prompt_insert(prompt *p, const char *text)
{
    char *line = strdup(text);
    if (!line)
        return;
    if (prompt_searching(p))
        prompt_feed(p, "\007", 1);
    free_list(p);
    take_place(p, line);
    for (char *c = line; p->done && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    rl_begin_undo_group();
    rl_insert_text(line);
    rl_end_undo_group();
    free(line);
}

bool prompt_empty(const prompt *p)
{
    (void)p;
    return rl_end == 0 && !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
}

bool prompt_searching(const prompt *p)
{
    (void)p;
    return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG) != 0;
}

bool prompt_asking(const prompt *p)
{
    return p->done != NULL;
}

bool prompt_wants_escape(const prompt *p)
{
    return rl_editing_mode == 0 || prompt_searching(p);
}

void prompt_clear(prompt *p)
{
    free_list(p);
    end_line(p);
}

bool prompt_close_list(prompt *p)
{
    bool shown = p->list != NULL;
    free_list(p);
    return shown;
}

void prompt_ask(prompt *p, const char *label, const char *initial,
                void (*done)(const char *text, void *payload), void *payload)
{
    if (p->done)
        prompt_give_up(p);
    free_list(p);
    p->kept = strdup(rl_line_buffer ? rl_line_buffer : "");
    p->kept_point = rl_point;
    end_line(p);
    p->done = done;
    p->done_payload = payload;
    snprintf(p->question, sizeof p->question, "%s", label);
    rl_set_prompt(p->question);
    rl_replace_line(initial, 1);
    rl_point = rl_end;
    p->fresh = initial[0] != '\0';
}

void prompt_give_up(prompt *p)
{
    if (p->done) {
        end_line(p);
        end_question(p, NULL);
    }
}

/* ---- history's place ----------------------------------------------------------------------- */

static bool make_directories(char *path)
{
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = kept;
        if (!made || kept == '\0')
            return made;
    }
}

bool prompt_state_path(const char *name, char *buffer, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;
    if (state && state[0] == '/')
        length = snprintf(buffer, size, "%s/tamis", state);
    else if (home && home[0] == '/')
        length = snprintf(buffer, size, "%s/.local/state/tamis", home);
    else
        return false;
    if (length < 0 || (size_t)length + 2 + strlen(name) > size || !make_directories(buffer))
        return false;
    snprintf(buffer + length, size - (size_t)length, "/%s", name);
    return true;
}
