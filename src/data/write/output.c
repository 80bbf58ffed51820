#include "data/write/output.h"

#include "base/number.h"
#include "base/text.h"
#include "data/file_names.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, NAME_TRIES = 100 };

typedef int add_filter(struct archive *archive);

static add_filter *const filters[FILE_COMPRESSIONS] = {
    [FILE_GZIP] = archive_write_add_filter_gzip, [FILE_BZIP2] = archive_write_add_filter_bzip2,
    [FILE_XZ] = archive_write_add_filter_xz,     [FILE_ZSTD] = archive_write_add_filter_zstd,
    [FILE_LZ4] = archive_write_add_filter_lz4,
};

struct output {
    int fd;
    bool owns_fd;
    char *path;              /* final name */
    char *beside;            /* temporary name until then; NULL: written in place */
    struct archive *archive; /* compression or zip; NULL: none */
    bool discard;            /* further output of the archive is discarded */
    bool finished;           /* the archive was closed without failure */
    number_parser numbers;
    tm_cancel *cancel;
    tm_status status;
    tm_error *err;
    size_t used;
    char buffer[BUFFER];
};

/* --- failures ------------------------------------------------------------------------------ */

tm_status output_status(const output *out)
{
    return out->status;
}

tm_status output_fail_memory(output *out, const char *what)
{
    if (out->status == TM_OK)
        out->status = tm_fail_memory(out->err, what);
    return out->status;
}

static tm_status fail(output *out, tm_status status, const char *what, const char *reason)
{
    if (out->status == TM_OK) {
        const char *name = strcmp(out->path, "-") == 0 ? "standard output" : out->path;
        out->status = tm_fail(out->err, status, "%.300s: %s: %s", name, what, reason);
    }
    return out->status;
}

static void fail_archive(output *out)
{
    const char *reason = archive_error_string(out->archive);
    fail(out, TM_EIO, "cannot be written", reason ? reason : "no reason given");
}

/* --- bytes --------------------------------------------------------------------------------- */

static bool write_all(output *out, const char *bytes, size_t size)
{
    while (size > 0 && out->status == TM_OK) {
        ssize_t written = write(out->fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            fail(out, TM_EIO, "cannot be written", strerror(errno));
            break;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return out->status == TM_OK;
}

static la_ssize_t write_raw(struct archive *archive, void *payload, const void *block, size_t size)
{
    output *out = payload;
    if (out->discard || write_all(out, block, size))
        return (la_ssize_t)size;
    archive_set_error(archive, EIO, "writing failed");
    return -1;
}

static void put(output *out, const char *bytes, size_t size)
{
    if (out->status != TM_OK || size == 0)
        return;
    if (tm_cancel_poll(out->cancel)) {
        fail(out, TM_ECANCELLED, "nothing was written", "writing was cancelled");
        return;
    }
    if (!out->archive) {
        write_all(out, bytes, size);
        return;
    }
    while (size > 0) {
        la_ssize_t taken = archive_write_data(out->archive, bytes, size);
        if (taken <= 0) {
            fail_archive(out);
            return;
        }
        bytes += taken;
        size -= (size_t)taken;
    }
}

static void flush(output *out)
{
    put(out, out->buffer, out->used);
    out->used = 0;
}

void output_bytes(output *out, const void *bytes, size_t size)
{
    if (size > BUFFER - out->used)
        flush(out);
    if (size > BUFFER) {
        /* In pieces, so that cancellation takes effect between them. */
        for (size_t at = 0; at < size; at += BUFFER)
            put(out, (const char *)bytes + at, size - at < BUFFER ? size - at : BUFFER);
        return;
    }
    memcpy(out->buffer + out->used, bytes, size);
    out->used += size;
}

void output_text(output *out, const char *text)
{
    output_bytes(out, text, strlen(text));
}

void output_real(output *out, double value)
{
    char text[NUMBER_TEXT];
    size_t length = number_write(&out->numbers, value, text);
    output_bytes(out, text, length);
}

void output_count(output *out, uint64_t value)
{
    char text[24];
    char *at = text + sizeof text;
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    output_bytes(out, at, (size_t)(text + sizeof text - at));
}

/* --- opening ------------------------------------------------------------------------------- */

/* Creates a file in the folder of out->path, so that it can be renamed. */
static bool create_beside(output *out)
{
    const char *slash = strrchr(out->path, '/');
    int folder = slash ? (int)(slash - out->path) + 1 : 0;
    size_t size = (size_t)folder + 64;
    out->beside = malloc(size);
    if (!out->beside) {
        output_fail_memory(out, "a file name");
        return false;
    }
    for (int i = 0; i < NAME_TRIES && out->fd < 0; i++) {
        snprintf(out->beside, size, "%.*s.tamis-%ld-%d.tmp", folder, out->path, (long)getpid(), i);
        out->fd = open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd < 0 && errno != EEXIST)
            break;
    }
    if (out->fd < 0) {
        fail(out, TM_EIO, "cannot be written", strerror(errno));
        free(out->beside);
        out->beside = NULL;
    }
    return out->fd >= 0;
}

/* A symbolic link is kept: the file it refers to is replaced. */
static void follow_link(output *out)
{
    char *target = realpath(out->path, NULL);
    if (target) {
        free(out->path);
        out->path = target;
    }
}

static bool open_file(output *out)
{
    struct stat about;
    if (strcmp(out->path, "-") == 0) {
        out->fd = STDOUT_FILENO;
        return true;
    }
    out->owns_fd = true;
    bool exists = stat(out->path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) {
        fail(out, TM_EIO, "cannot be written", "it is a directory");
    } else if (exists && !S_ISREG(about.st_mode)) {
        out->fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (out->fd < 0)
            fail(out, TM_EIO, "cannot be written", strerror(errno));
    } else if (!exists && errno != ENOENT) { /* what cannot be looked at is not replaced */
        fail(out, TM_EIO, "cannot be written", strerror(errno));
    } else {
        if (exists)
            follow_link(out);
        if (create_beside(out) && exists && fchmod(out->fd, about.st_mode & 0777) != 0)
            fail(out, TM_EIO, "cannot be written", strerror(errno));
    }
    return out->status == TM_OK;
}

static void start_archive(output *out, file_compression compression, bool zip)
{
    bool compressed = compression != FILE_PLAIN;
    if (!compressed && !zip)
        return;
    struct archive *archive = out->archive = archive_write_new();
    if (!archive) {
        output_fail_memory(out, "compressor");
        return;
    }
    archive_write_set_bytes_in_last_block(archive, 1);
    int got = zip ? archive_write_set_format_zip(archive) : archive_write_set_format_raw(archive);
    if (got == ARCHIVE_OK && compressed)
        got = filters[compression](archive);
    /* No time stamp: the same data give the same bytes. */
    if (got == ARCHIVE_OK && compression == FILE_GZIP)
        got = archive_write_set_filter_option(archive, "gzip", "timestamp", NULL);
    if (got == ARCHIVE_OK)
        got = archive_write_open(archive, out, NULL, write_raw, NULL);
    if (got != ARCHIVE_OK)
        fail_archive(out);
    else if (!zip)
        output_member(out, "data", 0);
}

void output_member(output *out, const char *name, uint64_t size)
{
    flush(out);
    if (out->status != TM_OK)
        return;
    struct archive_entry *entry = archive_entry_new();
    if (!entry) {
        output_fail_memory(out, "member of the archive");
        return;
    }
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (size > 0)
        archive_entry_set_size(entry, (la_int64_t)size);
    if (archive_write_header(out->archive, entry) != ARCHIVE_OK)
        fail_archive(out);
    archive_entry_free(entry);
}

tm_status output_open(output **result, const char *path, bool zip, tm_cancel *cancel, tm_error *err)
{
    *result = NULL;
    output *out = malloc(sizeof *out);
    if (!out)
        return tm_fail_memory(err, "output");
    memset(out, 0, offsetof(output, buffer));
    out->fd = -1;
    out->err = err;
    out->cancel = cancel;
    out->path = text_copy(path);
    if (!out->path)
        output_fail_memory(out, "a file name");
    else if (number_parser_init(&out->numbers, err) != TM_OK)
        out->status = TM_ENOMEM;
    else if (open_file(out))
        start_archive(out, file_compression_of(path), zip);
    tm_status status = out->status;
    if (status == TM_OK)
        *result = out;
    else
        output_close(out);
    return status;
}

/* --- ending -------------------------------------------------------------------------------- */

tm_status output_finish(output *out)
{
    flush(out);
    if (out->archive && out->status == TM_OK) {
        out->finished = archive_write_close(out->archive) == ARCHIVE_OK;
        if (!out->finished)
            fail_archive(out);
    }
    if (out->owns_fd && out->fd >= 0 && close(out->fd) != 0)
        fail(out, TM_EIO, "cannot be written", strerror(errno));
    if (out->owns_fd)
        out->fd = -1;
    return out->status;
}

tm_status output_commit(output *out)
{
    if (out->status != TM_OK || !out->beside)
        return out->status;
    if (rename(out->beside, out->path) != 0)
        return fail(out, TM_EIO, "cannot be written", strerror(errno));
    free(out->beside);
    out->beside = NULL;
    return TM_OK;
}

void output_close(output *out)
{
    if (!out)
        return;
    if (out->archive) {
        /* A compressor frees all its memory only when it is closed properly, and lz4 only after
         * some bytes. */
        out->discard = true;
        if (!out->finished && archive_format(out->archive) == ARCHIVE_FORMAT_RAW)
            archive_write_data(out->archive, "", 1);
        archive_write_free(out->archive);
    }
    if (out->owns_fd && out->fd >= 0)
        close(out->fd);
    if (out->beside)
        unlink(out->beside);
    number_parser_clear(&out->numbers);
    free(out->beside);
    free(out->path);
    free(out);
}
