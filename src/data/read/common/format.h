/* The interface of a file format for tm_read: one read_format in its own file, and its row in
 * data/read/formats.h. */
#ifndef DATA_READ_COMMON_FORMAT_H
#define DATA_READ_COMMON_FORMAT_H

#include "data/read/common/build.h"
#include "data/read/common/input.h"
#include "tamis/dataset.h"

/* The choices of the option `missing`, in their order. */
typedef enum read_missing {
    MISSING_ERROR,
    MISSING_MEAN, /* replaced by the mean of the column */
    MISSING_DROP, /* the row is left out */
} read_missing;

/* What to read, and the options that concern every format. */
typedef struct read_request {
    const tm_params *params; /* of tm_reader_params, for the options of a single format */
    const tm_params *given;  /* the same without the options added by `like` */
    tm_params *own;          /* owns `params` if options were added; or NULL */
    const char
        *label; /* column of the response, name or number from 1; NULL: the format's default */
    bool response_apart;    /* the response is in a separate file, or there is none */
    bool unlabelled;        /* there is no response */
    uint64_t features;      /* at least this many columns */
    const tm_reading *like; /* the reading of another file, to be applied to this one; or NULL */
    bool may_lack;          /* rows for a model, without an explicit response: it may be absent */
    const input_spec *spec; /* the input */
    const char *path;       /* path of the file, for formats that use accompanying files; or NULL */
} read_request;

/* A TEXT option; NULL when it is not given. */
static inline const char *read_text_option(const read_request *request, const char *name)
{
    return tm_params_has(request->params, name) ? tm_params_text(request->params, name) : NULL;
}

/* Missing values are replaced as they were in the other file. */
static inline read_missing read_missing_option(const read_request *request)
{
    read_missing asked = (read_missing)tm_params_choice(request->params, "missing");
    return asked == MISSING_ERROR && request->like && request->like->fills ? MISSING_MEAN : asked;
}

/* The result of a format (y may stay NULL: the response is elsewhere); read.c adds the name and
 * makes the data set. read.c frees the contents, also after a failure. */
typedef struct read_result {
    tm_dataset_parts parts; /* including its reading, to be filled in */
    size_t *left_out; /* rows of the file that are not in the data, from 0, ascending; or NULL */
    size_t left_out_count;
    bool complete; /* the format has handled `label` and `features` itself, and y is set */
    char note[512];
    char sha256[65]; /* the fingerprint if the format knows it, else "" */
} read_result;

typedef tm_status read_function(read_result *result, input *in, const read_request *request,
                                tm_error *err);

/* Functions are optional unless stated otherwise. */
typedef struct read_format {
    tm_reader_info info;
    const char *title;             /* in messages: "this option is for TITLE" */
    const char *const *extensions; /* extensions that are not part of the data's name, terminated by
                                    * NULL */
    const char *const *shared;     /* options of another format that this one also has; or NULL */
    /* Data are read exactly as they were written: options that would change them are rejected. */
    bool fixed;
    bool text;          /* a text format, whose input is converted to UTF-8 */
    bool takes_archive; /* reads all files of a zip archive */
    /* Whether the window begins in a way that identifies this format. */
    bool (*recognise)(const input *in);
    /* Whether a text without such a mark is in this format, judging by its first line that is
     * neither blank nor a comment; an empty line: there is none. */
    bool (*recognise_line)(const char *line, const char *end);
    /* Whether this file is read by its path and not as a stream; `named`: the format was given by
     * the user. */
    bool (*takes_path)(const char *path, bool named);
    read_function *read; /* required */
    /* The same for files accepted by takes_path. */
    tm_status (*read_path)(read_result *result, const read_request *request, tm_error *err);
    /* Reads a response: a matrix of one column, with `n` numbers unless the file is malformed. */
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
