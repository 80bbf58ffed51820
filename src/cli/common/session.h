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
    pthread_mutex_t lock; /* of what follows: the script thread writes it */
    uint64_t ended;       /* ticket of the last chunk that ended */
    tm_error error;       /* how it ended: code TM_OK when well */
    bool failed;          /* the script said that something went wrong */
    bool silent;          /* of several ranks the first one prints; set at the start */
    bool output_failed;   /* standard output takes no more */
    bool printed;         /* something was printed since this was last cleared */
} cli_session;

typedef enum cli_session_kind {
    CLI_SESSION_CHUNK,    /* ends with its chunk, and waits for what that started */
    CLI_SESSION_LINES,    /* many chunks, from a file or a pipe */
    CLI_SESSION_TERMINAL, /* many chunks, from a terminal */
} cli_session_kind;

/* Opens events, pool, script and the store. Closed with cli_session_close, also after a failure. */
tm_status cli_session_open(cli_session *session, const cli_context *context, const char *command,
                           cli_session_kind kind, tm_error *err);
/* Cancels what still runs. Returns `status`, or CLI_FAILED when runs could not be recorded. */
int cli_session_close(cli_session *session, int status);

/* Records what has ended; returns for how many milliseconds a wait for events may sleep before this
 * is to be called again, -1: without limit. */
int cli_session_patience(cli_session *session);

/* Waits until the chunk has ended and reports its error on standard error. A signal interrupts the
 * chunk; a second one ends the program. Returns the exit status; ticket 0 is "no memory". */
int cli_session_wait(cli_session *session, uint64_t ticket);

#endif
