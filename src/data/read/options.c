/* The formats and options of tm_read. */
#include "base/text.h"
#include "data/read/common/format.h"
#include "data/read/formats.h"
#include "data/read/steps.h"
#include "data/reading.h"

#include <string.h>
#include <unistd.h>

#define FORMAT_POINTER(id, help, ...) &read_format_##id,
#define FORMAT_CHOICE(id, help, ...) {#id, help},
#define FORMAT_OPTIONS(id, help, ...) __VA_ARGS__
#define FORMAT_OWN(id, help, ...)                                                                  \
    static const tm_param_info own_##id[] = {__VA_ARGS__{.name = NULL}};
#define FORMAT_OWN_POINTER(id, help, ...) own_##id,

const read_format *const read_formats[] = {READ_FORMATS(FORMAT_POINTER) NULL};

static const tm_choice format_choices[] = {
    {"auto", "found from the content"},
    READ_FORMATS(FORMAT_CHOICE){NULL, NULL},
};

static const tm_choice storage_choices[] = {
    {"double", "as they were read"},
    {"float", "rounded to single precision: less memory; all arithmetic stays in double"},
    {NULL, NULL},
};

static const tm_choice missing_choices[] = {
    {"error", "a missing value is an error"},
    {"mean", "a missing value becomes the mean of its column"},
    {"drop", "rows with a missing value are left out"},
    {NULL, NULL},
};

static const tm_param_info params_table[] = {
    {"format", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "format of the file", format_choices, 0},
    READ_TEXT("label", "the response column, by name (CSV) or by number from 1"),
    READ_TEXT("response", "file of the response: text of one number or class a line, .npy or .mtx"),
    READ_TEXT("names",
              "file of the features' names, one a line; X.names next to X.svm is used by default"),
    READ_TEXT("weights",
              "how often each row counts: a column by name, or a file of one number a line"),
    READ_TEXT("offset", "offset added to each row's prediction: a column by name, or a file"),
    READ_TEXT("ids", "which rows belong together (bags, patients): a column of numbers or texts by "
                     "name, or a file with one on each line"),
    READ_CHOICE("missing", "error", "treatment of missing values (empty, NA, nan, null, none, ?)",
                missing_choices),
    READ_FORMATS(FORMAT_OPTIONS){"columns", TM_PARAM_INT, "0", 0, 4294967294.0, NULL,
                                 "at least this many columns, for parts of one data set", NULL, 0},
    {"storage", TM_PARAM_CHOICE, "double", 0, 0, NULL, "precision in which the values are kept",
     storage_choices, 0},
    READ_TEXT("encoding", "of text, as iconv names it; otherwise UTF-8 or UTF-16 by its mark, and "
                          "Windows-1252 (latin-1) where it is not UTF-8"),
    {"max_bytes", TM_PARAM_INT, "68719476736", 1, 9.0e15, "bytes",
     "limit on the size of the decompressed text", NULL, TM_PARAM_EXPERT},
};

/* The options of each format, terminated by a row without a name. */
READ_FORMATS(FORMAT_OWN)
static const tm_param_info *const own_options[] = {READ_FORMATS(FORMAT_OWN_POINTER)};

enum { OPTIONS = sizeof params_table / sizeof params_table[0] };

const tm_reader_info *tm_reader_at(size_t i)
{
    size_t count = sizeof read_formats / sizeof read_formats[0] - 1;
    return i < count ? &read_formats[i]->info : NULL;
}

const tm_param_info *tm_reader_params(size_t *count)
{
    *count = OPTIONS;
    return params_table;
}

/* ---- options that do not fit --------------------------------------------------------------- */

static bool has_name(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* The format that the option belongs to, or NULL. */
static const read_format *owner_of(const char *option)
{
    for (size_t k = 0; read_formats[k]; k++)
        for (const tm_param_info *own = own_options[k]; own->name; own++)
            if (strcmp(own->name, option) == 0)
                return read_formats[k];
    return NULL;
}

static bool is_default(const tm_params *params, const tm_param_info *option)
{
    char value[64];
    tm_params_format(params, option->name, value, sizeof value);
    return strcmp(value, option->fallback ? option->fallback : "") == 0;
}

/* Options about how data are stored or where the response is; all others describe the content of
 * the file. */
static bool fits_fixed(const tm_param_info *option)
{
    static const char *const names[] = {"format", "response", "weights", "offset",
                                        "ids",    "encoding", NULL};
    return (option->flags & TM_PARAM_EXPERT) || has_name(names, option->name);
}

/* Whether the option describes columns: it is not recorded if it concerns a single file only, or
 * the position of the response, which is found in another way. */
static bool concerns_columns(const read_format *format, const tm_param_info *option)
{
    static const char *const others[] = {"format", "label",   "response",  "names",
                                         "base",   "columns", "max_bytes", NULL};
    const read_format *owner = owner_of(option->name);
    return !has_name(others, option->name) &&
           (!owner || owner == format || has_name(format->shared, option->name));
}

/* Whether the option names a file of numbers, for the rows of a single data set. */
static bool is_rows_file(const tm_param_info *option, const char *value)
{
    static const char *const names[] = {"weights", "offset", "ids", NULL};
    return has_name(names, option->name) && access(value, R_OK) == 0;
}

tm_status read_keep_options(tm_reading *reading, const read_format *format, const tm_params *params,
                            tm_error *err)
{
    reading->file.format = text_copy(format->info.id);
    bool kept = reading->file.format != NULL;
    for (size_t i = 0; kept && i < OPTIONS; i++) {
        const tm_param_info *option = &params_table[i];
        char value[1024];
        if (!concerns_columns(format, option) || is_default(params, option))
            continue;
        tm_params_format(params, option->name, value, sizeof value);
        if (!is_rows_file(option, value))
            kept = reading_add_option(reading, option->name, value);
    }
    return kept ? TM_OK : tm_fail_memory(err, "the options");
}

/* The index base must agree: features counted differently are different features. */
static tm_status check_base(const tm_params *params, const char *name, tm_numbering numbering,
                            tm_error *err)
{
    const char *base = numbering == TM_NUMBERING_FROM_0 ? "0" : "1";
    const char *given = tm_params_text(params, "base");
    if (numbering == TM_NUMBERING_NONE || strcmp(given, "auto") == 0 || strcmp(given, base) == 0)
        return TM_OK;
    return tm_fail(err, TM_EDATA,
                   "%.300s: base = %s, and the training data count features from %s; leave base "
                   "out, or convert the file",
                   name, given, base);
}

tm_status read_take_options(tm_params *params, const read_format *format, const char *name,
                            const tm_reading *like, tm_error *err)
{
    tm_status status = check_base(params, name, like->numbering, err);
    for (size_t i = 0; status == TM_OK && i < like->file.count; i += 2) {
        const char *option = like->file.options[i];
        const tm_param_info *info = tm_params_find(params, option, NULL);
        const char *value = like->file.options[i + 1];
        if (info && concerns_columns(format, info) && !tm_params_given(params, option) &&
            !is_rows_file(info, value)) /* a model names columns, and has no file read */
            status = tm_params_set_text(params, option, value, err);
    }
    return status;
}

tm_status read_check_options(const read_format *format, const char *name, const tm_params *params,
                             tm_error *err)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const tm_param_info *option = &params_table[i];
        const read_format *owner = owner_of(option->name);
        if (is_default(params, option) || owner == format || has_name(format->shared, option->name))
            continue;
        if (format->fixed && !fits_fixed(option))
            return tm_fail(err, TM_EUSAGE,
                           "%.300s: %s is for other formats; a .%s is read as it was written", name,
                           option->name, format->info.id);
        if (owner && !(option->flags & TM_PARAM_EXPERT))
            return tm_fail(err, TM_EUSAGE, "%.300s: %s is for %s, and this is %s", name,
                           option->name, owner->title, format->info.id);
    }
    return TM_OK;
}
