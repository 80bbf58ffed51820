#include "data/read/common/input_source.h"

#include "base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RAW_BLOCK = 1 << 18,    /* bytes read from the file at a time */
    POLL_MILLISECONDS = 40, /* longest wait on a pipe between two checks of the cancel token */
    PROGRESS_NANOSECONDS = 33000000,
};

tm_status input_source_fail(input_source *source, tm_status status, const char *format, ...)
{
    if (source->status != TM_OK)
        return source->status;
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    source->status = status;
    return tm_fail(source->err, status, "%s: %s", source->name, text);
}

/* --- raw bytes for libarchive -------------------------------------------------------------- */

bool input_source_is_cancelled(input_source *source)
{
    if (!tm_cancel_poll(source->cancel))
        return false;
    input_source_fail(source, TM_ECANCELLED, "reading was cancelled");
    return true;
}

/* Waits until the descriptor has bytes, in intervals short enough for the cancel token. */
static bool wait_readable(input_source *source)
{
    struct pollfd watched = {source->raw.fd, POLLIN, 0};
    for (;;) {
        if (input_source_is_cancelled(source))
            return false;
        int ready = poll(&watched, 1, POLL_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
}

static la_ssize_t read_descriptor(input_source *source)
{
    for (;;) {
        if (source->raw.waits && !wait_readable(source))
            return ARCHIVE_FATAL;
        ssize_t got = read(source->raw.fd, source->raw.buffer, RAW_BLOCK);
        if (got >= 0)
            return got;
        if (errno == EINTR || (errno == EAGAIN && source->raw.waits))
            continue;
        input_source_fail(source, TM_EIO, "cannot be read: %s", strerror(errno));
        return ARCHIVE_FATAL;
    }
}

static la_ssize_t read_raw(struct archive *archive, void *payload, const void **block)
{
    input_source *source = payload;
    la_ssize_t got;
    if (source->raw.bytes) {
        size_t left = source->raw.size - source->raw.taken;
        got = (la_ssize_t)(left < RAW_BLOCK ? left : RAW_BLOCK);
        *block = source->raw.bytes + source->raw.taken;
        source->raw.taken += (size_t)got;
    } else {
        got = read_descriptor(source);
        *block = source->raw.buffer;
    }
    if (got < 0)
        archive_set_error(archive, EIO, "reading failed");
    return got;
}

/* --- decompressed blocks ------------------------------------------------------------------- */

static double share_consumed(const input_source *source)
{
    if (source->raw.total == 0)
        return -1.0;
    double share = (double)archive_filter_bytes(source->archive, -1) / (double)source->raw.total;
    return share > 1.0 ? 1.0 : share;
}

static void report_progress(input_source *source)
{
    if (!source->progress.call)
        return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed = (int64_t)(now.tv_sec - source->progress.last.tv_sec) * 1000000000 +
                     (now.tv_nsec - source->progress.last.tv_nsec);
    if (passed < PROGRESS_NANOSECONDS)
        return;
    source->progress.last = now;
    double share = share_consumed(source);
    uint64_t total = source->total;
    if (source->progress.twice || source->progress.again) {
        share = (share + source->progress.again) / 2; /* of an uncompressed text, whose size is
                                                       * known */
        total = (total + (source->progress.again ? source->raw.total : 0)) / 2;
    }
    if (total <= source->progress.reported)
        return;
    source->progress.reported = total;
    source->progress.call(total, share, source->progress.payload);
}

static void fail_damaged(input_source *source)
{
    const char *reason = archive_error_string(source->archive);
    if (archive_errno(source->archive) == ENOMEM) {
        input_source_fail(source, TM_ENOMEM, "out of memory for decompressing the data");
        return;
    }
    input_source_fail(
        source, TM_EDATA,
        "the compressed data are truncated or damaged (%s); nothing was loaded, copy or "
        "download the file again",
        reason ? reason : "no reason given");
}

static bool next_raw(input_source *source)
{
    if (source->status != TM_OK || source->ended || input_source_is_cancelled(source))
        return false;
    const void *block;
    size_t size;
    la_int64_t offset;
    int got = archive_read_data_block(source->archive, &block, &size, &offset);
    source->ended = got == ARCHIVE_EOF;
    if (source->ended)
        return false;
    if (got != ARCHIVE_OK) {
        fail_damaged(source);
        return false;
    }
    if (size > source->max_bytes - source->total) {
        input_source_fail(
            source, TM_EDATA,
            "more than %llu bytes of text, the limit max_bytes; raise it for a trusted file",
            (unsigned long long)source->max_bytes);
        return false;
    }
    source->block = block;
    source->block_left = size;
    source->total += size;
    report_progress(source);
    return true;
}

/* The next bytes, decoded or not: those read before there was a decoder, then blocks. */
static bool next_bytes(input_source *source)
{
    if (source->held_size > 0) {
        source->block = source->held;
        source->block_left = source->held_size;
        source->held_size = 0;
        return true;
    }
    if (source->raw_left > 0) {
        source->block = source->raw_block;
        source->block_left = source->raw_left;
        source->raw_left = 0;
        return true;
    }
    return next_raw(source);
}

bool input_source_next_block(input_source *source)
{
    bool more = next_bytes(source);
    if (!source->decoder || source->status != TM_OK)
        return more;
    if (!more) {
        source->block = "";
        source->block_left = 0;
    }
    const char *wrong = decoder_next(source->decoder, &source->block, &source->block_left, !more);
    if (wrong)
        input_source_fail(source, TM_EDATA, "the text cannot be read: %s", wrong);
    return !wrong && (more || source->block_left > 0);
}

/* --- opening ------------------------------------------------------------------------------- */

tm_status input_source_open_file(input_source *source, const char *path)
{
    if (strcmp(path, "-") == 0) {
        source->raw.fd = STDIN_FILENO;
    } else {
        /* Non-blocking, so that a FIFO without a writer can be waited for and cancelled. */
        source->raw.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        source->raw.owns_fd = true;
        if (source->raw.fd < 0)
            return input_source_fail(source, TM_EIO, "cannot be opened: %s", strerror(errno));
    }
    struct stat about;
    if (fstat(source->raw.fd, &about) != 0)
        return input_source_fail(source, TM_EIO, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return input_source_fail(source, TM_EIO, "is a directory; name a data file");
    source->raw.waits = !S_ISREG(about.st_mode);
    source->raw.total = S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
    source->raw.buffer = malloc(RAW_BLOCK);
    return source->raw.buffer ? TM_OK
                              : (source->status = tm_fail_memory(source->err, "input buffer"));
}

/* Folders, and the metadata files that macOS adds, are not data. */
static bool is_file(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || name[length - 1] == '/')
        return false;
    const char *slash = strrchr(name, '/');
    return strncmp(name, "__MACOSX/", 9) != 0 && strcmp(slash ? slash + 1 : name, ".DS_Store") != 0;
}

/* libarchive reports an input whose first block cannot be decompressed as empty; a recorded error
 * therefore counts even at the end of the input. */
bool input_source_next_file(input_source *source)
{
    struct archive_entry *entry;
    int got;
    do
        got = archive_read_next_header(source->archive, &entry);
    while (got == ARCHIVE_OK && archive_format(source->archive) == ARCHIVE_FORMAT_ZIP &&
           !is_file(entry) && !input_source_is_cancelled(source));
    bool sound =
        got == ARCHIVE_OK || (got == ARCHIVE_EOF && !archive_error_string(source->archive));
    if (!sound && source->status == TM_OK)
        fail_damaged(source);
    source->ended = got == ARCHIVE_EOF;
    free(source->member);
    source->member = NULL;
    if (source->status != TM_OK || source->ended)
        return false;
    if (archive_format(source->archive) != ARCHIVE_FORMAT_ZIP)
        return true;
    source->member = text_copy(archive_entry_pathname(entry));
    if (!source->member)
        source->status = tm_fail_memory(source->err, "name in the archive");
    return source->status == TM_OK;
}

tm_status input_source_open_archive(input_source *source)
{
    struct archive *archive = source->archive = archive_read_new();
    if (!archive)
        return source->status = tm_fail_memory(source->err, "decompressor");
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_lzma(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_filter_lz4(archive);
    archive_read_support_format_zip_streamable(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    if (archive_read_open(archive, source, NULL, read_raw, NULL) == ARCHIVE_OK)
        input_source_next_file(source);
    else if (source->status == TM_OK)
        fail_damaged(source);
    return source->status;
}
