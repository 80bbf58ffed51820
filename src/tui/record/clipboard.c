#include "tui/record/clipboard.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the terminal supports OSC 52 or ignores it silently; others would print it. */
static bool is_known(const char *term)
{
    static const char *const known[] = {"xterm", "tmux",    "screen", "foot", "alacritty",
                                        "rxvt",  "wezterm", "kitty",  "st-",  "contour"};
    for (size_t i = 0; term && i < sizeof known / sizeof known[0]; i++)
        if (strncmp(term, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static size_t encode(const char *text, size_t length, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < length; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < length ? (unsigned char)text[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            out[used++] = i + k <= length ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return used;
}

bool clipboard_copy(int fd, const char *text)
{
    static const char begin[] = "\033]52;c;", end[] = "\a";
    size_t length = strlen(text), used = sizeof begin - 1;
    char *all = is_known(getenv("TERM")) && fd >= 0
                    ? malloc(sizeof begin + sizeof end + 4 * (length / 3 + 1))
                    : NULL;
    if (!all)
        return false;
    memcpy(all, begin, used);
    used += encode(text, length, all + used);
    memcpy(all + used, end, sizeof end - 1);
    used += sizeof end - 1;
    bool sent = true;
    for (size_t done = 0; sent && done < used;) {
        ssize_t got = write(fd, all + done, used - done);
        sent = got > 0;
        done += sent ? (size_t)got : 0;
    }
    free(all);
    return sent;
}
