/* Input for the readers: a sliding window over the decompressed bytes of a file, of standard input
 * or of memory, with the position that error messages name.
 *
 * Failures are sticky: after one, the window looks like the end of the input, and input_fail and
 * input_status report the first failure. Readers therefore test for errors once, at the end. */
#ifndef DATA_READ_COMMON_INPUT_H
#define DATA_READ_COMMON_INPUT_H

#include "tamis/reader.h"

#include <stdarg.h>

/* Bytes that input_need makes available: longer tokens are not numbers. */
enum { INPUT_LOOKAHEAD = 1024 };

typedef struct input_source input_source;

typedef struct input {
    char *cur, *end;       /* unread bytes of the window; *end is a NUL that is not part of them */
    bool eof;              /* nothing follows the window */
    uint64_t line;         /* number of the line that holds cur, from 1 */
    uint64_t line_start;   /* offset of that line's first byte in the text */
    char *buffer;          /* what cur and end point into; readers may change its unread bytes */
    uint64_t buffer_start; /* offset of buffer[0] in the text */
    input_source *source;
} input;

typedef struct input_spec {
    const char *path;           /* file, or "-" for standard input; ignored when bytes are given */
    const void *bytes;          /* or NULL */
    size_t size;                /* of bytes */
    const char *name;           /* for messages */
    const char *encoding;       /* of text, as iconv names it; NULL: found from the text */
    uint64_t max_bytes;         /* cap on the decompressed size */
    bool again;                 /* the second reading of the text: progress begins at the half */
    tm_cancel *cancel;          /* or NULL */
    tm_read_progress *progress; /* or NULL */
    void *payload;
} input_spec;

/* Opens, finds the compression from the content and skips a UTF-8 byte order mark. Of a zip archive
 * the first file is read. `err` is kept
 * for later failures and must outlive the input; it may be NULL. On failure nothing is open. */
tm_status input_open(input **out, const input_spec *spec, tm_error *err);
void input_close(input *in);

/* Whether the text is the content of a regular file, or of memory, as it is: reading it once more
 * costs little. */
bool input_is_plain(const input *in);
/* The text will be read once more, with `again` in the spec: progress is spread over both readings.
 */
void input_reads_twice(input *in);
/* Takes what is read from here on for text: it becomes UTF-8 (see decoder.h). */
tm_status input_as_text(input *in);
/* The encoding of a text that is not UTF-8, else NULL. */
const char *input_encoding(const input *in);
/* The name of the file within a zip archive that is being read, or NULL. */
const char *input_member(const input *in);
/* On to the next file of the archive; false when there is none, and after a failure. */
bool input_next_member(input *in);

/* Makes at least `want` unread bytes available, or all that are left. Moves cur and end. */
void input_fill(input *in, size_t want);

/* All that is left, malloc'ed, *size bytes; NULL when there are none. Memory grows with what
 * arrives. `what` is named when it runs out. *out is the caller's, also on failure. */
tm_status input_take_all(input *in, char **out, size_t *size, const char *what);

/* input_fill for one token. */
static inline void input_need(input *in)
{
    if (in->end - in->cur < INPUT_LOOKAHEAD && !in->eof)
        input_fill(in, INPUT_LOOKAHEAD);
}

/* Position of byte `at` of the window in its line, in bytes from 1. */
static inline uint64_t input_column(const input *in, const char *at)
{
    return in->buffer_start + (uint64_t)(at - in->buffer) - in->line_start + 1;
}

/* Consumes a line end (LF, CR LF or CR) at cur. */
void input_end_line(input *in);
/* Goes past the line end that stands here. */
void input_pass_line_end(input *in);

/* The first failure of reading, or TM_OK. */
tm_status input_status(const input *in);
/* Short and printable name of the input. */
const char *input_name(const input *in);

/* Reports malformed content as "name: line L, column C: ...", or keeps an earlier failure of
 * reading itself, of which the malformed content is a consequence. Always returns an error. */
tm_status input_fail(input *in, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same without a position: "name: ...". */
tm_status input_fail_whole(input *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Memory ran out for `what`. */
tm_status input_fail_memory(input *in, const char *what);

/* Text of the input as it may be shown in a message: cut to fit, control characters replaced. */
typedef struct input_quote {
    char text[56];
} input_quote;
input_quote input_quoted(const char *text, size_t length);

#endif
