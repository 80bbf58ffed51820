/* The formats and options of tm_read. */
#include "data/read/csv/csv.h"
#include "data/read/format/libsvm.h"
#include "data/read/format/mat.h"
#include "data/read/format/tam_file.h"
#include "data/read/formats.h"
#include "data/read/steps.h"

#include <string.h>

#define FORMAT_POINTER(id, help) &read_format_##id,
#define FORMAT_CHOICE(id, help) {#id, help},

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

static const tm_param_info params_table[] = {
    {"format", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "format of the file", format_choices, 0},
    {"label", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "the response column, by name (CSV) or by number from 1", NULL, 0},
    {"response", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the response: text of one number or class a line, .npy or .mtx", NULL, 0},
    MAT_OPTIONS,
    {"names", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the features' names, one a line; X.names beside X.svm is found by itself", NULL, 0},
    {"weights", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "how often each row counts: a column by name, or a file of one number a line", NULL, 0},
    {"offset", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "what each row's prediction begins with: a column by name, or a file", NULL, 0},
    CSV_OPTIONS,
    LIBSVM_OPTIONS,
    {"features", TM_PARAM_INT, "0", 0, 4294967294.0, NULL,
     "at least this many columns, for parts of one data set", NULL, 0},
    {"storage", TM_PARAM_CHOICE, "double", 0, 0, NULL, "precision in which the values are kept",
     storage_choices, 0},
    TAM_OPTIONS,
    {"max_bytes", TM_PARAM_INT, "68719476736", 1, 9.0e15, "bytes",
     "cap on the size of the decompressed text", NULL, TM_PARAM_EXPERT},
};

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

/* The first format that has the option for itself, or NULL. */
static const read_format *owner_of(const char *option)
{
    for (const read_format *const *format = read_formats; *format; format++)
        if (has_name((*format)->options, option))
            return *format;
    return NULL;
}

static bool is_default(const tm_params *params, const tm_param_info *option)
{
    char value[64];
    tm_params_format(params, option->name, value, sizeof value);
    return strcmp(value, option->fallback ? option->fallback : "") == 0;
}

/* Options of how data are stored or where the response is; all others say what is in the file. */
static bool fits_fixed(const tm_param_info *option)
{
    static const char *const names[] = {"format", "response", "weights", "offset", NULL};
    return (option->flags & TM_PARAM_EXPERT) || has_name(names, option->name);
}

tm_status read_check_options(const read_format *format, const char *name, const tm_params *params,
                             tm_error *err)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const tm_param_info *option = &params_table[i];
        const read_format *owner = owner_of(option->name);
        if (is_default(params, option) || has_name(format->options, option->name))
            continue;
        if (format->fixed && !fits_fixed(option))
            return tm_fail(err, TM_EUSAGE,
                           "%.300s: %s is for other formats; a .%s is read as it was written", name,
                           option->name, format->info.id);
        if (owner)
            return tm_fail(err, TM_EUSAGE, "%.300s: %s is for %s, and this is %s", name,
                           option->name, owner->title, format->info.id);
    }
    return TM_OK;
}
