/* What the workbench works on: the data set, the workers, the script, and what they report.
 *
 * Everything here belongs to the UI thread. Other threads put their news into a mailbox and wake
 * the UI thread through wake_fd; session_update processes the news. */
#ifndef TUI_SESSION_SESSION_H
#define TUI_SESSION_SESSION_H

#include "plot/figure.h"
#include "script/script.h"
#include "tamis/job.h"
#include "tamis/ovr.h"
#include "tui/explore/explore_runs.h"
#include "tui/pins/scores.h"
#include "tui/prompt/scrollback.h"
#include "tui/session/options.h"
#include "tui/session/request.h"
#include "tui/session/stored_runs.h"

typedef enum session_news {
    NEWS_TEXT = 1,      /* text was added to the scrollback */
    NEWS_RUNS = 2,      /* a run started, progressed or ended */
    NEWS_DATA = 4,      /* loading started, progressed or ended */
    NEWS_FIGURE = 8,    /* a script showed a figure */
    NEWS_ENDED = 16,    /* a chunk of the script ended */
    NEWS_OFFER = 32,    /* a script loaded data */
    NEWS_FAILED = 64,   /* loading failed: load_error says why */
    NEWS_REQUEST = 256, /* a script sent a request to the workbench */
    NEWS_WAKE = 128     /* the time set by app_wake has come */
} session_news;

typedef struct session_run {
    tm_job *job; /* a reference */
    int colour;  /* colour of its name, the same in every plot */
    bool marked; /* to be drawn in the explore view */
} session_run;

typedef struct loader loader;
typedef struct mailbox mailbox;

typedef struct session_pools {
    tm_pool *script;  /* the script's runs */
    tm_pool *explore; /* the explore view's runs, which must never wait behind a long script */
    tm_pool *study;   /* the screen view's runs with a log, one at a time */
} session_pools;

/* The share of the rows that are held out for scores. */
#define SESSION_TEST_SHARE 0.3

/* Where data came from. */
typedef struct session_origin {
    enum { ORIGIN_SCRIPT, ORIGIN_FILE, ORIGIN_EXAMPLE } kind;
    char *path;        /* path of the file */
    tm_params *reader; /* how it was read, or NULL: the defaults */
    char *class;       /* with several classes, the one against the rest; or NULL */
} session_origin;

typedef struct session_data {
    tm_dataset *all, *train, *test; /* the data explored; NULL before they are loaded; test may be
                                     * NULL */
    tm_dataset *source;   /* the data with all classes of the response; the same as `all` if there
                           * is no choice of a class */
    class_choice classes; /* classes of `source` */
    tm_dataset *offered;  /* the data that the script loaded last, or NULL */
    unsigned generation;  /* number of data sets explored so far */
    loader *loader;       /* NULL: not loading */
    tm_error error;       /* error of loading; code TM_OK: none */
    session_origin origin, coming; /* origins of the data explored and of the data being loaded */
} session_data;

typedef struct session_runs {
    session_run *at; /* oldest first */
    size_t count, capacity;
    size_t dropped;       /* number of runs no longer kept */
    session_run *deleted; /* deleted by the user, the last one last */
    size_t deleted_count;
} session_runs;

/* The run whose time is looked at (tui/time); all NULL: the form's. */
typedef struct session_timed {
    tm_job *job;        /* a run of the session, a reference */
    stored_run *stored; /* or one of the store, borrowed from `stored` below */
    tm_job *again;      /* that one solved again, a reference; NULL: its data are not explored */
    tm_model *model;    /* its last one; NULL: the store has none */
} session_timed;

/* The runs that the user has chosen to view, references; NULL: the newest of the explore view. */
typedef struct session_choice {
    tm_job *path;       /* in the path view */
    tm_job *study;      /* in the screen view */
    run_scores *scores; /* scores by the chosen metric; never NULL */
    char *shape;        /* layout of the features as a graph ("grid:28x28"); NULL: the run's own */
    session_timed timed;
} session_choice;

typedef struct session_figures {
    plot_figure **at;
    size_t count, capacity;
} session_figures;

typedef struct session_names {
    char **at;
    size_t count;
} session_names;

typedef struct session {
    int wake_fd; /* readable when there is news */
    uint64_t seed;
    session_pools pools;
    script *script;
    scrollback *text;
    const session_recorder *recorder; /* or NULL */
    stored_runs stored;               /* the runs of the store */
    session_data data;
    char *chunk;           /* what was typed last, or NULL */
    tm_error script_error; /* error of the chunk that ended last; code TM_OK: none */
    session_runs runs;     /* runs of the script */
    session_choice chosen;
    session_figures figures;
    tm_ovr *ovr;          /* the fits of each class against the rest, while they run; or NULL */
    session_names typed;  /* chunks as typed */
    session_names names;  /* names that have a colour */
    ui_request *requests; /* requests of the script to be carried out */
    unsigned pending;     /* news raised by this thread */
    bool stopping;        /* the running chunk was told to stop */
    mailbox *mailbox;
} session;

/* Starts workers and the script's thread. */
tm_status session_open(session **out, const session_options *options, tm_error *err);
/* Stops everything and waits for it. */
void session_close(session *s);

/* Takes the news in and returns what changed, a mask of session_news. */
unsigned session_update(session *s);
/* Call it before session_update: anything that workers do after this call wakes the loop again. */
void session_acknowledge(session *s);
/* Runs of the script that are queued, running or paused. */
size_t session_runs_left(const session *s);
/* Whether anything is loading, solving or running. */
bool session_busy(const session *s);

/* Loads `path` (NULL: the built-in example) with the reader's options (NULL: the defaults) in the
 * background, splits it and explores it; with several classes, the class of this label (or NULL)
 * against the rest. A load in progress is cancelled. */
tm_status session_load(session *s, const char *path, const tm_params *reader, const char *label,
                       tm_error *err);
/* Updates the progress of loading; returns what changed, a mask of session_news. */
unsigned session_update_loader(session *s);
void session_forget_data(session *s);
void session_forget_origin(session_origin *origin);
/* What is loading: "loading FILE  23.1 MB  42 %". The share read so far in 0..1, negative when it
 * is not known; nothing is written while nothing is loading. */
double session_loading(const session *s, char *buffer, size_t size);
/* Explores this data set from now on. */
tm_status session_explore(session *s, tm_dataset *data, tm_error *err);
/* With several classes, explores this one against the rest ("-": the response as a number); "all"
 * starts to fit each of them with the form's method, as runs of the session, and prints a table of
 * their scores to the scrollback. *all (may be NULL) says whether it was "all". */
tm_status session_choose_class(session *s, const explore_runs *e, const char *label, bool *all,
                               tm_error *err);
/* Handles the end of the fits of all classes; returns what changed, a mask of session_news. */
unsigned session_update_classes(session *s);
void session_free_classes(class_choice *choice);
/* Finds the classes of a response with more than two: words, or whole numbers that each occur
 * several times. None (count 0) otherwise. */
tm_status session_find_classes(class_choice *out, const tm_dataset *data, tm_error *err);
/* Derives the data to explore, its training and held-out rows: one class against the rest, or the
 * response itself. */
tm_status session_explore_class(session *s, tm_dataset *data, const char *label, tm_error *err);

/* Queues a chunk typed at the prompt, or a file (ticket: of script_wait; may be NULL). */
tm_status session_submit(session *s, const char *text, tm_error *err);
/* The same for text that was not typed. */
tm_status session_submit_quietly(session *s, const char *text, tm_error *err);
tm_status session_run_file(session *s, const char *path, char *const *args, size_t count,
                           uint64_t *ticket, tm_error *err);
/* Stops loading, the script and its runs; false when none was active. */
bool session_interrupt(session *s);
/* The colour that this name has in every plot; 0 is the explore view's own. */
int session_colour(session *s, const char *name);
/* Chooses the run of the path view; NULL: always the newest of the explore view. */
void session_choose_path(session *s, tm_job *job);
/* Sets the layout of features in pictures, whatever the method; "": the run's own. */
tm_status session_choose_shape(session *s, const char *shape, tm_error *err);
/* What the screen view shows, likewise. */
void session_choose_study(session *s, tm_job *job);
/* The form's run is the one whose time is looked at, as in the beginning. */
void session_forget_timed(session *s);
/* Removes a run from the list; restores the one deleted last (NULL when there is none). */
bool session_delete_run(session *s, size_t i);
tm_job *session_restore_run(session *s);
/* Whether a chunk was told to stop and has not stopped yet; then check again soon. */
bool session_stopping(const session *s);
/* Abandons a script thread that cannot be stopped and starts another one in its place. */
void session_recover(session *s);
/* Whether a chunk runs whose time is limited; then session_watch, which stops it when its time is
 * used up, is to be called a few times a second. */
bool session_limited(const session *s);
void session_watch(session *s);
/* Adds a copy of the text; false when memory ran out. */
bool session_keep_name(session_names *names, const char *text);
void session_free_names(session_names *names);
void session_note(session *s, line_kind kind, const char *text);
/* Adds what a script made: a run (takes a reference). */
void session_add_run(session *s, tm_job *job);
bool session_keep_figure(session *s, plot_figure *figure);
/* Shows a figure in the plots view, as a script does; the session owns it unless this fails. */
tm_status session_add_figure(session *s, plot_figure *figure, tm_error *err);
void session_drop_figure(session *s, size_t i);
/* The number of marked runs, including those of the store; and removal of all marks. */
size_t session_marked(const session *s);
void session_unmark(session *s);

#endif
