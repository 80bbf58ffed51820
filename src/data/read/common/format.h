/* What a file format offers to tm_read: one read_format in a file of its own, and its row in
 * data/read/formats.h. */
#ifndef DATA_READ_COMMON_FORMAT_H
#define DATA_READ_COMMON_FORMAT_H

#include "data/read/common/build.h"
#include "data/read/common/input.h"
#include "tamis/dataset.h"

/* The choices of the option `missing`, in their order. */
typedef enum read_missing {
    MISSING_ERROR,
    MISSING_MEAN, /* the mean of the column */
    MISSING_DROP, /* without the row */
} read_missing;

/* What is read, and the options that concern every format. */
typedef struct read_request {
    const tm_params *params; /* of tm_reader_params, for the options of a single format */
    const tm_params *given;  /* the same without what `like` adds */
    tm_params *own;          /* what `params` are when it adds some; or NULL */
    const char
        *label; /* column of the response, name or number from 1; NULL: the format's choice */
    bool response_apart;    /* the response is in a file of its own, or there is none */
    bool unlabelled;        /* there is none */
    uint64_t features;      /* at least this many columns */
    const tm_reading *like; /* what is known of another file and applied to this one; or NULL */
    bool may_lack; /* rows for a model, whose response nothing names: it need not be there */
    const input_spec *spec; /* what is read */
    const char *path;       /* of a file, for formats that have others beside it; or NULL */
} read_request;

/* A TEXT option; NULL when it is not given. */
static inline const char *read_text_option(const read_request *request, const char *name)
{
    return tm_params_has(request->params, name) ? tm_params_text(request->params, name) : NULL;
}

/* What another file's missing values became is what those of this one become. */
static inline read_missing read_missing_option(const read_request *request)
{
    read_missing asked = (read_missing)tm_params_choice(request->params, "missing");
    return asked == MISSING_ERROR && request->like && request->like->fills ? MISSING_MEAN : asked;
}

/* What a format fills in (y may stay NULL: the response is somewhere else); read.c adds the name
 * and makes the data set. What is filled in is freed by read.c, also after a failure. */
typedef struct read_result {
    tm_dataset_parts parts; /* with its reading, to be filled in */
    size_t *left_out; /* rows of the file that are not in the data, from 0, ascending; or NULL */
    size_t left_out_count;
    bool complete; /* the format has looked at label and features itself, and y is there */
    char note[512];
    char sha256[65]; /* the fingerprint when the format knows it, else "" */
} read_result;

typedef tm_status read_function(read_result *result, input *in, const read_request *request,
                                tm_error *err);

/* Functions are optional unless stated. */
typedef struct read_format {
    tm_reader_info info;
    const char *title;             /* in messages: "this option is for TITLE" */
    const char *const *extensions; /* that are no part of the data's name, ended by NULL */
    const char *const *shared;     /* options of another format that this one has, too; or NULL */
    /* Data that are read as they were written: options that would change them are refused. */
    bool fixed;
    bool text;          /* it is text, which becomes UTF-8 */
    bool takes_archive; /* reads all files of a zip archive */
    /* Whether the window begins as only this format does. */
    bool (*recognise)(const input *in);
    /* Whether a text without such a mark is of this format, from its first line that is neither
     * blank nor a comment; an empty line: there is none. */
    bool (*recognise_line)(const char *line, const char *end);
    /* Whether this file is read by its path and not as a stream; `named`: the format was chosen. */
    bool (*takes_path)(const char *path, bool named);
    read_function *read; /* required */
    /* The same for what takes_path takes. */
    tm_status (*read_path)(read_result *result, const read_request *request, tm_error *err);
    /* Reads a response: a matrix of one column, of `n` numbers unless the file is wrong. */
    tm_status (*read_column)(value_list *out, size_t n, input *in, tm_error *err);
} read_format;

/* Rows of tm_reader_params. */
#define READ_TEXT(name, help)                                                                      \
    {                                                                                              \
        name, TM_PARAM_TEXT, NULL, 0, 0, NULL, help, NULL, 0                                       \
    }
#define READ_CHOICE(name, fallback, help, values)                                                  \
    {                                                                                              \
        name, TM_PARAM_CHOICE, fallback, 0, 0, NULL, help, values, 0                               \
    }
#define READ_NO_OPTIONS

#endif
