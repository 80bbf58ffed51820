/* The source of an input's text: a file, a pipe or memory, read through libarchive, which
 * decompresses it. */
#ifndef DATA_READ_COMMON_INPUT_SOURCE_H
#define DATA_READ_COMMON_INPUT_SOURCE_H

#include "data/read/common/decoder.h"
#include "tamis/reader.h"

#include <stdarg.h>
#include <time.h>

enum { INPUT_NAME_SHOWN = 200 };

/* The raw bytes of the file or of memory. */
typedef struct input_raw {
    const char *bytes; /* memory to read, or NULL for the descriptor */
    size_t size, taken;
    int fd; /* -1: none */
    bool owns_fd;
    bool waits;     /* a pipe or terminal: reading may block */
    uint64_t total; /* size of a regular file or of memory; 0 when unknown */
    char *buffer;   /* for the descriptor */
} input_raw;

typedef struct input_progress {
    tm_read_progress *call; /* or NULL */
    void *payload;
    bool again, twice; /* this is the second of two readings of the text; the first of two */
    uint64_t reported; /* the fraction never decreases, even if `twice` is set during reading */
    struct timespec last;
} input_progress;

typedef struct input_source {
    input_raw raw;
    input_progress progress;
    struct archive *archive;
    size_t capacity;   /* of the window's buffer, without its terminator */
    const char *block; /* decompressed bytes not yet in the window */
    size_t block_left;
    bool ended;       /* nothing follows that block */
    decoder *decoder; /* converts blocks to UTF-8; NULL: they are not converted */
    char *held;       /* bytes that were in the window before there was a decoder */
    const char *raw_block;
    size_t held_size, raw_left; /* number of those left; raw bytes after them, before the next
                                 * block */
    const char *encoding;       /* the encoding requested; or NULL */
    uint64_t total;             /* decompressed so far */
    char *member; /* name of the file within a zip archive; NULL: there is no archive */
    uint64_t max_bytes;
    tm_cancel *cancel;
    tm_status status;
    tm_error *err;
    char name[INPUT_NAME_SHOWN + 8];
} input_source;

/* Reports "name: ...", or keeps an earlier failure. Always returns an error. */
tm_status input_source_fail(input_source *source, tm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether reading has been cancelled, which is a failure then. */
bool input_source_is_cancelled(input_source *source);

/* Opens a file, or standard input for "-". */
tm_status input_source_open_file(input_source *source, const char *path);
/* Detects the compression, and finds the first file of an archive. */
tm_status input_source_open_archive(input_source *source);
/* The next file of a zip archive, or the only one of a plain or compressed file; false at the end
 * and after a failure. */
bool input_source_next_file(input_source *source);
/* Takes the next decompressed block, decoded; false at the end and after a failure. */
bool input_source_next_block(input_source *source);

#endif
