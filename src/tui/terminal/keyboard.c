#include "tui/terminal/keyboard.h"

#include "tui/terminal/cells.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 24, PARAMETERS = 4 };

typedef struct sequence {
    const char *bytes; /* the sequence of terminfo */
    size_t length;
    int code;
} sequence;

struct keyboard {
    sequence sequences[SEQUENCES];
    size_t count;
};

keyboard *keyboard_new(void)
{
    static const struct {
        const char *capability;
        int code;
    } table[] = {
        {"kcuu1", TK_UP},     {"kcud1", TK_DOWN},    {"kcub1", TK_LEFT},
        {"kcuf1", TK_RIGHT},  {"khome", TK_HOME},    {"kend", TK_END},
        {"kpp", TK_PAGE_UP},  {"knp", TK_PAGE_DOWN}, {"kich1", TK_INSERT},
        {"kdch1", TK_DELETE}, {"kcbt", TK_BACKTAB},  {"kLFT", TK_SHIFT_LEFT},
        {"kf1", TK_F1},       {"kf2", TK_F1 + 1},    {"kRIT", TK_SHIFT_RIGHT},
    };
    keyboard *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *bytes = tigetstr(table[i].capability);
        /* Single control characters (a vt100's left arrow may be ^H) keep their own meaning. */
        if (bytes && bytes != (char *)-1 && bytes[0] == '\033' && bytes[1] != '\0')
            in->sequences[in->count++] = (sequence){bytes, strlen(bytes), table[i].code};
    }
    return in;
}

void keyboard_free(keyboard *in)
{
    free(in);
}

/* Matches a terminfo sequence at the start of bytes; sets *partial when bytes may be the beginning
 * of one. */
static size_t match_sequence(const keyboard *in, const char *bytes, size_t length, int *code)
{
    for (size_t i = 0; i < in->count; i++) {
        const sequence *s = &in->sequences[i];
        if (length >= s->length && memcmp(bytes, s->bytes, s->length) == 0) {
            *code = s->code;
            return s->length;
        }
    }
    return 0;
}

static int letter_key(char final, int modifier)
{
    switch (final) {
    case 'A':
        return TK_UP;
    case 'B':
        return TK_DOWN;
    case 'C':
        return modifier > 1 ? TK_SHIFT_RIGHT : TK_RIGHT;
    case 'D':
        return modifier > 1 ? TK_SHIFT_LEFT : TK_LEFT;
    case 'H':
        return TK_HOME;
    case 'F':
        return TK_END;
    case 'Z':
        return TK_BACKTAB;
    case 'M': /* keypad Enter in application mode */
        return TK_ENTER;
    case 'P':
    case 'Q':
    case 'R':
    case 'S':
        return TK_F1 + (final - 'P');
    default:
        return TK_NONE;
    }
}

static int tilde_key(int number)
{
    static const int keys[] = {TK_NONE,    TK_HOME,      TK_INSERT, TK_DELETE, TK_END,
                               TK_PAGE_UP, TK_PAGE_DOWN, TK_HOME,   TK_END};
    if (number >= 1 && number <= 8)
        return keys[number];
    if (number >= 11 && number <= 15)
        return TK_F1 + number - 11;
    if (number >= 17 && number <= 21)
        return TK_F1 + number - 12;
    if (number == 200)
        return TK_PASTE;
    return number == 23 || number == 24 ? TK_F1 + number - 13 : TK_NONE;
}

static int mouse_key(const int *parameters, bool press)
{
    int button = parameters[0] & ~(4 | 8 | 16);
    if (!press)
        return button == 0 ? TK_RELEASE : TK_NONE;
    if (button == 0 || button == 32)
        return button == 0 ? TK_CLICK : TK_DRAG;
    return button == 64 ? TK_WHEEL_UP : button == 65 ? TK_WHEEL_DOWN : TK_NONE;
}

/* Decodes ESC [ parameters final. */
static size_t decode_csi(const char *bytes, size_t length, bool final, key_event *key)
{
    int parameters[PARAMETERS] = {0};
    int count = 0;
    size_t i = 2;
    bool mouse = i < length && bytes[i] == '<';
    for (i += mouse ? 1 : 0; i < length && (unsigned char)bytes[i] < 0x40; i++) {
        if ((unsigned char)bytes[i] < 0x20)
            return i; /* the sequence is broken off; the control character is decoded on its own */
        if (bytes[i] == ';')
            count += count < PARAMETERS - 1 ? 1 : 0;
        else if (bytes[i] >= '0' && bytes[i] <= '9' && parameters[count] < 10000)
            parameters[count] = parameters[count] * 10 + (bytes[i] - '0');
    }
    if (i >= length)
        return final || length > 64 ? length : 0;
    char last = bytes[i];
    if (mouse) {
        key->code = mouse_key(parameters, last == 'M');
        key->col = parameters[1] - 1;
        key->row = parameters[2] - 1;
    } else if (last == '[' && i + 1 < length) { /* the Linux console's function keys */
        i++;
        key->code = bytes[i] >= 'A' && bytes[i] <= 'E' ? TK_F1 + (bytes[i] - 'A') : TK_NONE;
    } else {
        key->code = last == '~' ? tilde_key(parameters[0]) : letter_key(last, parameters[1]);
    }
    return i + 1;
}

/* Bytes of the UTF-8 character that starts with `lead`. */
static size_t utf8_length(unsigned char lead)
{
    if (lead < 0xc2)
        return 1;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
}

static size_t decode_character(const char *bytes, size_t length, bool final, key_event *key)
{
    wchar_t ch;
    if (utf8_length((unsigned char)bytes[0]) > length && !final)
        return 0;
    size_t taken = cells_decode(bytes, length, &ch);
    key->code = ch == 8 ? TK_BACKSPACE : (int)ch;
    return taken;
}

size_t keyboard_decode(const keyboard *in, const char *bytes, size_t length, bool final,
                       key_event *key)
{
    *key = (key_event){.code = TK_NONE, .row = -1, .col = -1};
    if (length == 0)
        return 0;
    if (bytes[0] != '\033')
        return decode_character(bytes, length, final, key);
    size_t taken = match_sequence(in, bytes, length, &key->code);
    if (taken > 0)
        return taken;
    if (length == 1) {
        key->code = TK_ESC;
        return final ? 1 : 0;
    }
    if (bytes[1] == '[')
        return decode_csi(bytes, length, final, key);
    if (bytes[1] == 'O' && length >= 3) {
        key->code = letter_key(bytes[2], 0);
        return 3;
    }
    if (bytes[1] == 'O' && !final)
        return 0;
    if (bytes[1] == '\033') {
        key->code = TK_ESC;
        return 1;
    }
    taken = decode_character(bytes + 1, length - 1, final, key);
    key->code += TK_ALT;
    return taken == 0 ? 0 : taken + 1;
}

void keyboard_key_name(int code, char *buffer, size_t size)
{
    static const char *const names[] = {"",     "up",      "down",     "left",      "right",
                                        "Home", "End",     "PgUp",     "PgDn",      "Ins",
                                        "Del",  "S-Tab",   "S-left",   "S-right",   "click",
                                        "drag", "release", "wheel up", "wheel down"};
    if (code >= TK_ALT) {
        char rest[24];
        keyboard_key_name(code - TK_ALT, rest, sizeof rest);
        snprintf(buffer, size, "Alt-%s", rest);
    } else if (code >= TK_F1) {
        snprintf(buffer, size, "F%d", code - TK_F1 + 1);
    } else if (code >= KEYS_BASE) {
        snprintf(buffer, size, "%s", names[code - KEYS_BASE]);
    } else if (code == TK_TAB || code == TK_ENTER || code == TK_ESC) {
        snprintf(buffer, size, "%s", code == TK_TAB ? "Tab" : code == TK_ESC ? "Esc" : "Enter");
    } else if (code == TK_BACKSPACE || code == ' ') {
        snprintf(buffer, size, "%s", code == ' ' ? "Space" : "Backspace");
    } else if (code < 32) {
        snprintf(buffer, size, "Ctrl-%c", code + 64);
    } else {
        snprintf(buffer, size, "%lc", (wint_t)code);
    }
}

static bool has_name(int code, const char *name)
{
    char text[32];
    keyboard_key_name(code, text, sizeof text);
    bool letter = strlen(text) == 1;
    return letter ? strcmp(text, name) == 0 : strcasecmp(text, name) == 0;
}

int keyboard_key_code(const char *name)
{
    for (int code = 1; code <= TK_BACKSPACE; code++)
        if (has_name(code, name))
            return code;
    for (int code = TK_NONE + 1; code <= TK_F12; code++)
        if (has_name(code, name))
            return code;
    wchar_t ch = 0;
    size_t length = strlen(name);
    size_t taken = length > 0 ? cells_decode(name, length, &ch) : 0;
    return taken == length && length > 0 && ch >= 128 ? (int)ch : TK_NONE;
}
