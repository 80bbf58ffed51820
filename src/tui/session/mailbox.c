#include "tui/session/mailbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The box is full with this many bytes of text or letters. The receiver empties it at most 30 times
 * a second. */
enum { FULL_BYTES = 65536, FULL_LETTERS = 256 };

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t emptied;
    letter *first, *last;
    size_t bytes, letters;
    bool shut;
    int wake_fd;
};

mailbox *mailbox_new(int wake_fd)
{
    mailbox *box = calloc(1, sizeof *box);
    if (box) {
        pthread_mutex_init(&box->lock, NULL);
        pthread_cond_init(&box->emptied, NULL);
        box->wake_fd = wake_fd;
    }
    return box;
}

void mailbox_free(mailbox *box)
{
    if (!box)
        return;
    while (box->first) {
        letter *next = box->first->next;
        letter_free(box->first);
        box->first = next;
    }
    pthread_cond_destroy(&box->emptied);
    pthread_mutex_destroy(&box->lock);
    free(box);
}

/* Frees the contents of a letter. A script that waits for a request gets an error, as it will not
 * be carried out. */
static void free_contents(letter *l)
{
    free(l->text);
    plot_figure_free(l->figure);
    if (l->job)
        tm_job_unref(l->job);
    if (l->data)
        tm_dataset_unref(l->data);
    if (l->request) {
        tm_error err = TM_ERROR_INIT;
        tm_fail(&err, TM_ECANCELLED, "the workbench is closing");
        request_finish(l->request, NULL, &err);
        request_unref(l->request);
    }
}

void letter_free(letter *l)
{
    free_contents(l);
    free(l);
}

/* Waits until the box is not full; false when it is shut. The caller holds the lock. */
static bool wait_for_room(mailbox *box)
{
    while (!box->shut && (box->bytes >= FULL_BYTES || box->letters >= FULL_LETTERS))
        pthread_cond_wait(&box->emptied, &box->lock);
    return !box->shut;
}

static void append(mailbox *box, letter *l)
{
    bool was_empty = !box->first;
    l->next = NULL;
    if (was_empty)
        box->first = l;
    else
        box->last->next = l;
    box->last = l;
    box->letters++;
    box->bytes += l->length;
    if (was_empty) {
        uint64_t one = 1;
        ssize_t written = write(box->wake_fd, &one, sizeof one);
        (void)written; /* cannot fail while the counter is small */
    }
}

void mailbox_send(mailbox *box, const letter *model)
{
    letter *l = malloc(sizeof *l);
    letter lost = *model;
    if (l) {
        *l = *model;
        pthread_mutex_lock(&box->lock);
        if (wait_for_room(box)) {
            append(box, l);
            l = NULL;
        }
        pthread_mutex_unlock(&box->lock);
        if (l)
            letter_free(l);
        return;
    }
    free_contents(&lost);
}

/* Appends the text to the last letter if that is text too, because print sends every line
 * separately. */
static bool extend_last(mailbox *box, const char *text, size_t length)
{
    letter *last = box->last;
    if (!box->first || last->kind != LETTER_TEXT)
        return false;
    char *grown = realloc(last->text, last->length + length);
    if (!grown)
        return false;
    memcpy(grown + last->length, text, length);
    last->text = grown;
    last->length += length;
    box->bytes += length;
    return true;
}

void mailbox_text(mailbox *box, const char *text, size_t length)
{
    bool done = false;
    if (length == 0)
        return;
    pthread_mutex_lock(&box->lock);
    done = !wait_for_room(box) || extend_last(box, text, length);
    pthread_mutex_unlock(&box->lock);
    if (!done) {
        char *copy = malloc(length);
        if (copy) {
            memcpy(copy, text, length);
            mailbox_send(box, &(letter){.kind = LETTER_TEXT, .text = copy, .length = length});
        }
    }
}

void mailbox_shut(mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    box->shut = true;
    pthread_cond_broadcast(&box->emptied);
    pthread_mutex_unlock(&box->lock);
}

letter *mailbox_take(mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    letter *all = box->first;
    box->first = box->last = NULL;
    box->bytes = box->letters = 0;
    pthread_cond_broadcast(&box->emptied);
    pthread_mutex_unlock(&box->lock);
    return all;
}
