#include "tui/shell/keys.h"

const key_row keys_plot[] = {
    {{TK_LEFT, 'h'}, REQ_LEFT, "move the cursor left"},
    {{TK_RIGHT, 'l'}, REQ_RIGHT, "move the cursor right"},
    {{TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten times as far"},
    {{TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten times as far"},
    {{'+', '='}, REQ_ZOOM_IN, "zoom in around the cursor"},
    {{'-'}, REQ_ZOOM_OUT, "zoom out"},
    {{'['}, REQ_PAN_LEFT, "pan to the left"},
    {{']'}, REQ_PAN_RIGHT, "pan to the right"},
    {{TK_UP, 'k'}, REQ_PAN_UP, "pan up"},
    {{TK_DOWN, 'j'}, REQ_PAN_DOWN, "pan down"},
    {{'0'}, REQ_RESET, "show everything again"},
    {{'x'}, REQ_LOG_X, "horizontal axis: linear or logarithmic"},
    {{'y'}, REQ_LOG_Y, "vertical axis: linear or logarithmic"},
    {{'n'}, REQ_NEXT, "the next plot"},
    {{'N'}, REQ_PREVIOUS, "the previous plot"},
    {{'z', TK_ENTER}, REQ_ZOOM, "enlarge this plot, or show it beside the others"},
    {{'e'}, REQ_SAVE, "save it (.svg .png .pdf .txt), or its data (.csv)"},
    {{'c'}, REQ_BACK, "return the focus to the view"},
    {{0}, REQ_NONE, NULL},
};

const key_row keys_pager[] = {
    KEYS_SCROLL,
    {{'q', TK_ESC}, REQ_BACK, "close it"},
    {{0}, REQ_NONE, NULL},
};

const key_row keys_general[] = {
    {{TK_WHEEL_UP}, REQ_WHEEL_UP, NULL},
    {{TK_WHEEL_DOWN}, REQ_WHEEL_DOWN, NULL},
    {{TK_DRAG}, REQ_DRAG, NULL},
    {{TK_RELEASE}, REQ_RELEASE, NULL},
    {{'g', TK_HOME}, REQ_FIRST, "go to the first"},
    {{'G', TK_END}, REQ_LAST, "go to the last"},
#define VIEW_KEY(id, name, key, title, help) {{key}, REQ_VIEW + VIEW_##id, #name ": " title},
    VIEWS(VIEW_KEY)
#undef VIEW_KEY
        {{'|'}, REQ_SPLIT, "two views side by side, one below the other, or one view"},
    {{KEY_CTRL('W')}, REQ_OTHER, "go to the other view"},
    {{KEY_CTRL('P')}, REQ_PALETTE, "the palette: find actions by a part of their names"},
    {{TK_TAB}, REQ_VIEW_NEXT, "the next view"},
    {{TK_BACKTAB}, REQ_VIEW_PREVIOUS, "the previous view"},
    {{'>', TK_INSERT}, REQ_PROMPT, "go to the prompt, as letters do that are not bound"},
    {{KEY_CTRL('R')}, REQ_SEARCH, "search in the lines typed earlier"},
    {{','}, REQ_TIME_BACK, "back in time, all views (in view 2 of the chosen run)"},
    {{'.'}, REQ_TIME_ON, "forward in time"},
    {{';'}, REQ_TIME_PLAY, "play through the run, or stop"},
    {{'('}, REQ_TIME_SLOWER, "play slower"},
    {{')'}, REQ_TIME_FASTER, "play faster"},
    {{'y'}, REQ_SCRIPT, "the form as Lua and as a command line, to be copied"},
    {{':'}, REQ_COMMAND, "type a command (:q, :open FILE, :run FILE) or Lua"},
    {{TK_ESC, KEY_CTRL('G')}, REQ_BACK, "close what is open; leave the prompt"},
    {{KEY_CTRL('C')}, REQ_INTERRUPT, "stop what is running"},
    {{KEY_CTRL('L')}, REQ_REPAINT, "draw everything again"},
    {{KEY_CTRL('Z')}, REQ_SUSPEND, "suspend to the shell; fg returns"},
    {{'?', TK_F1}, REQ_HELP, "this help"},
    {{'q', KEY_CTRL('D')}, REQ_QUIT, "quit"},
    {{TK_CLICK}, REQ_CLICK, NULL},
    {{0}, REQ_NONE, NULL},
};

const key_row *keys_find(const key_row *rows, int key)
{
    for (; rows->request != REQ_NONE; rows++)
        for (int k = 0; k < KEYS_A_ROW; k++)
            if (rows->keys[k] != 0 && rows->keys[k] == key)
                return rows;
    return NULL;
}

const prompt_key *keys_prompt(size_t i)
{
    static const prompt_key keys[] = {
        {"Enter", "run it; an unfinished chunk gets another line"},
        {"Tab", "complete tables, parameters, choices, file names; again: walk the list"},
        {"up, down", "earlier and later lines"},
        {"Ctrl-R", "search in earlier lines"},
        {"PgUp PgDn", "read long output from where it left the screen, else scroll the view"},
        {"Ctrl-C", "stop what is running, else clear the line"},
        {"Esc", "back to the view"},
        {"Ctrl-D", "on an empty line: quit"},
    };
    return i < sizeof keys / sizeof keys[0] ? &keys[i] : NULL;
}
