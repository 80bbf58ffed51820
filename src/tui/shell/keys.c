#include "tui/shell/keys.h"

#include "tui/terminal/keyboard.h"

#define IN(view) (1u << VIEW_##view)
#define PLOT (1u << CONTEXT_PLOT)
#define PAGER (1u << CONTEXT_PAGER)
/* The views that have plots. */
#define PLOTTED (IN(EXPLORE) | IN(PATH) | IN(SCREEN) | IN(PLOTS))
/* The views that choose a row. */
#define LISTS (IN(EXPLORE) | IN(RUNS) | IN(PATH) | IN(SCREEN) | IN(DATA))
#define CTRL(letter) ((letter)-64)

/* A view's own meaning of a key comes before a general one. Letters that Lua lines often begin with
 * (a, b, d, f, h, i, l, m, p, r, s, t, w) stay free, so that typing them starts the prompt. */
static const key_row table[] = {
    {LISTS, {TK_UP, 'k'}, REQ_UP, "choose the row above"},
    {LISTS, {TK_DOWN, 'j'}, REQ_DOWN, "choose the row below"},
    {IN(EXPLORE), {TK_LEFT, '-'}, REQ_LEFT, "less, or the choice before; solves at once"},
    {IN(EXPLORE), {TK_RIGHT, '+', '='}, REQ_RIGHT, "more, or the next choice; solves at once"},
    {IN(EXPLORE), {TK_SHIFT_LEFT, '['}, REQ_LESS, "much less (ten steps)"},
    {IN(EXPLORE), {TK_SHIFT_RIGHT, ']'}, REQ_MORE, "much more (ten steps)"},
    {IN(EXPLORE), {TK_ENTER}, REQ_EDIT, "type the value"},
    {IN(EXPLORE), {TK_DELETE, TK_BACKSPACE}, REQ_UNSET, "back to the default"},
    {IN(EXPLORE), {'z'}, REQ_ZOOM, "one plot large: the next one at every press"},
    {IN(EXPLORE), {'x'}, REQ_LOG_TIME, "time axis: linear or logarithmic"},
    {IN(EXPLORE), {'0'}, REQ_COLD, "solve again from zero, not from the last answer"},
    {IN(EXPLORE), {'o'}, REQ_USE, "explore the data set that the script loaded last"},
    {IN(EXPLORE), {' '}, REQ_PAUSE, "pause or go on"},
    {IN(RUNS), {'c'}, REQ_CANCEL, "cancel the run"},
    {IN(RUNS), {TK_DELETE}, REQ_DELETE, "delete the run, or all that are marked"},
    {IN(RUNS), {'u'}, REQ_UNDO, "undo the last deletion"},
    {IN(RUNS), {'x'}, REQ_MARK, "mark the run: the explore view draws the marked ones"},
    {IN(RUNS), {TK_BACKSPACE}, REQ_UNSET, "take all marks off"},
    {IN(RUNS), {'o'}, REQ_ORDER, "sort by the next column"},
    {IN(RUNS), {'O'}, REQ_REVERSE, "sort the other way round"},
    {IN(RUNS), {'/'}, REQ_FIND, "show those that match a regular expression alone"},
    {IN(RUNS), {' '}, REQ_PAUSE, "pause the run, or go on"},
    {IN(RUNS), {TK_ENTER}, REQ_SHOW_PATH, "show the run: a path in the path view, else its steps"},
    {IN(RUNS), {'v'}, REQ_SHOW_SCREEN, "show the run in the screen view"},
    {IN(PATH), {TK_LEFT, 'h'}, REQ_LEFT, "the cursor to the next smaller lambda"},
    {IN(PATH), {TK_RIGHT, 'l'}, REQ_RIGHT, "the cursor to the next greater lambda"},
    {IN(PATH), {TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten lambdas smaller"},
    {IN(PATH), {TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten lambdas greater"},
    {IN(PATH), {TK_ENTER, 'z'}, REQ_ALONE, "the chosen feature's line alone, or with the others"},
    {IN(PATH), {' '}, REQ_MARK, "mark the feature, or take the mark off"},
    {IN(PATH), {TK_DELETE, TK_BACKSPACE}, REQ_UNSET, "take all marks off"},
    {IN(PATH), {'e'}, REQ_SAVE, "save the marked features (or all at the cursor) as CSV"},
    {IN(PATH), {'o'}, REQ_USE, "another path: the form's, then those of scripts"},
    {IN(DATA), {'o'}, REQ_ORDER, "order by |correlation|, or as in the data"},
    {IN(DATA), {'/'}, REQ_FIND, "find a feature by a part of its name"},
    {IN(DATA), {'n'}, REQ_NEXT, "find the next one"},
    {IN(SCREEN), {TK_LEFT, 'h'}, REQ_LEFT, "a step back"},
    {IN(SCREEN), {TK_RIGHT, 'l'}, REQ_RIGHT, "a step on"},
    {IN(SCREEN), {TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten steps back"},
    {IN(SCREEN), {TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten steps on"},
    {IN(SCREEN), {'g', TK_HOME}, REQ_FIRST, "to the first step"},
    {IN(SCREEN), {'G', TK_END}, REQ_LAST, "to the last step"},
    {IN(SCREEN), {' '}, REQ_PAUSE, "play, or stop"},
    {IN(SCREEN), {'+', '='}, REQ_FASTER, "play faster"},
    {IN(SCREEN), {'-'}, REQ_SLOWER, "play slower"},
    {IN(SCREEN), {'v'}, REQ_STRATEGY, "the same problem by the next strategy"},
    {IN(SCREEN), {'o'}, REQ_USE, "another run: the form's, then those of scripts"},
    {PLOTTED, {'c'}, REQ_PLOT, "keys to a plot: cursor, zoom, pan, save; Esc ends it"},
    {PLOT, {TK_LEFT, 'h'}, REQ_LEFT, "the cursor to the left"},
    {PLOT, {TK_RIGHT, 'l'}, REQ_RIGHT, "the cursor to the right"},
    {PLOT, {TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten times as far"},
    {PLOT, {TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten times as far"},
    {PLOT, {'+', '='}, REQ_ZOOM_IN, "zoom in around the cursor"},
    {PLOT, {'-'}, REQ_ZOOM_OUT, "zoom out"},
    {PLOT, {'['}, REQ_PAN_LEFT, "pan to the left"},
    {PLOT, {']'}, REQ_PAN_RIGHT, "pan to the right"},
    {PLOT, {TK_UP, 'k'}, REQ_PAN_UP, "pan up"},
    {PLOT, {TK_DOWN, 'j'}, REQ_PAN_DOWN, "pan down"},
    {PLOT, {'0'}, REQ_RESET, "everything again"},
    {PLOT, {'x'}, REQ_LOG_X, "horizontal axis: linear or logarithmic"},
    {PLOT, {'y'}, REQ_LOG_Y, "vertical axis: linear or logarithmic"},
    {PLOT, {'n'}, REQ_NEXT, "the next plot"},
    {PLOT, {'N'}, REQ_PREVIOUS, "the plot before"},
    {PLOT, {'z', TK_ENTER}, REQ_ZOOM, "this plot large, or beside the others"},
    {PLOT, {'e'}, REQ_SAVE, "save it as shown (.svg .png .pdf .txt), or its data (.csv)"},
    {PLOT, {'c'}, REQ_BACK, "back to the view's own keys"},
    {IN(PLOTS), {TK_LEFT, '-', TK_PAGE_UP}, REQ_LEFT, "the plot before"},
    {IN(PLOTS), {TK_RIGHT, '+', TK_PAGE_DOWN}, REQ_RIGHT, "the next plot"},
    {IN(PLOTS), {'e', TK_ENTER}, REQ_SAVE, "save it (.svg .png .pdf .txt .csv)"},
    {IN(PLOTS), {TK_DELETE}, REQ_DELETE, "drop it"},
    {IN(LUA) | PAGER, {TK_UP, 'k'}, REQ_UP, "scroll up"},
    {IN(LUA) | PAGER, {TK_DOWN, 'j'}, REQ_DOWN, "scroll down"},
    {IN(LUA) | PAGER, {TK_PAGE_UP, CTRL('B')}, REQ_PAGE_UP, "a page up"},
    {IN(LUA) | PAGER, {TK_PAGE_DOWN, CTRL('F'), ' '}, REQ_PAGE_DOWN, "a page down"},
    {IN(LUA) | PAGER, {'/'}, REQ_FIND, "search"},
    {IN(LUA) | PAGER, {'n'}, REQ_NEXT, "the next line that has it"},
    {IN(LUA) | PAGER, {'N'}, REQ_PREVIOUS, "the line before that has it"},
    {PAGER, {'q', TK_ESC}, REQ_BACK, "close it"},
    {LISTS, {TK_PAGE_UP, CTRL('B')}, REQ_PAGE_UP, "several rows up"},
    {LISTS, {TK_PAGE_DOWN, CTRL('F')}, REQ_PAGE_DOWN, "several rows down"},
    {VIEW_MASK_ALL, {TK_WHEEL_UP}, REQ_WHEEL_UP, NULL},
    {VIEW_MASK_ALL, {TK_WHEEL_DOWN}, REQ_WHEEL_DOWN, NULL},
    {VIEW_MASK_ALL, {TK_DRAG}, REQ_DRAG, NULL},
    {VIEW_MASK_ALL, {TK_RELEASE}, REQ_RELEASE, NULL},
    {VIEW_MASK_ALL, {'g', TK_HOME}, REQ_FIRST, "to the first"},
    {VIEW_MASK_ALL, {'G', TK_END}, REQ_LAST, "to the last"},
    {VIEW_MASK_ALL, {'1'}, REQ_VIEW + VIEW_EXPLORE, "explore: change parameters, see the answer"},
    {VIEW_MASK_ALL, {'2'}, REQ_VIEW + VIEW_RUNS, "runs: list, cancel, pause"},
    {VIEW_MASK_ALL, {'3'}, REQ_VIEW + VIEW_PATH, "path: weights along lambda, order of entry"},
    {VIEW_MASK_ALL, {'4'}, REQ_VIEW + VIEW_SCREEN, "screen: a run's screening, step by step"},
    {VIEW_MASK_ALL, {'5'}, REQ_VIEW + VIEW_DATA, "data: sizes, classes, correlations, histograms"},
    {VIEW_MASK_ALL, {'6'}, REQ_VIEW + VIEW_LUA, "lua: everything that was printed"},
    {VIEW_MASK_ALL, {'7'}, REQ_VIEW + VIEW_PLOTS, "plots: what scripts showed"},
    {VIEW_MASK_ALL, {'|'}, REQ_SPLIT, "two views: side by side, one below the other, one again"},
    {VIEW_MASK_ALL, {CTRL('W')}, REQ_OTHER, "to the other of two views"},
    {VIEW_MASK_ALL, {CTRL('P')}, REQ_PALETTE, "everything that can be done, by a part of its name"},
    {VIEW_MASK_ALL, {TK_TAB}, REQ_VIEW_NEXT, "the next view"},
    {VIEW_MASK_ALL, {TK_BACKTAB}, REQ_VIEW_PREVIOUS, "the view before"},
    {VIEW_MASK_ALL,
     {'>', TK_INSERT},
     REQ_PROMPT,
     "to the prompt; letters without a meaning go there too"},
    {VIEW_MASK_ALL, {CTRL('R')}, REQ_SEARCH, "search in the lines typed earlier"},
    {VIEW_MASK_ALL, {':'}, REQ_COMMAND, "type a command (:q, :open FILE, :run FILE) or Lua"},
    {VIEW_MASK_ALL, {TK_ESC, CTRL('G')}, REQ_BACK, "close what is open; leave the prompt"},
    {VIEW_MASK_ALL, {CTRL('C')}, REQ_INTERRUPT, "stop what is running"},
    {VIEW_MASK_ALL, {CTRL('L')}, REQ_REPAINT, "draw everything again"},
    {VIEW_MASK_ALL, {CTRL('Z')}, REQ_SUSPEND, "back to the shell; fg returns"},
    {VIEW_MASK_ALL, {'?', TK_F1}, REQ_HELP, "this help"},
    {VIEW_MASK_ALL, {'q', CTRL('D')}, REQ_QUIT, "quit"},
    {VIEW_MASK_ALL, {TK_CLICK}, REQ_CLICK, NULL},
};

const key_row *keys_find(int context, int key)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if ((table[i].views & 1u << context) == 0)
            continue;
        for (int k = 0; k < KEYS_A_ROW; k++)
            if (table[i].keys[k] != 0 && table[i].keys[k] == key)
                return &table[i];
    }
    return NULL;
}

const key_row *keys_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
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
