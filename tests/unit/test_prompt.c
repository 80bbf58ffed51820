/* The prompt under unexpected keys: readline must survive them, and still take a line. */
#include "tests/check.h"

#include "tui/prompt/prompt.h"

#include "tamis/rng.h"

#include <stdlib.h>
#include <string.h>

/* readline forgets undo lists of history lines that are thrown away; ours to find are other leaks.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libreadline\n";
}

typedef struct fixture {
    prompt *p;
    FILE *terminal;
    char accepted[4096]; /* the last line that was taken */
} fixture;

static void on_accept(const char *text, void *payload)
{
    fixture *f = payload;
    snprintf(f->accepted, sizeof f->accepted, "%s", text);
}

static bool unfinished(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && text[length - 1] == '(';
}

static char **completions(const char *text, size_t cursor, size_t *start, void *payload)
{
    (void)text;
    (void)payload;
    char **words = calloc(3, sizeof *words);
    assert_non_null(words);
    words[0] = strdup("ab");
    words[1] = strdup("ac");
    *start = cursor;
    return words;
}

static void on_answer(const char *text, void *payload)
{
    (void)text;
    (void)payload;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    prompt_hooks hooks = {on_accept, unfinished, completions, NULL, f};
    tm_error err = TM_ERROR_INIT;
    assert_non_null(f);
    f->terminal = fopen("/dev/null", "r");
    assert_non_null(f->terminal);
    assert_int_equal(prompt_new(&f->p, f->terminal, "tm> ", NULL, &hooks, &err), TM_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    prompt_free(f->p);
    fclose(f->terminal);
    free(f);
    return 0;
}

static void press(fixture *f, const char *keys)
{
    prompt_feed(f->p, keys, strlen(keys));
}

static void takes_a_line(fixture *f)
{
    prompt_give_up(f->p);
    prompt_clear(f->p);
    f->accepted[0] = '\0';
    press(f, "print(1)\r");
    assert_string_equal(f->accepted, "print(1)");
}

/* Ctrl-X in a search, with what is bound after it and what is not. */
static void sequences_in_a_search(void **state)
{
    static const char *const keys[] = {"\x12\x18)",
                                       ("\x13\x18"
                                        "e"),
                                       "\x12\x18*", "\x13xy\x18\x15"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        press(*state, keys[i]);
        takes_a_line(*state);
    }
}

/* Questions and clearing while a line of the history is edited leave the history as it was. */
static void questions_leave_the_history(void **state)
{
    fixture *f = *state;
    press(f, "one\rtwo\r");
    press(f, "\x10\x10x");
    prompt_ask(f->p, "file: ", "initial", on_answer, NULL);
    press(f, "\x10y");
    prompt_give_up(f->p);
    prompt_clear(f->p);
    press(f, "\x10\r");
    assert_string_equal(f->accepted, "two");
    press(f, "\x10\x10\r");
    assert_string_equal(f->accepted, "one");
}

static void storms_are_survived(void **state)
{
    static const char *const keys[] = {
        "\x1b[A",   "\x1b[B", "\x10",  "\x0e",  "\r",    "\r",       "\x12",  "\x13",
        "\x07",     "\x0f",   "\x1f",  "\x15",  "\x0b",  "\x19",     "\x17",  "\x14",
        "\x1b<",    "\x1b>",  "\x1b.", "\x1br", "\x1bp", "\x1bn",    "\x01",  "\x05",
        "\x7f",     "\x08",   "\x04x", "a",     "b",     "print(1)", "x(",    "\x18\x15",
        "\x1b\x08", "\x1by",  "\x1b#", "\x1bu", "\x18(", "\x18)",    "\x1b_", "\t"};
    fixture *f = *state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        for (int k = 0; k < 1500; k++) {
            uint64_t kind = tm_rng_below(&rng, 100);
            if (kind < 92)
                press(f, keys[tm_rng_below(&rng, sizeof keys / sizeof keys[0])]);
            else if (kind < 94)
                prompt_clear(f->p);
            else if (kind < 97)
                prompt_ask(f->p, "file: ", "initial", on_answer, NULL);
            else
                prompt_give_up(f->p);
        }
        takes_a_line(f);
    }
}

RUN_TESTS_WITH(set_up, tear_down, sequences_in_a_search, questions_leave_the_history,
               storms_are_survived)
