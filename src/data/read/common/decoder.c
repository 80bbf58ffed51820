#include "data/read/common/decoder.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Upper bounds of the bytes of a character in any encoding, and of the UTF-8 bytes that one input
 * byte can become. */
enum { LONGEST = 16, GROWTH = 4 };

struct decoder {
    iconv_t convert; /* (iconv_t)-1: UTF-8 so far */
    char *encoding;  /* NULL: detected from the text */
    bool beyond;     /* a non-ASCII character of UTF-8 has been read */
    char tail[LONGEST];
    size_t tail_size; /* bytes of an incomplete character at the end of the last block */
    char *joined;     /* the tail followed by a block */
    size_t joined_room;
    char *out;
    size_t out_room;
};

static const iconv_t none = (iconv_t)-1;

decoder *decoder_open(const char *encoding)
{
    decoder *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->convert = none;
    if (!encoding)
        return d;
    d->encoding = text_copy(encoding);
    d->convert = iconv_open("UTF-8", encoding);
    if (d->encoding && d->convert != none)
        return d;
    decoder_close(d);
    return NULL;
}

void decoder_close(decoder *d)
{
    if (!d)
        return;
    if (d->convert != none)
        iconv_close(d->convert);
    free(d->encoding);
    free(d->joined);
    free(d->out);
    free(d);
}

const char *decoder_encoding(const decoder *d)
{
    return d ? d->encoding : NULL;
}

static bool make_room(char **buffer, size_t *room, size_t want)
{
    if (want <= *room)
        return true;
    char *grown = realloc(*buffer, want);
    if (!grown)
        return false;
    *buffer = grown;
    *room = want;
    return true;
}

/* The length of the character that starts here: 0 when it is invalid, and more than `left` when it
 * may be incomplete. */
static size_t length_here(const unsigned char *at, size_t left)
{
    size_t length = at[0] < 0x80                     ? 1
                    : at[0] >= 0xc2 && at[0] <= 0xdf ? 2
                    : at[0] >= 0xe0 && at[0] <= 0xef ? 3
                    : at[0] >= 0xf0 && at[0] <= 0xf4 ? 4
                                                     : 0;
    for (size_t k = 1; k < length && k < left; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    bool overlong = length > 2 && left > 1 &&
                    ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
                     (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f));
    return overlong ? 0 : length;
}

/* The number of bytes that are valid UTF-8; *broken: what follows is invalid. */
static size_t check(decoder *d, const char *text, size_t size, bool *broken)
{
    static const uint64_t high = 0x8080808080808080u;
    size_t at = 0;
    *broken = false;
    while (at < size) {
        uint64_t eight;
        if (size - at >= sizeof eight) {
            memcpy(&eight, text + at, sizeof eight);
            if (!(eight & high)) {
                at += sizeof eight;
                continue;
            }
        }
        size_t length = length_here((const unsigned char *)text + at, size - at);
        *broken = length == 0;
        if (length == 0 || length > size - at)
            break;
        d->beyond = d->beyond || length > 1;
        at += length;
    }
    return at;
}

static const char *convert(decoder *d, const char **block, size_t *size, bool last)
{
    if (!make_room(&d->out, &d->out_room, GROWTH * *size + LONGEST))
        return "out of memory for its characters";
    char *in = (char *)(uintptr_t)*block, *out = d->out;
    size_t in_left = *size, out_left = d->out_room;
    size_t done = iconv(d->convert, &in, &in_left, &out, &out_left);
    bool cut = done == (size_t)-1 && errno == EINVAL && in_left < LONGEST && !last;
    if (done == (size_t)-1 && !cut)
        return "it has bytes that are not valid in its encoding; convert it to UTF-8, or name its "
               "encoding with the option encoding";
    d->tail_size = in_left;
    memcpy(d->tail, in, in_left);
    *block = d->out;
    *size = (size_t)(out - d->out);
    return NULL;
}

/* The text is not UTF-8 from here on. */
static const char *begin_latin(decoder *d)
{
    static const char latin[] = "WINDOWS-1252";
    if (d->beyond)
        return "it is UTF-8 at first and then is not; convert it to UTF-8, or name its encoding "
               "with the option encoding";
    d->encoding = text_copy(latin);
    d->convert = iconv_open("UTF-8", latin);
    return d->encoding && d->convert != none ? NULL : "text that is not UTF-8 cannot be converted";
}

const char *decoder_next(decoder *d, const char **block, size_t *size, bool last)
{
    if (d->tail_size > 0) {
        size_t whole = d->tail_size + *size;
        if (!make_room(&d->joined, &d->joined_room, whole))
            return "out of memory for its characters";
        memcpy(d->joined, d->tail, d->tail_size);
        memcpy(d->joined + d->tail_size, *block, *size);
        *block = d->joined;
        *size = whole;
        d->tail_size = 0;
    }
    if (d->convert != none)
        return convert(d, block, size, last);
    bool broken;
    size_t good = check(d, *block, *size, &broken);
    if (broken || (last && good < *size)) {
        const char *wrong = begin_latin(d);
        return wrong ? wrong : convert(d, block, size, last);
    }
    d->tail_size = *size - good;
    memcpy(d->tail, *block + good, d->tail_size);
    *size = good;
    return NULL;
}
