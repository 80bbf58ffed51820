/* A script thread with its workers, and the wait for its chunks. */
#ifndef CLI_COMMON_SESSION_H
#define CLI_COMMON_SESSION_H

#include "cli/common/events.h"
#include "cli/common/ranks.h"
#include "cli/common/record.h"
#include "cli/print/context.h"
#include "script/script.h"

#include <pthread.h>

typedef struct cli_session {
    const char *command; /* for messages */
    bool interactive; /* a prompt on a terminal, which outlives a script that cannot be stopped */
    cli_events events;
    tm_pool *pool;
    script *script;
    cli_record record;
    cli_ranks ranks;
    int held;             /* see cli_ranks_hold */
    pthread_mutex_t lock; /* guards the members below, which the script thread writes */
    uint64_t ended;       /* ticket of the last chunk that ended */
    tm_error error;       /* its error: code TM_OK on success */
    bool sandbox;         /* the script is watched, as its time is limited */
    bool failed;          /* the script reported a failure */
    bool silent;          /* not the first of several ranks: print nothing; set at the start */
    int output_failed;    /* the errno of writing to standard output; 0: it has not failed */
    bool printed;         /* something was printed since this was last cleared */
} cli_session;

typedef enum cli_session_kind {
    CLI_SESSION_CHUNK,    /* ends with its chunk, and waits for what that has started */
    CLI_SESSION_LINES,    /* many chunks, from a file or a pipe */
    CLI_SESSION_TERMINAL, /* many chunks, from a terminal */
} cli_session_kind;

/* Opens events, pool, script and the store. Close it with cli_session_close, also after a
 * failure. */
tm_status cli_session_open(cli_session *session, const cli_context *context, const char *command,
                           cli_session_kind kind, tm_error *err);
/* Cancels what is still running. Returns `status`, or CLI_FAILED if runs could not be recorded. */
int cli_session_close(cli_session *session, int status);
/* cli_finish after it has been closed. */
int cli_session_finish(const cli_session *session, int status);

/* Records what has ended; returns the number of milliseconds after which it must be called again,
 * or -1 for no limit. */
int cli_session_patience(cli_session *session);

/* Waits until the chunk has ended and reports its error on standard error. A signal interrupts the
 * chunk; a second one ends the program. Returns the exit status; ticket 0 means that memory ran
 * out. */
int cli_session_wait(cli_session *session, uint64_t ticket);

#endif
