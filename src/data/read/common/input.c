/* The window over the decompressed text, the position in it, and messages that give the
 * position. */
#include "data/read/common/input.h"

#include "data/read/common/input_source.h"

#include <archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 1 << 18 }; /* bytes of text in the window, unless more are needed at once */

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

/* A path too long for a message is cut at the front, because its end identifies the file. */
static void set_name(input_source *source, const char *name)
{
    size_t length = strlen(name);
    char *out = source->name;
    if (length > INPUT_NAME_SHOWN) {
        name += length - INPUT_NAME_SHOWN;
        while (continues_utf8(*name))
            name++;
        length = strlen(name);
        out = stpcpy(out, "...");
    }
    copy_printable(out, name, length);
}

tm_status input_fail(input *in, uint64_t line, uint64_t column, const char *format, ...)
{
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return input_source_fail(in->source, TM_EDATA, "line %llu, column %llu: %s",
                             (unsigned long long)line, (unsigned long long)column, text);
}

tm_status input_fail_whole(input *in, const char *format, ...)
{
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return input_source_fail(in->source, TM_EDATA, "%s", text);
}

tm_status input_fail_memory(input *in, const char *what)
{
    if (in->source->status == TM_OK)
        in->source->status = tm_fail_memory(in->source->err, what);
    return in->source->status;
}

bool input_is_cancelled(input *in)
{
    return input_source_is_cancelled(in->source);
}

tm_status input_status(const input *in)
{
    return in->source->status;
}

const char *input_name(const input *in)
{
    return in->source->name;
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
            more = input_source_next_block(source); /* the block may be empty */
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

tm_status input_take_all(input *in, char **out, size_t *size, const char *what)
{
    size_t room = 0;
    *out = NULL;
    *size = 0;
    for (;;) {
        input_fill(in, 1);
        size_t count = (size_t)(in->end - in->cur);
        if (count == 0)
            return input_status(in);
        if (*size + count > room) {
            room = 2 * (*size + count);
            char *grown = realloc(*out, room);
            if (!grown)
                return input_fail_memory(in, what);
            *out = grown;
        }
        memcpy(*out + *size, in->cur, count);
        *size += count;
        in->cur = in->end;
    }
}

bool input_is_plain(const input *in)
{
    const input_source *source = in->source;
    /* The first filter is libarchive's own reader of the file. */
    return !source->member && source->raw.total > 0 && archive_filter_count(source->archive) == 1;
}

void input_reads_twice(input *in)
{
    in->source->progress.twice = true;
}

void input_end_line(input *in)
{
    input_need(in);
    if (in->cur < in->end)
        input_pass_line_end(in);
}

void input_pass_line_end(input *in)
{
    if (*in->cur == '\r' && in->cur[1] == '\n')
        in->cur++;
    in->cur++;
    in->line++;
    in->line_start = in->buffer_start + (uint64_t)(in->cur - in->buffer);
}

/* --- text ---------------------------------------------------------------------------------- */

/* The unread bytes of the window are decoded, too. */
static tm_status decode(input *in, const char *encoding)
{
    input_source *source = in->source;
    size_t unread = (size_t)(in->end - in->cur);
    source->decoder = decoder_open(encoding);
    if (!source->decoder)
        return input_fail_whole(in, "the encoding \"%s\" is not known", encoding ? encoding : "");
    source->held = malloc(unread ? unread : 1);
    if (!source->held)
        return input_fail_memory(in, "text being read");
    memcpy(source->held, in->cur, unread);
    source->held_size = unread;
    source->raw_block = source->block;
    source->raw_left = source->block_left;
    source->block_left = 0;
    in->end = in->cur;
    in->eof = false;
    input_fill(in, INPUT_LOOKAHEAD);
    return source->status;
}

tm_status input_as_text(input *in)
{
    return in->source->decoder || in->source->status != TM_OK ? in->source->status
                                                              : decode(in, in->source->encoding);
}

const char *input_encoding(const input *in)
{
    return decoder_encoding(in->source->decoder);
}

static void skip_mark(input *in)
{
    if (in->end - in->cur >= 3 && memcmp(in->cur, "\xef\xbb\xbf", 3) == 0) {
        in->cur += 3;
        in->line_start = in->buffer_start + (uint64_t)(in->cur - in->buffer);
    }
}

/* UTF-16 is detected from its byte order mark. */
static void find_utf16(input *in)
{
    if (in->end - in->cur < 2 || in->source->encoding)
        return;
    if (memcmp(in->cur, "\xff\xfe", 2) == 0)
        decode(in, "UTF-16LE");
    else if (memcmp(in->cur, "\xfe\xff", 2) == 0)
        decode(in, "UTF-16BE");
}

/* --- opening ------------------------------------------------------------------------------- */

static void stop_decoding(input_source *source)
{
    decoder_close(source->decoder);
    free(source->held);
    source->decoder = NULL;
    source->held = NULL;
    source->held_size = source->raw_left = 0;
}

/* Puts an empty window at the present position. */
static void start_window(input *in)
{
    in->cur = in->end = in->buffer;
    in->buffer_start = 0;
    in->line_start = 0;
    in->line = 1;
    in->eof = false;
    in->source->block_left = 0;
    stop_decoding(in->source);
    input_fill(in, INPUT_LOOKAHEAD);
    find_utf16(in);
    skip_mark(in);
}

const char *input_member(const input *in)
{
    return in->source->member;
}

bool input_next_member(input *in)
{
    if (in->source->status != TM_OK || !in->source->member || !input_source_next_file(in->source))
        return false;
    start_window(in);
    return in->source->status == TM_OK;
}

static tm_status start(input *in, const input_spec *spec)
{
    input_source *source = in->source;
    if (spec->bytes) {
        source->raw.bytes = spec->bytes;
        source->raw.size = spec->size;
        source->raw.total = spec->size;
    } else if (input_source_open_file(source, spec->path) != TM_OK) {
        return source->status;
    }
    if (input_source_open_archive(source) != TM_OK)
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
    source->raw.fd = -1;
    source->err = err;
    source->progress.again = spec->again;
    source->encoding = spec->encoding;
    source->max_bytes = spec->max_bytes;
    source->cancel = spec->cancel;
    source->progress.call = spec->progress;
    source->progress.payload = spec->payload;
    set_name(source, spec->name);
    tm_status status = start(in, spec);
    if (status == TM_OK)
        *out = in;
    else
        input_close(in);
    return status;
}

void input_close(input *in)
{
    if (!in)
        return;
    input_source *source = in->source;
    if (source->archive)
        archive_read_free(source->archive);
    if (source->raw.owns_fd && source->raw.fd >= 0)
        close(source->raw.fd);
    free(source->raw.buffer);
    free(source->member);
    stop_decoding(source);
    free(source);
    free(in->buffer);
    free(in);
}
