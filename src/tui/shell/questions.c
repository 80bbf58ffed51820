/* Questions that views ask through the program: for a file's name, and for confirmation. */
#include "tui/shell/state.h"

#include <readline/tilde.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- yes or no ----------------------------------------------------------------------------- */

static void answered(const char *text, void *payload)
{
    app *a = payload;
    bool yes = text && text[0] == 'y';
    a->question.confirm.open = false;
    if (yes)
        a->question.confirm.act(a->question.confirm.payload);
    else
        app_message(a, STYLE_NORMAL, "nothing was changed");
}

void app_confirm(app *a, const char *question, void (*act)(void *payload), void *payload)
{
    char label[80];
    snprintf(label, sizeof label, "%.60s (y/n) ", question);
    app_ask(a, label, "", answered, a);
    a->question.confirm.act = act;
    a->question.confirm.payload = payload;
    a->question.confirm.open = true;
}

bool questions_key(app *a, int key)
{
    if (!a->question.confirm.open)
        return false;
    bool no = key == 'n' || key == 'N' || key == 'q' || key == TK_ENTER || key == TK_ESC ||
              key == KEY_CTRL('C') || key == KEY_CTRL('D') || key == KEY_CTRL('G');
    if (key == 'y' || key == 'Y')
        prompt_feed(a->prompt, "y\r", 2);
    else if (no)
        prompt_give_up(a->prompt);
    if (!prompt_asking(a->prompt))
        app_stop_typing(a);
    return true;
}

/* ---- files --------------------------------------------------------------------------------- */

static void write_now(void *payload)
{
    app *a = payload;
    tm_error err = TM_ERROR_INIT;
    if (a->question.save.write(a->question.save.path, a->question.save.payload, &err) == TM_OK)
        app_message(a, STYLE_GOOD, "saved as %s", a->question.save.path);
    app_error(a, &err);
}

static void named(const char *text, void *payload)
{
    app *a = payload;
    if (!text || text[0] == '\0')
        return;
    char *path = tilde_expand(text);
    int length = snprintf(a->question.save.path, sizeof a->question.save.path, "%s", path);
    free(path);
    if (length < 0 || (size_t)length >= sizeof a->question.save.path) {
        app_message(a, STYLE_ERROR, "this name is too long");
    } else if (access(a->question.save.path, F_OK) == 0) {
        char question[80];
        const char *slash = strrchr(a->question.save.path, '/');
        snprintf(question, sizeof question, "%.40s is there already: replace it?",
                 slash ? slash + 1 : a->question.save.path);
        app_confirm(a, question, write_now, a);
    } else {
        write_now(a);
    }
}

void app_save(app *a, const char *label, const char *suggestion, app_writer *write, void *payload)
{
    a->question.save.write = write;
    a->question.save.payload = payload;
    app_ask(a, label, suggestion, named, a);
}

void app_save_as(app *a, const char *path, app_writer *write, void *payload)
{
    a->question.save.write = write;
    a->question.save.payload = payload;
    named(path, a);
}
