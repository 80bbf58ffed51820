#ifdef HDF5_SONAME

#include "data/read/hdf5/serve.h"

#include "base/process.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The texts of a list, one behind the other. */
static void *join_texts(char **texts, uint64_t count, uint64_t *size)
{
    *size = 0;
    for (uint64_t k = 0; k < count; k++)
        *size += strlen(texts[k]) + 1;
    char *all = malloc(*size + 1), *at = all;
    for (uint64_t k = 0; all && k < count; k++)
        at = stpcpy(at, texts[k]) + 1;
    return all;
}

/* Reads a list of texts; returns what follows the reply. */
static void *read_list(libhdf5 *f, const hdf5_request *q, hdf5_reply *a)
{
    char **texts = NULL;
    a->status = q->question == HDF5_TEXTS ? libhdf5_texts(f, q->path, &texts, &a->count)
                                          : libhdf5_references(f, q->path, &texts, &a->count);
    if (a->status != TM_OK)
        return NULL;
    void *all = join_texts(texts, a->count, &a->size);
    text_list_free(texts, a->count);
    if (!all)
        a->status = TM_ENOMEM;
    return all;
}

static void *read_values(libhdf5 *f, const hdf5_request *q, hdf5_reply *a)
{
    double *reals = NULL;
    int64_t *wholes = NULL;
    a->status = q->question == HDF5_REALS ? libhdf5_reals(f, q->path, &reals, &a->count)
                                          : libhdf5_wholes(f, q->path, &wholes, &a->count);
    a->size = a->status == TM_OK ? 8 * a->count : 0;
    return reals ? (void *)reals : (void *)wholes;
}

/* Returns the bytes that follow the reply. */
static void *answer(libhdf5 *f, const hdf5_request *q, hdf5_reply *a)
{
    switch (q->question) {
    case HDF5_KIND:
        a->kind = libhdf5_kind(f, q->path);
        return NULL;
    case HDF5_SHAPE:
        a->status = libhdf5_shape(f, q->path, a->shape);
        return NULL;
    case HDF5_SIZE:
        a->found = libhdf5_shape(f, q->path, a->shape) == TM_OK;
        return NULL;
    case HDF5_IS_TEXT:
        a->found = libhdf5_is_text(f, q->path);
        return NULL;
    case HDF5_ATTRIBUTE:
        a->status = libhdf5_attribute(f, q->path, q->name, &a->found, a->wholes, q->number);
        return NULL;
    case HDF5_REALS:
    case HDF5_WHOLES:
        return read_values(f, q, a);
    case HDF5_TEXTS:
    case HDF5_REFERENCES:
        return read_list(f, q, a);
    case HDF5_TEXT_ATTRIBUTE:
        a->status = libhdf5_text_attribute(f, q->path, q->name, &a->found, a->text, sizeof a->text);
        return NULL;
    case HDF5_NAME_AT:
        a->found = libhdf5_name(f, q->number, a->text, sizeof a->text);
        return NULL;
    }
    return NULL;
}

void hdf5_serve(int channel, void *payload)
{
    hdf5_task *task = payload;
    libhdf5 *f = &task->library;
    hdf5_request request;
    hdf5_reply reply = {.status = libhdf5_open(f, task->path, task->bytes, task->size)};
    strcpy(reply.message, f->message);
    bool connected = process_send(channel, &reply, sizeof reply);
    while (connected && process_receive(channel, &request, sizeof request, NULL, NULL)) {
        reply = (hdf5_reply){.status = TM_OK};
        void *bytes = answer(f, &request, &reply);
        strcpy(reply.message, f->message);
        connected = process_send(channel, &reply, sizeof reply) &&
                    process_send(channel, bytes, bytes ? reply.size : 0);
        free(bytes);
    }
}

#endif
