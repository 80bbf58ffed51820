/* Tags and notes of runs and sweeps. */
#include "tamis/annotation.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_BYTES = 64 };

static bool is_tag(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++) {
        unsigned char c = (unsigned char)text[length];
        if (c <= ' ' || c == 127 || c == ',')
            return false;
    }
    return length > 0 && length <= TAG_BYTES;
}

/* The position of the tag in the list of tags; NULL if it is not there. */
static char *find(char *tags, const char *tag)
{
    size_t length = strlen(tag);
    for (char *at = tags; at && *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, tag, word) == 0)
            return at;
        at += word;
    }
    return NULL;
}

tm_status tm_annotation_add(tm_annotation *annotation, const char *tag, tm_error *err)
{
    char *more;
    if (!is_tag(tag))
        return tm_fail(err, TM_EUSAGE,
                       "'%.80s' is no tag: expected a word of 1 to %d bytes without blanks and "
                       "commas",
                       tag, TAG_BYTES);
    if (find(annotation->tags, tag))
        return TM_OK;
    const char *before = annotation->tags ? annotation->tags : "";
    if (asprintf(&more, "%s%s%s", before, before[0] ? " " : "", tag) < 0)
        return tm_fail_memory(err, "a tag");
    free(annotation->tags);
    annotation->tags = more;
    return TM_OK;
}

bool tm_annotation_remove(tm_annotation *annotation, const char *tag)
{
    char *at = is_tag(tag) ? find(annotation->tags, tag) : NULL;
    if (!at)
        return false;
    char *end = at + strlen(tag);
    if (*end)
        memmove(at, end + 1, strlen(end + 1) + 1);
    else
        at[at > annotation->tags ? -1 : 0] = '\0';
    return true;
}

tm_status tm_annotation_set_note(tm_annotation *annotation, const char *note, tm_error *err)
{
    char *own = note && note[0] ? text_copy(note) : NULL;
    if (note && note[0] && !own)
        return tm_fail_memory(err, "a note");
    free(annotation->note);
    annotation->note = own;
    return TM_OK;
}

tm_status tm_annotation_copy(tm_annotation *out, const tm_annotation *from, tm_error *err)
{
    *out = (tm_annotation){NULL, NULL};
    if (from && from->tags && from->tags[0]) {
        out->tags = text_copy(from->tags);
        if (!out->tags)
            return tm_fail_memory(err, "a tag");
    }
    return tm_annotation_set_note(out, from ? from->note : NULL, err);
}

void tm_annotation_clear(tm_annotation *annotation)
{
    free(annotation->tags);
    free(annotation->note);
    *annotation = (tm_annotation){NULL, NULL};
}
