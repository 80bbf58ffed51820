/* Files of Stata, SPSS and SAS, read with ReadStat. Value labels are the names of classes. */
#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/typed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const input *in, const char *start, size_t length)
{
    return (size_t)(in->end - in->cur) >= length && memcmp(in->cur, start, length) == 0;
}

#ifndef HAVE_READSTAT

static tm_status fail_without(input *in, tm_error *err)
{
    return tm_fail(err, TM_EUSAGE,
                   "%.300s: this program was built without ReadStat, which reads files of Stata, "
                   "SPSS and SAS; save the table as CSV, or build it with libreadstat-dev",
                   input_name(in));
}

#define READ_STATISTICS(name, what, ...)                                                           \
    static tm_status name(read_result *result, input *in, const read_request *request,             \
                          tm_error *err)                                                           \
    {                                                                                              \
        (void)result;                                                                              \
        (void)request;                                                                             \
        return fail_without(in, err);                                                              \
    }

#else

#include <readstat.h>

typedef readstat_error_t parse(readstat_parser_t *parser, const char *path, void *payload);

/* A value label: the name of a value, in a set of labels that variables can share. */
typedef struct value_label {
    char *set;
    double value;
    char *name;
} value_label;

typedef struct statistics {
    typed typed;
    const char *bytes; /* the content of the file */
    size_t size, place;
    size_t name_size, set_size; /* bytes that a name of labels has in columns, and before labels */
    char **sets;                /* for each column the name of its label set, or "" */
    size_t set_room;
    value_label *labels;
    size_t label_count, label_room;
    bool rows;        /* this pass reads the rows, not the columns */
    tm_status status; /* the error met in a callback from ReadStat */
} statistics;

/* ---- the file as bytes ---------------------------------------------------------------------- */

static int open_bytes(const char *path, void *payload)
{
    (void)path;
    ((statistics *)payload)->place = 0;
    return 0;
}

static int close_bytes(void *payload)
{
    (void)payload;
    return 0;
}

static readstat_off_t seek_bytes(readstat_off_t offset, readstat_io_flags_t mode, void *payload)
{
    statistics *s = payload;
    readstat_off_t from = mode == READSTAT_SEEK_SET   ? 0
                          : mode == READSTAT_SEEK_CUR ? (readstat_off_t)s->place
                                                      : (readstat_off_t)s->size;
    readstat_off_t to;
    if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > (readstat_off_t)s->size)
        return -1;
    s->place = (size_t)to;
    return to;
}

static ssize_t read_bytes(void *to, size_t count, void *payload)
{
    statistics *s = payload;
    size_t left = s->size - s->place, take = count < left ? count : left;
    if (take > 0)
        memcpy(to, s->bytes + s->place, take);
    s->place += take;
    return (ssize_t)take;
}

static readstat_error_t ignore_progress(long size, readstat_progress_handler call, void *payload,
                                        void *io_payload)
{
    (void)size;
    (void)call;
    (void)payload;
    (void)io_payload;
    return READSTAT_OK;
}

/* ReadStat hands names of labels on as they are in a file of Stata: in a damaged one nothing ends
 * them but the bytes that this version has for them. */
static void size_names(statistics *s)
{
    static const char start[] = "<stata_dta><header><release>";
    enum { START = sizeof start - 1 };
    const unsigned char *digits = (const unsigned char *)s->bytes + START;
    uint8_t version = s->size > 0 ? (uint8_t)s->bytes[0] : 0;
    if (s->size >= START + 3 && memcmp(s->bytes, start, START) == 0)
        version = (uint8_t)(100 * (digits[0] - '0') + 10 * (digits[1] - '0') + digits[2] - '0');
    s->name_size = version < 110 ? 9 : version < 118 ? 33 : 129;
    s->set_size = version < 105 ? 12 : version < 118 ? 33 : 129;
}

/* ---- callbacks from ReadStat ---------------------------------------------------------------- */

static int answer(statistics *s, tm_status status)
{
    s->status = status;
    return status == TM_OK ? READSTAT_HANDLER_OK : READSTAT_HANDLER_ABORT;
}

static int take_variable(int index, readstat_variable_t *variable, const char *labels,
                         void *payload)
{
    statistics *s = payload;
    bool text = readstat_variable_get_type_class(variable) == READSTAT_TYPE_CLASS_STRING;
    const char *name = readstat_variable_get_name(variable);
    if (s->rows)
        return READSTAT_HANDLER_OK;
    size_t count = s->typed.count;
    if (index != (int)count || !mem_grow(&s->sets, &s->set_room, count, 64, sizeof *s->sets))
        return answer(s, input_fail_memory(s->typed.table.in, "columns of the data"));
    s->sets[count] = labels ? text_part(labels, strnlen(labels, s->name_size)) : text_copy("");
    tm_status status = typed_add_column(&s->typed, name ? name : "", text, false);
    if (status == TM_OK && !s->sets[count])
        status = input_fail_memory(s->typed.table.in, "columns of the data");
    return answer(s, status);
}

static int take_label(const char *set, readstat_value_t value, const char *name, void *payload)
{
    statistics *s = payload;
    if (s->rows || readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING ||
        readstat_value_is_system_missing(value) || readstat_value_is_tagged_missing(value))
        return READSTAT_HANDLER_OK;
    if (!mem_grow(&s->labels, &s->label_room, s->label_count, 64, sizeof *s->labels))
        return answer(s, input_fail_memory(s->typed.table.in, "labels of values"));
    value_label *label = &s->labels[s->label_count++];
    *label = (value_label){set ? text_part(set, strnlen(set, s->set_size)) : text_copy(""),
                           readstat_double_value(value), text_copy(name ? name : "")};
    return answer(s, label->set && label->name
                         ? TM_OK
                         : input_fail_memory(s->typed.table.in, "labels of values"));
}

static const char *label_of(const statistics *s, size_t column, double value)
{
    for (size_t k = 0; s->sets[column][0] && k < s->label_count; k++)
        if (s->labels[k].value == value && strcmp(s->labels[k].set, s->sets[column]) == 0 &&
            s->labels[k].name[0])
            return s->labels[k].name;
    return NULL;
}

static tm_status take_cell(statistics *s, size_t column, readstat_variable_t *variable,
                           readstat_value_t value)
{
    typed *t = &s->typed;
    if (readstat_value_is_missing(value, variable))
        return typed_missing(t, column);
    if (t->columns[column].text) {
        const char *text = readstat_string_value(value);
        return typed_text(t, column, text ? text : "");
    }
    double number = readstat_double_value(value);
    return typed_number(t, column, number,
                        column == t->response ? label_of(s, column, number) : NULL);
}

static int take_value(int row, readstat_variable_t *variable, readstat_value_t value, void *payload)
{
    statistics *s = payload;
    size_t column = (size_t)readstat_variable_get_index(variable);
    (void)row;
    if (!s->rows)
        return READSTAT_HANDLER_OK;
    if (column >= s->typed.count)
        return answer(s, input_fail_whole(s->typed.table.in, "the file is damaged"));
    tm_status status = take_cell(s, column, variable, value);
    if (status == TM_OK && column + 1 == s->typed.count)
        status = typed_end_row(&s->typed);
    return answer(s, status);
}

/* ---- the whole file ------------------------------------------------------------------------- */

/* One pass over the file, for the description of its columns or for the rows. */
static tm_status run(statistics *s, parse *parse_file, bool rows)
{
    input *in = s->typed.table.in;
    readstat_parser_t *parser = readstat_parser_init();
    if (!parser)
        return input_fail_memory(in, "the file");
    readstat_set_open_handler(parser, open_bytes);
    readstat_set_close_handler(parser, close_bytes);
    readstat_set_seek_handler(parser, seek_bytes);
    readstat_set_read_handler(parser, read_bytes);
    readstat_set_update_handler(parser, ignore_progress);
    readstat_set_io_ctx(parser, s);
    /* ReadStat needs all callbacks in both passes to parse a file correctly. */
    s->rows = rows;
    readstat_set_value_handler(parser, take_value);
    readstat_set_variable_handler(parser, take_variable);
    readstat_set_value_label_handler(parser, take_label);
    readstat_error_t error = parse_file(parser, "", s);
    readstat_parser_free(parser);
    if (s->status != TM_OK || error == READSTAT_OK)
        return s->status;
    return input_fail_whole(in, "the file is damaged or of an unsupported kind: %s",
                            readstat_error_message(error));
}

/* In some files the value labels come after the rows, so that the file is read twice. */
static tm_status read_statistics(read_result *result, input *in, const read_request *request,
                                 const char *what, parse *parse_file, tm_error *err)
{
    statistics s = {.status = TM_OK};
    char *bytes;
    typed_open(&s.typed, in, request);
    tm_status status = input_take_all(in, &bytes, &s.size, "the file");
    s.bytes = bytes;
    size_names(&s);
    if (status == TM_OK)
        status = run(&s, parse_file, false);
    if (status == TM_OK)
        status = typed_begin(&s.typed);
    if (status == TM_OK)
        status = run(&s, parse_file, true);
    snprintf(result->note, sizeof result->note, "format: %s", what);
    size_t columns = s.typed.count;
    if (status == TM_OK)
        status = typed_finish(&s.typed, result, err);
    for (size_t k = 0; k < s.label_count; k++) {
        free(s.labels[k].set);
        free(s.labels[k].name);
    }
    free(s.labels);
    text_list_free(s.sets, columns);
    typed_clear(&s.typed);
    free(bytes);
    return status;
}

#define READ_STATISTICS(name, what, parse_file)                                                    \
    static tm_status name(read_result *result, input *in, const read_request *request,             \
                          tm_error *err)                                                           \
    {                                                                                              \
        return read_statistics(result, in, request, what, parse_file, err);                        \
    }

static readstat_error_t parse_sas(readstat_parser_t *parser, const char *path, void *payload)
{
    const statistics *s = payload;
    bool transport = s->size >= 6 && memcmp(s->bytes, "HEADER", 6) == 0;
    return transport ? readstat_parse_xport(parser, path, payload)
                     : readstat_parse_sas7bdat(parser, path, payload);
}

#endif

READ_STATISTICS(read_stata, "Stata", readstat_parse_dta)
READ_STATISTICS(read_spss, "SPSS", readstat_parse_sav)
READ_STATISTICS(read_sas, "SAS", parse_sas)

/* ---- the formats ---------------------------------------------------------------------------- */

/* Versions from 117 on name the format; before, the first bytes are version, byte order, 1, 0. */
static bool is_stata(const input *in)
{
    const unsigned char *at = (const unsigned char *)in->cur;
    return begins(in, "<stata_dta>", 11) ||
           (in->end - in->cur > 3 && at[0] >= 104 && at[0] <= 115 && (at[1] == 1 || at[1] == 2) &&
            at[2] == 1 && at[3] == 0);
}

static bool is_spss(const input *in)
{
    return begins(in, "$FL2", 4) || begins(in, "$FL3", 4);
}

static bool is_sas(const input *in)
{
    static const char binary[] = "\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60";
    return begins(in, binary, sizeof binary - 1) || begins(in, "HEADER RECORD*******LIB", 23);
}

static const char *const stata_extensions[] = {".dta", NULL};
static const char *const spss_extensions[] = {".sav", ".zsav", NULL};
static const char *const sas_extensions[] = {".sas7bdat", ".xpt", NULL};
static const char *const shared[] = {"text", NULL};

const read_format read_format_stata = {
    .info = {"stata", "Stata: .dta; labels of the response's values are class names"},
    .title = "Stata",
    .extensions = stata_extensions,
    .shared = shared,
    .recognise = is_stata,
    .read = read_stata,
};

const read_format read_format_spss = {
    .info = {"spss", "SPSS: .sav and .zsav; labels of the response's values are class names"},
    .title = "SPSS",
    .extensions = spss_extensions,
    .shared = shared,
    .recognise = is_spss,
    .read = read_spss,
};

const read_format read_format_sas = {
    .info = {"sas", "SAS: .sas7bdat and .xpt"},
    .title = "SAS",
    .extensions = sas_extensions,
    .shared = shared,
    .recognise = is_sas,
    .read = read_sas,
};
