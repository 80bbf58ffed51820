/* The table of views: one row each, in the order of their tabs. The ids, the tabs, the keys that
 * show a view, help, the commands, the palette, and the names for --dump-view, tm.ui.view and
 * tm.ui.bind are made from it. A view is implemented by its `const view_ops NAME_ops` in views/. */
#ifndef TUI_SHELL_VIEW_ROWS_H
#define TUI_SHELL_VIEW_ROWS_H

/* id, name, key, what it shows (in help, after the name), help of the command of that name */
#define VIEWS(X)                                                                                   \
    X(EXPLORE, explore, '1', "change parameters, see the answer", "the explore view")              \
    X(RUNS, runs, '2', "list, cancel, pause", "the runs view")                                     \
    X(PATH, path, '3', "weights along lambda, order of entry", "the path view")                    \
    X(SCREEN, screen, '4', "a run's screening, step by step", "the screen view")                   \
    X(DATA, data, '5', "sizes, classes, correlations, histograms", "the data view")                \
    X(LUA, lua, '6', "everything that was printed", "everything that was printed")                 \
    X(PLOTS, plots, '7', "what scripts showed", "what scripts showed")                             \
    X(SWEEPS, sweeps, '8', "a sweep's grid, live; its cells and curves", "the sweeps view")        \
    X(RACE, race, '9', "every strategy on this problem", "every strategy on this problem")         \
    X(LESSONS, lessons, '*', "text beside a view, questions", "lessons")

#endif
