#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tm_status fail(const replacement *r, int reason, tm_error *err)
{
    return tm_fail(err, TM_EIO, "%s: cannot be written: %s", r->path, strerror(reason));
}

/* Creates a file with a new name in the folder of the path; -1 and errno on failure. */
static int open_beside(replacement *r)
{
    const char *slash = strrchr(r->path, '/');
    int folder = slash ? (int)(slash - r->path) + 1 : 0;
    for (int attempt = 0; attempt < 100; attempt++) {
        if (asprintf(&r->beside, "%.*s.tamis-%ld-%d", folder, r->path, (long)getpid(), attempt) <
            0) {
            r->beside = NULL;
            errno = ENOMEM;
            return -1;
        }
        int fd = open(r->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        free(r->beside);
        r->beside = NULL;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

tm_status replace_begin(replacement *r, const char *path, tm_error *err)
{
    struct stat about;
    *r = (replacement){.path = path};
    bool exists = stat(path, &about) == 0;
    /* Only a path where nothing is may be taken for a new file: renaming over one that cannot be
     * looked at would replace a device or a pipe. */
    if (!exists && errno != ENOENT)
        return fail(r, errno, err);
    bool in_place = exists && !S_ISREG(about.st_mode);
    int fd = in_place ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(r);
    if (fd < 0)
        return fail(r, errno, err);
    /* The new file gets the permissions of the one it replaces. */
    if (exists && !in_place && fchmod(fd, about.st_mode & 0777) != 0)
        errno = 0;
    r->stream = fdopen(fd, "wb");
    if (r->stream)
        return TM_OK;
    int reason = errno;
    close(fd);
    if (r->beside)
        unlink(r->beside);
    free(r->beside);
    r->beside = NULL;
    return fail(r, reason, err);
}

/* An earlier failure sets the stream's error flag but does not keep errno: writing one more byte
 * reproduces the error. The file is removed in any case. */
static int reason_of_failure(const replacement *r)
{
    errno = 0;
    int fd = fileno(r->stream);
    bool again = r->beside && (lseek(fd, 0, SEEK_END) < 0 || write(fd, "", 1) < 0);
    return again && errno ? errno : EIO;
}

tm_status replace_end(replacement *r, tm_status status, tm_error *err)
{
    bool failed = ferror(r->stream) != 0;
    int reason = failed ? reason_of_failure(r) : 0;
    if (fclose(r->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (status == TM_OK && !failed && r->beside && rename(r->beside, r->path) != 0) {
        failed = true;
        reason = errno;
    }
    if (r->beside && (status != TM_OK || failed))
        unlink(r->beside);
    free(r->beside);
    r->beside = NULL;
    r->stream = NULL;
    return status == TM_OK && failed ? fail(r, reason, err) : status;
}
