#include "tui/session/loader.h"

#include "tamis/reader.h"
#include "tamis/synth.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct loader {
    atomic_int references; /* the owner and the thread hold one each */
    char *path;            /* NULL: the built-in example */
    tm_params *params;     /* options of the reader, or NULL: the defaults */
    uint64_t seed;
    tm_cancel *cancel;
    int wake_fd; /* a duplicate descriptor, as the thread may outlive the session */
    _Atomic double share;
    atomic_ullong bytes; /* read so far */
    atomic_bool ended;
    /* written by the thread before `ended` */
    tm_dataset *data;
    tm_status status;
    tm_error error;
};

static void release(loader *l)
{
    if (atomic_fetch_sub(&l->references, 1) != 1)
        return;
    if (l->data)
        tm_dataset_unref(l->data);
    if (l->wake_fd >= 0)
        close(l->wake_fd);
    tm_cancel_free(l->cancel);
    tm_params_free(l->params);
    free(l->path);
    free(l);
}

static void wake(const loader *l)
{
    uint64_t one = 1;
    ssize_t written = write(l->wake_fd, &one, sizeof one);
    (void)written;
}

static void progress(uint64_t bytes, double share, void *payload)
{
    loader *l = payload;
    atomic_store(&l->bytes, bytes);
    atomic_store(&l->share, share);
    wake(l);
}

static tm_status make_example(loader *l)
{
    tm_params *params = NULL;
    const tm_synth_info *info = tm_synth_find("saif", &l->error);
    if (!info)
        return TM_EUSAGE;
    tm_status status = tm_params_new(&params, info->id, info->params, info->param_count, &l->error);
    static const struct {
        const char *name;
        long value;
    } sizes[] = {{"n", 100}, {"p", 2000}, {"k", 20}};
    for (size_t i = 0; status == TM_OK && i < sizeof sizes / sizeof sizes[0]; i++)
        status = tm_params_set_int(params, sizes[i].name, sizes[i].value, &l->error);
    if (status == TM_OK)
        status = tm_params_set_int(params, "seed", (long)(l->seed & 0x7fffffff), &l->error);
    if (status == TM_OK)
        status = tm_synth_make(&l->data, info, params, l->cancel, &l->error);
    tm_params_free(params);
    return status;
}

static void *run(void *payload)
{
    loader *l = payload;
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.params = l->params;
    options.cancel = l->cancel;
    options.progress = progress;
    options.payload = l;
    l->status = l->path ? tm_read(&l->data, l->path, &options, &l->error) : make_example(l);
    atomic_store(&l->ended, true);
    wake(l);
    release(l);
    return NULL;
}

static tm_status start_thread(loader *l, tm_error *err)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int failed = pthread_attr_init(&attributes);
    if (failed == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        atomic_fetch_add(&l->references, 1);
        failed = pthread_create(&thread, &attributes, run, l);
        pthread_attr_destroy(&attributes);
        if (failed != 0)
            atomic_fetch_sub(&l->references, 1);
    }
    return failed == 0 ? TM_OK
                       : tm_fail(err, TM_ENOMEM, "no thread for loading: %s", strerror(failed));
}

tm_status loader_start(loader **out, const char *path, const tm_params *params, uint64_t seed,
                       int wake_fd, tm_error *err)
{
    loader *l = calloc(1, sizeof *l);
    if (!l)
        return tm_fail_memory(err, "loading");
    atomic_init(&l->references, 1);
    atomic_init(&l->share, -1.0);
    atomic_init(&l->bytes, 0);
    atomic_init(&l->ended, false);
    l->seed = seed;
    l->path = path ? strdup(path) : NULL;
    l->cancel = tm_cancel_new();
    l->wake_fd = fcntl(wake_fd, F_DUPFD_CLOEXEC, 3);
    tm_status status = TM_OK;
    if ((path && !l->path) || !l->cancel || l->wake_fd < 0)
        status = tm_fail_memory(err, "loading");
    if (status == TM_OK && params)
        status = tm_params_copy(&l->params, params, err);
    if (status == TM_OK)
        status = start_thread(l, err);
    if (status != TM_OK) {
        release(l);
        return status;
    }
    *out = l;
    return TM_OK;
}

const char *loader_name(const loader *l)
{
    return l->path ? l->path : "the built-in example";
}

double loader_share(const loader *l)
{
    return atomic_load(&l->share);
}

uint64_t loader_bytes(const loader *l)
{
    return atomic_load(&l->bytes);
}

bool loader_ended(loader *l, tm_dataset **data, tm_status *status, tm_error *err)
{
    if (!atomic_load(&l->ended))
        return false;
    *data = l->data;
    l->data = NULL;
    *status = l->status;
    *err = l->error;
    return true;
}

void loader_free(loader *l)
{
    if (!l)
        return;
    tm_cancel_set(l->cancel);
    /* Usually the thread ends within a moment; waiting for that leaves no thread behind at exit. */
    for (int i = 0; i < 20 && !atomic_load(&l->ended); i++)
        usleep(10000);
    release(l);
}
