#include "data/pairs/scratch.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct scratch {
    uint8_t *memory; /* NULL: in a file */
    int fd;          /* -1: in memory */
    size_t size, budget;
};

void scratch_free(scratch *s)
{
    if (!s)
        return;
    free(s->memory);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

static tm_status open_file(scratch *s, tm_error *err)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (!folder || !*folder)
        folder = "/var/tmp";
    snprintf(path, sizeof path, "%s/tamis-XXXXXX", folder);
    s->fd = mkstemp(path);
    if (s->fd < 0)
        return tm_fail(err, TM_EIO,
                       "%.200s: a temporary file cannot be made: %s; set TMPDIR to a folder with "
                       "room for %.3g MB, or allow that much memory",
                       folder, strerror(errno), (double)s->size / 1e6);
    unlink(path);
    int reason = posix_fallocate(s->fd, 0, (off_t)s->size);
    if (reason)
        return tm_fail(err, TM_EIO,
                       "%.200s: no room for a temporary file of %.3g MB: %s; set TMPDIR to another "
                       "folder",
                       folder, (double)s->size / 1e6, strerror(reason));
    return TM_OK;
}

tm_status scratch_new(scratch **out, size_t size, double most, tm_error *err)
{
    scratch *s = calloc(1, sizeof *s);
    tm_status status = TM_OK;
    *out = NULL;
    if (!s)
        return tm_fail_memory(err, "temporary values");
    s->fd = -1;
    s->size = size;
    s->budget = most < 1 ? 1 : most < (double)size ? (size_t)most : size;
    if ((double)size > most)
        status = open_file(s, err);
    else if (!(s->memory = mem_array(size, 1)))
        status = tm_fail_memory(err, "temporary values");
    if (status == TM_OK)
        *out = s;
    else
        scratch_free(s);
    return status;
}

tm_status scratch_write(scratch *s, size_t from, const void *bytes, size_t count, tm_error *err)
{
    const uint8_t *at = bytes;
    if (s->memory) {
        memcpy(s->memory + from, bytes, count);
        return TM_OK;
    }
    while (count > 0) {
        ssize_t done = pwrite(s->fd, at, count, (off_t)from);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return tm_fail(err, TM_EIO, "a temporary file cannot be written: %s", strerror(errno));
        at += done;
        from += (size_t)done;
        count -= (size_t)done;
    }
    return TM_OK;
}

tm_status scratch_finish(page_budget **out, scratch *s, tm_error *err)
{
    tm_status status;
    if (s->memory) {
        status = page_budget_of_memory(out, s->memory, s->size, err);
        s->memory = NULL;
    } else {
        status = page_budget_open(out, s->fd, s->size, s->budget, "a temporary file", err);
    }
    scratch_free(s);
    return status;
}
