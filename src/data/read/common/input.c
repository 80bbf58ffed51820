/* Input: libarchive undoes the compression, this file keeps the window and the position. */
#include "data/read/common/input.h"

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
#include <time.h>
#include <unistd.h>

enum {
    RAW_BLOCK = 1 << 18,    /* bytes asked of the file at a time */
    WINDOW = 1 << 18,       /* bytes of text held, unless more are needed at once */
    POLL_MILLISECONDS = 40, /* longest wait on a pipe between two looks at the cancel token */
    PROGRESS_NANOSECONDS = 33000000,
    NAME_SHOWN = 200,
};

struct input_source {
    struct archive *archive;
    const char *bytes; /* memory to read, or NULL for the descriptor */
    size_t size, taken;
    int fd; /* -1: none */
    bool owns_fd;
    bool waits;        /* a pipe or terminal: reading may block */
    uint64_t raw_size; /* of a regular file or of memory; 0 when unknown */
    char *raw;         /* RAW_BLOCK bytes for the descriptor */
    size_t capacity;   /* of the window's buffer, without its sentinel */
    const char *block; /* decompressed bytes that have not entered the window */
    size_t block_left;
    bool ended;     /* nothing follows that block */
    uint64_t total; /* decompressed so far */
    char *member;   /* name of the file within a zip archive; NULL: there is no archive */
    uint64_t max_bytes;
    tm_cancel *cancel;
    tm_read_progress *progress;
    void *payload;
    bool again, twice;       /* this is the second of two readings of the text; the first */
    uint64_t total_reported; /* it only rises, also when twice becomes true on the way */
    struct timespec last_progress;
    tm_status status;
    tm_error *err;
    char name[NAME_SHOWN + 8];
};

/* --- messages ------------------------------------------------------------------------------ */

static bool continues_utf8(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void copy_printable(char *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        out[i] = c < 0x20 || c == 0x7f ? '?' : text[i];
    }
    out[length] = '\0';
}

input_quote input_quoted(const char *text, size_t length)
{
    enum { SHOWN = 40 };
    input_quote quote = {""};
    bool cut = length > SHOWN;
    if (cut) {
        length = SHOWN;
        while (length > 0 && continues_utf8(text[length]))
            length--;
    }
    copy_printable(quote.text, text, length);
    if (cut)
        strcpy(quote.text + length, "...");
    return quote;
}

/* A path too long for a message keeps its end, which tells files apart. */
static void set_name(input_source *source, const char *name)
{
    size_t length = strlen(name);
    char *out = source->name;
    if (length > NAME_SHOWN) {
        name += length - NAME_SHOWN;
        while (continues_utf8(*name))
            name++;
        length = strlen(name);
        out = stpcpy(out, "...");
    }
    copy_printable(out, name, length);
}

static tm_status fail_source(input_source *source, tm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static tm_status fail_source(input_source *source, tm_status status, const char *format, ...)
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

tm_status input_fail(input *in, uint64_t line, uint64_t column, const char *format, ...)
{
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_source(in->source, TM_EDATA, "line %llu, column %llu: %s", (unsigned long long)line,
                       (unsigned long long)column, text);
}

tm_status input_fail_whole(input *in, const char *format, ...)
{
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_source(in->source, TM_EDATA, "%s", text);
}

tm_status input_fail_memory(input *in, const char *what)
{
    if (in->source->status == TM_OK)
        in->source->status = tm_fail_memory(in->source->err, what);
    return in->source->status;
}

tm_status input_status(const input *in)
{
    return in->source->status;
}

const char *input_name(const input *in)
{
    return in->source->name;
}

/* --- raw bytes for libarchive -------------------------------------------------------------- */

static bool is_cancelled(input_source *source)
{
    if (!tm_cancel_poll(source->cancel))
        return false;
    fail_source(source, TM_ECANCELLED, "reading was cancelled");
    return true;
}

/* Waits until the descriptor has bytes, in steps short enough for the cancel token. */
static bool wait_readable(input_source *source)
{
    struct pollfd watched = {source->fd, POLLIN, 0};
    for (;;) {
        if (is_cancelled(source))
            return false;
        int ready = poll(&watched, 1, POLL_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
}

static la_ssize_t read_descriptor(input_source *source)
{
    for (;;) {
        if (source->waits && !wait_readable(source))
            return ARCHIVE_FATAL;
        ssize_t got = read(source->fd, source->raw, RAW_BLOCK);
        if (got >= 0)
            return got;
        if (errno == EINTR || (errno == EAGAIN && source->waits))
            continue;
        fail_source(source, TM_EIO, "cannot be read: %s", strerror(errno));
        return ARCHIVE_FATAL;
    }
}

static la_ssize_t read_raw(struct archive *archive, void *payload, const void **block)
{
    input_source *source = payload;
    la_ssize_t got;
    if (source->bytes) {
        size_t left = source->size - source->taken;
        got = (la_ssize_t)(left < RAW_BLOCK ? left : RAW_BLOCK);
        *block = source->bytes + source->taken;
        source->taken += (size_t)got;
    } else {
        got = read_descriptor(source);
        *block = source->raw;
    }
    if (got < 0)
        archive_set_error(archive, EIO, "reading failed");
    return got;
}

/* --- decompressed blocks ------------------------------------------------------------------- */

static double share_consumed(const input_source *source)
{
    if (source->raw_size == 0)
        return -1.0;
    double share = (double)archive_filter_bytes(source->archive, -1) / (double)source->raw_size;
    return share > 1.0 ? 1.0 : share;
}

static void report_progress(input_source *source)
{
    if (!source->progress)
        return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed = (int64_t)(now.tv_sec - source->last_progress.tv_sec) * 1000000000 +
                     (now.tv_nsec - source->last_progress.tv_nsec);
    if (passed < PROGRESS_NANOSECONDS)
        return;
    source->last_progress = now;
    double share = share_consumed(source);
    uint64_t total = source->total;
    if (source->twice || source->again) {
        share = (share + source->again) / 2; /* of a plain text, which is known */
        total = (total + (source->again ? source->raw_size : 0)) / 2;
    }
    if (total <= source->total_reported)
        return;
    source->total_reported = total;
    source->progress(total, share, source->payload);
}

static void fail_damaged(input_source *source)
{
    const char *reason = archive_error_string(source->archive);
    if (archive_errno(source->archive) == ENOMEM) {
        fail_source(source, TM_ENOMEM, "out of memory for decompressing the data");
        return;
    }
    fail_source(source, TM_EDATA,
                "the compressed data are truncated or damaged (%s); nothing was loaded, copy or "
                "download the file again",
                reason ? reason : "no reason given");
}

/* Takes the next decompressed block; false at the end and after a failure. */
static bool next_block(input_source *source)
{
    if (source->status != TM_OK || source->ended || is_cancelled(source))
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
        fail_source(source, TM_EDATA,
                    "more than %llu bytes of text, the cap max_bytes; raise it for a trusted file",
                    (unsigned long long)source->max_bytes);
        return false;
    }
    source->block = block;
    source->block_left = size;
    source->total += size;
    report_progress(source);
    return true;
}

/* --- the window ---------------------------------------------------------------------------- */

/* Moves the unread bytes to the front of a buffer of at least `want` bytes. */
static bool make_room(input *in, size_t want)
{
    input_source *source = in->source;
    size_t unread = (size_t)(in->end - in->cur);
    in->buffer_start += (uint64_t)(in->cur - in->buffer);
    memmove(in->buffer, in->cur, unread);
    if (want > source->capacity) {
        size_t capacity = want > 2 * source->capacity ? want : 2 * source->capacity;
        char *grown = realloc(in->buffer, capacity + 1);
        if (grown) {
            in->buffer = grown;
            source->capacity = capacity;
        } else {
            input_fail_memory(in, "text being read");
        }
    }
    in->cur = in->buffer;
    in->end = in->buffer + unread;
    return source->status == TM_OK;
}

void input_fill(input *in, size_t want)
{
    input_source *source = in->source;
    bool more = !in->eof && make_room(in, want);
    while (more && (size_t)(in->end - in->cur) < want) {
        if (source->block_left == 0) {
            more = next_block(source); /* which may be an empty one */
            continue;
        }
        size_t room = source->capacity - (size_t)(in->end - in->buffer);
        size_t take = source->block_left < room ? source->block_left : room;
        memcpy(in->end, source->block, take);
        in->end += take;
        source->block += take;
        source->block_left -= take;
    }
    if (!more)
        in->eof = true;
    if (source->status != TM_OK)
        in->end = in->cur;
    *in->end = '\0';
}

bool input_is_plain(const input *in)
{
    const input_source *source = in->source;
    /* The first filter is libarchive's own reading of the file. */
    return !source->member && source->raw_size > 0 && archive_filter_count(source->archive) == 1;
}

void input_reads_twice(input *in)
{
    in->source->twice = true;
}

void input_end_line(input *in)
{
    input_need(in);
    if (in->cur == in->end)
        return;
    if (*in->cur == '\r' && in->cur[1] == '\n')
        in->cur++;
    in->cur++;
    in->line++;
    in->line_start = in->buffer_start + (uint64_t)(in->cur - in->buffer);
}

/* --- opening ------------------------------------------------------------------------------- */

static tm_status open_descriptor(input_source *source, const char *path)
{
    if (strcmp(path, "-") == 0) {
        source->fd = STDIN_FILENO;
    } else {
        /* Non-blocking, so that a FIFO without a writer can be waited for and cancelled. */
        source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        source->owns_fd = true;
        if (source->fd < 0)
            return fail_source(source, TM_EIO, "cannot be opened: %s", strerror(errno));
    }
    struct stat about;
    if (fstat(source->fd, &about) != 0)
        return fail_source(source, TM_EIO, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return fail_source(source, TM_EIO, "is a directory; name a data file");
    source->waits = !S_ISREG(about.st_mode);
    source->raw_size = S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
    source->raw = malloc(RAW_BLOCK);
    return source->raw ? TM_OK : (source->status = tm_fail_memory(source->err, "input buffer"));
}

/* Folders, and what a Mac leaves beside the files, are no data. */
static bool is_file(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || name[length - 1] == '/')
        return false;
    const char *slash = strrchr(name, '/');
    return strncmp(name, "__MACOSX/", 9) != 0 && strcmp(slash ? slash + 1 : name, ".DS_Store") != 0;
}

/* The next file of a zip archive, or the only one of a plain or compressed file. libarchive takes
 * an input whose first block cannot be decompressed for an empty one, so that an error left behind
 * counts even when it reports the end. */
static bool next_file(input_source *source)
{
    struct archive_entry *entry;
    int got;
    do
        got = archive_read_next_header(source->archive, &entry);
    while (got == ARCHIVE_OK && archive_format(source->archive) == ARCHIVE_FORMAT_ZIP &&
           !is_file(entry) && !is_cancelled(source));
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

/* Finds the compression. */
static tm_status open_archive(input_source *source)
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
        next_file(source);
    else if (source->status == TM_OK)
        fail_damaged(source);
    return source->status;
}

/* Puts an empty window at the start of what follows. */
static void start_window(input *in)
{
    in->cur = in->end = in->buffer;
    in->buffer_start = 0;
    in->line_start = 0;
    in->line = 1;
    in->eof = false;
    in->source->block_left = 0;
    input_fill(in, INPUT_LOOKAHEAD);
    if (in->end - in->cur >= 3 && memcmp(in->cur, "\xef\xbb\xbf", 3) == 0) {
        in->cur += 3;
        in->line_start = 3;
    }
}

const char *input_member(const input *in)
{
    return in->source->member;
}

bool input_next_member(input *in)
{
    if (in->source->status != TM_OK || !in->source->member || !next_file(in->source))
        return false;
    start_window(in);
    return in->source->status == TM_OK;
}

static tm_status start(input *in, const input_spec *spec)
{
    input_source *source = in->source;
    if (spec->bytes) {
        source->bytes = spec->bytes;
        source->size = spec->size;
        source->raw_size = spec->size;
    } else if (open_descriptor(source, spec->path) != TM_OK) {
        return source->status;
    }
    if (open_archive(source) != TM_OK)
        return source->status;
    in->buffer = malloc(WINDOW + 1);
    if (!in->buffer)
        return source->status = tm_fail_memory(source->err, "input buffer");
    source->capacity = WINDOW;
    start_window(in);
    return source->status;
}

tm_status input_open(input **out, const input_spec *spec, tm_error *err)
{
    *out = NULL;
    input *in = calloc(1, sizeof *in);
    input_source *source = calloc(1, sizeof *source);
    if (!in || !source) {
        free(in);
        free(source);
        return tm_fail_memory(err, "input");
    }
    in->source = source;
    source->fd = -1;
    source->err = err;
    source->again = spec->again;
    source->max_bytes = spec->max_bytes;
    source->cancel = spec->cancel;
    source->progress = spec->progress;
    source->payload = spec->payload;
    set_name(source, spec->name);
    tm_status status = start(in, spec);
    if (status != TM_OK) {
        input_close(in);
        return status;
    }
    *out = in;
    return TM_OK;
}

void input_close(input *in)
{
    if (!in)
        return;
    input_source *source = in->source;
    if (source->archive)
        archive_read_free(source->archive);
    if (source->owns_fd && source->fd >= 0)
        close(source->fd);
    free(source->raw);
    free(source->member);
    free(source);
    free(in->buffer);
    free(in);
}
