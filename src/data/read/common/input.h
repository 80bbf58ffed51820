/* Input for the readers: a sliding window over the decompressed bytes of a file, of standard input
 * or of memory, with the position for error messages.
 *
 * Failures are sticky: after one, the window looks like the end of the input, and input_fail and
 * input_status report the first failure. Readers therefore test for errors once, at the end. */
#ifndef DATA_READ_COMMON_INPUT_H
#define DATA_READ_COMMON_INPUT_H

#include "tamis/reader.h"

#include <stdarg.h>

/* Bytes that input_need makes available: a longer token cannot be a number. */
enum { INPUT_LOOKAHEAD = 1024 };

typedef struct input_source input_source;

typedef struct input {
    char *cur, *end;       /* unread bytes of the window; *end is a NUL that is not part of them */
    bool eof;              /* nothing follows the window */
    uint64_t line;         /* number of the line that holds cur, from 1 */
    uint64_t line_start;   /* offset of that line's first byte in the text */
    char *buffer;          /* holds the bytes from cur to end; readers may modify unread bytes */
    uint64_t buffer_start; /* offset of buffer[0] in the text */
    input_source *source;
} input;

typedef struct input_spec {
    const char *path;           /* or NULL: memory to read instead */
    const void *bytes;          /* number of bytes */
    size_t size;                /* of bytes */
    const char *name;           /* for messages */
    const char *encoding;       /* encoding of text, as iconv names it; NULL: detected from the
                                 * text */
    uint64_t max_bytes;         /* limit on the decompressed size */
    bool again;                 /* this is the second reading of the text: progress starts at one
                                 * half */
    tm_cancel *cancel;          /* or NULL */
    tm_read_progress *progress; /* or NULL */
    void *payload;
} input_spec;

/* Opens the input, detects the compression from the content and skips a UTF-8 byte order mark. Of a
 * zip archive the first file is read. `err` is kept for later failures and must outlive the input;
 * it may be NULL. On failure nothing is open. */
tm_status input_open(input **out, const input_spec *spec, tm_error *err);
void input_close(input *in);

/* Whether the text is the uncompressed content of a regular file or of memory: reading it again is
 * cheap. */
bool input_is_plain(const input *in);
/* Announces that the text will be read again, with `again` in the spec: progress is spread over
 * both readings. */
void input_reads_twice(input *in);
/* Treats what is read from here on as text and converts it to UTF-8 (see decoder.h). */
tm_status input_as_text(input *in);
/* The encoding of a text that is not UTF-8, else NULL. */
const char *input_encoding(const input *in);
/* The name of the file within a zip archive that is being read, or NULL. */
const char *input_member(const input *in);
/* Moves on to the next file of the archive; false when there is none, and after a failure. */
bool input_next_member(input *in);

/* Makes at least `want` unread bytes available, or all that are left. Moves cur and end. */
void input_fill(input *in, size_t want);

/* Reads all that is left, malloc'ed, *size bytes; NULL when nothing is left. Memory grows with the
 * bytes read. `what` is named in the message when it runs out. The caller frees *out, also on
 * failure. */
tm_status input_take_all(input *in, char **out, size_t *size, const char *what);

/* input_fill for one token. */
static inline void input_need(input *in)
{
    if (in->end - in->cur < INPUT_LOOKAHEAD && !in->eof)
        input_fill(in, INPUT_LOOKAHEAD);
}

/* The position in its line of byte `at` of the window, in bytes from 1. */
static inline uint64_t input_column(const input *in, const char *at)
{
    return in->buffer_start + (uint64_t)(at - in->buffer) - in->line_start + 1;
}

/* Consumes a line end (LF, CR LF or CR) at cur. */
void input_end_line(input *in);
/* Consumes the line end at the present position. */
void input_pass_line_end(input *in);

/* Whether reading has been cancelled, which is a failure then: for readers that wait for something
 * else than bytes of the input. */
bool input_is_cancelled(input *in);

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
/* Reports that memory ran out for `what`. */
tm_status input_fail_memory(input *in, const char *what);

/* Text of the input in a form suitable for a message: shortened, with control characters
 * replaced. */
typedef struct input_quote {
    char text[56];
} input_quote;
input_quote input_quoted(const char *text, size_t length);

#endif
