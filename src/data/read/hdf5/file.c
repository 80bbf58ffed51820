#ifdef HDF5_SONAME

#include "data/read/hdf5/file.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/hdf5/lock.h"
#include "data/read/hdf5/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the process ---------------------------------------------------------------------------- */

static bool is_cancelled(void *in)
{
    return input_is_cancelled(in);
}

/* The process has not answered, or not with what can be right: it is not asked again. */
static tm_status fail_lost(hdf5_file *f)
{
    int how = process_end(&f->reader, true);
    if (how == SIGKILL && input_status(f->in) == TM_OK)
        return input_fail_whole(f->in, "the process that reads it was killed, perhaps because "
                                       "memory ran out");
    return input_fail_whole(f->in, "the file is damaged: libhdf5, which reads it, crashed");
}

static bool receive(hdf5_file *f, void *bytes, size_t size)
{
    return f->reader.id != 0 &&
           process_receive(f->reader.channel, bytes, size, is_cancelled, f->in);
}

/* What a reply says, as a failure of the input. */
static tm_status judge(hdf5_file *f, hdf5_reply *a)
{
    a->message[sizeof a->message - 1] = '\0';
    if (a->status == TM_ENOMEM)
        return input_fail_memory(f->in, "the data");
    return a->status == TM_OK ? TM_OK : input_fail_whole(f->in, "%s", a->message);
}

static tm_status ask(hdf5_file *f, hdf5_question question, const char *path, const char *name,
                     uint64_t number, hdf5_reply *a)
{
    hdf5_request q = {.question = question, .number = number};
    *a = (hdf5_reply){.status = TM_OK};
    if (input_status(f->in) != TM_OK)
        return input_status(f->in);
    if (snprintf(q.path, sizeof q.path, "%s", path) >= (int)sizeof q.path ||
        snprintf(q.name, sizeof q.name, "%s", name) >= (int)sizeof q.name)
        return input_fail_whole(f->in, "the name %.100s is too long", path);
    if (f->reader.id == 0 || !process_send(f->reader.channel, &q, sizeof q) ||
        !receive(f, a, sizeof *a)) {
        *a = (hdf5_reply){.status = TM_EDATA};
        return fail_lost(f);
    }
    return judge(f, a);
}

/* Starts the process. The lock is for libhdf5, which no other thread must be within then, and for
 * the channel, which the process of another thread must not keep. */
static tm_status start(hdf5_file *f, hdf5_task *task, tm_error *err)
{
    hdf5_lock();
    bool loaded = libhdf5_load(&task->library);
    tm_status status = loaded ? process_start(&f->reader, hdf5_serve, task, err) : TM_OK;
    hdf5_unlock();
    return loaded ? status
                  : tm_fail(err, TM_EUSAGE,
                            "%.300s: the library %s, which reads HDF5 files, is not installed",
                            input_name(f->in), HDF5_SONAME);
}

tm_status hdf5_open(hdf5_file *f, input *in, const char *path, tm_error *err)
{
    char *bytes = NULL;
    hdf5_task task = {.path = path};
    hdf5_reply reply;
    *f = (hdf5_file){.in = in, .reader = PROCESS_NONE};
    tm_status status = path ? TM_OK : input_take_all(in, &bytes, &task.size, "the file");
    task.bytes = bytes;
    if (status == TM_OK)
        status = start(f, &task, err);
    free(bytes); /* the process has its own */
    if (status != TM_OK)
        return status;
    return receive(f, &reply, sizeof reply) ? judge(f, &reply) : fail_lost(f);
}

void hdf5_close(hdf5_file *f)
{
    process_end(&f->reader, false);
}

/* ---- answers of one value ------------------------------------------------------------------- */

hdf5_object hdf5_kind(hdf5_file *f, const char *path)
{
    hdf5_reply a;
    return ask(f, HDF5_KIND, path, "", 0, &a) == TM_OK ? a.kind : HDF5_NONE;
}

tm_status hdf5_shape(hdf5_file *f, const char *path, uint64_t shape[2])
{
    hdf5_reply a;
    tm_status status = ask(f, HDF5_SHAPE, path, "", 0, &a);
    memcpy(shape, a.shape, sizeof a.shape);
    return status;
}

bool hdf5_size(hdf5_file *f, const char *path, uint64_t shape[2])
{
    hdf5_reply a;
    bool found = ask(f, HDF5_SIZE, path, "", 0, &a) == TM_OK && a.found;
    memcpy(shape, a.shape, sizeof a.shape);
    return found;
}

bool hdf5_is_text(hdf5_file *f, const char *path)
{
    hdf5_reply a;
    return ask(f, HDF5_IS_TEXT, path, "", 0, &a) == TM_OK && a.found;
}

bool hdf5_text_attribute(hdf5_file *f, const char *path, const char *name, char *text, size_t size)
{
    hdf5_reply a;
    bool found = ask(f, HDF5_TEXT_ATTRIBUTE, path, name, 0, &a) == TM_OK && a.found;
    snprintf(text, size, "%.*s", (int)sizeof a.text - 1, found ? a.text : "");
    return found;
}

bool hdf5_attribute(hdf5_file *f, const char *path, const char *name, int64_t *out, size_t count)
{
    hdf5_reply a;
    bool found = ask(f, HDF5_ATTRIBUTE, path, name, count, &a) == TM_OK && a.found;
    if (found)
        memcpy(out, a.wholes, count * sizeof *out);
    return found;
}

bool hdf5_name(hdf5_file *f, uint64_t k, char *name, size_t size)
{
    hdf5_reply a;
    bool found = ask(f, HDF5_NAME_AT, "", "", k, &a) == TM_OK && a.found;
    snprintf(name, size, "%.*s", (int)sizeof a.text - 1, found ? a.text : "");
    return found;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* The bytes behind a reply, malloc'ed. */
static tm_status take_bytes(hdf5_file *f, uint64_t size, void **out)
{
    *out = mem_array(size, 1);
    if (!*out) {
        process_end(&f->reader, true);
        return input_fail_memory(f->in, "the data");
    }
    if (receive(f, *out, size))
        return TM_OK;
    free(*out);
    *out = NULL;
    return fail_lost(f);
}

static tm_status take_values(hdf5_file *f, hdf5_question question, const char *path, void **out,
                             uint64_t *count)
{
    hdf5_reply a;
    *out = NULL;
    tm_status status = ask(f, question, path, "", 0, &a);
    *count = a.count;
    if (status == TM_OK && (a.size % 8 != 0 || a.size / 8 != a.count))
        return fail_lost(f);
    return status == TM_OK ? take_bytes(f, a.size, out) : status;
}

tm_status hdf5_reals(hdf5_file *f, const char *path, double **out, uint64_t *count)
{
    void *values;
    tm_status status = take_values(f, HDF5_REALS, path, &values, count);
    *out = values;
    return status;
}

tm_status hdf5_wholes(hdf5_file *f, const char *path, int64_t **out, uint64_t *count)
{
    void *values;
    tm_status status = take_values(f, HDF5_WHOLES, path, &values, count);
    *out = values;
    return status;
}

/* Splits texts that end with a NUL each; NULL when there are not so many, or memory ran out. */
static char **split_texts(const char *all, uint64_t size, uint64_t count)
{
    char **texts = count <= size ? mem_zeros(count, sizeof *texts) : NULL;
    const char *at = all, *end = all + size;
    bool good = texts != NULL;
    for (uint64_t k = 0; good && k < count; k++) {
        size_t length = strnlen(at, (size_t)(end - at));
        good = at + length < end && (texts[k] = text_part(at, length)) != NULL;
        at += length + 1;
    }
    if (good)
        return texts;
    if (texts)
        text_list_free(texts, count);
    return NULL;
}

static tm_status take_texts(hdf5_file *f, hdf5_question question, const char *path, char ***out,
                            uint64_t *count)
{
    hdf5_reply a;
    void *all;
    tm_status status = ask(f, question, path, "", 0, &a);
    if (status == TM_OK)
        status = take_bytes(f, a.size, &all);
    if (status != TM_OK)
        return status;
    *out = split_texts(all, a.size, a.count);
    *count = a.count;
    free(all);
    return *out ? TM_OK : input_fail_memory(f->in, "texts");
}

tm_status hdf5_texts(hdf5_file *f, const char *path, char ***out, uint64_t *count)
{
    return take_texts(f, HDF5_TEXTS, path, out, count);
}

tm_status hdf5_references(hdf5_file *f, const char *path, char ***out, uint64_t *count)
{
    return take_texts(f, HDF5_REFERENCES, path, out, count);
}

#endif
