/* News from other threads to the UI thread, in order. */
#ifndef TUI_SESSION_MAILBOX_H
#define TUI_SESSION_MAILBOX_H

#include "plot/figure.h"
#include "tamis/job.h"
#include "tui/session/request.h"

#include <stdint.h>

typedef enum letter_kind {
    LETTER_TEXT,    /* text[0..length) */
    LETTER_FIGURE,  /* figure, owned by the receiver */
    LETTER_JOB,     /* job, a reference */
    LETTER_DATA,    /* data, a reference */
    LETTER_REQUEST, /* request, a reference: a script waits for it */
    LETTER_ENDED,   /* a chunk ended; text is the error's message or NULL */
} letter_kind;

typedef struct letter {
    struct letter *next;
    letter_kind kind;
    char *text;
    size_t length;
    plot_figure *figure;
    tm_job *job;
    tm_dataset *data;
    ui_request *request;
    tm_status code; /* status of ENDED */
} letter;

typedef struct mailbox mailbox;

/* `wake_fd` is an eventfd, written when the box stops being empty. NULL when memory ran out. */
mailbox *mailbox_new(int wake_fd);
void mailbox_free(mailbox *box); /* also frees the letters in it */

/* Functions of senders. A sender waits while the box is full, so that an endless print does not use
 * up memory. Each function takes over what it is given, even when memory runs out and the letter is
 * lost. */
void mailbox_text(mailbox *box, const char *text, size_t length);
void mailbox_send(mailbox *box, const letter *model);
/* From now on nothing waits and everything sent is dropped. */
void mailbox_shut(mailbox *box);

/* For the receiver: takes all letters, oldest first; NULL when there are none. Free each with
 * letter_free. */
letter *mailbox_take(mailbox *box);
/* Frees the letter and what it still holds. */
void letter_free(letter *l);

#endif
