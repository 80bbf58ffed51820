#include "data/read/format/npy.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 6,
    MAX_HEADER = 1 << 16,
    CHUNK = 1 << 16, /* bytes of values processed at a time */
    POINT = 4,       /* bytes of a character in texts of type U */
};

typedef struct npy_reader {
    input *in;
    npy_array *array;
    const char *name;
    char kind;    /* 'f', 'i', 'u', 'b'; for texts 'S' (bytes), 'U' (code points); 'O' for
                   * objects */
    size_t width; /* bytes of an element */
    bool swapped; /* in the other byte order */
} npy_reader;

static tm_status fail(const npy_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static tm_status fail(const npy_reader *reader, const char *format, ...)
{
    char text[TM_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!reader->name)
        return input_fail_whole(reader->in, "%s", text);
    return input_fail_whole(reader->in, "array \"%s\": %s",
                            input_quoted(reader->name, strlen(reader->name)).text, text);
}

bool npy_is_next(const input *in)
{
    return in->end - in->cur >= MAGIC && memcmp(in->cur, "\x93NUMPY", MAGIC) == 0;
}

/* --- the header: a Python dictionary ------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n')
        at++;
    return at;
}

/* The position after "'key':", or NULL. */
static const char *find_key(const char *header, const char *key)
{
    char quoted[32];
    for (const char *quote = "'\""; *quote; quote++) {
        snprintf(quoted, sizeof quoted, "%c%s%c", *quote, key, *quote);
        const char *at = strstr(header, quoted);
        if (!at)
            continue;
        at = skip_blanks(at + strlen(quoted));
        return *at == ':' ? skip_blanks(at + 1) : NULL;
    }
    return NULL;
}

static bool known_type(char kind, size_t width)
{
    bool whole = width == 1 || width == 2 || width == 4 || width == 8;
    return (kind == 'f' && (width == 2 || width == 4 || width == 8)) ||
           ((kind == 'i' || kind == 'u') && whole) || (kind == 'b' && width == 1) ||
           ((kind == 'S' || kind == 'U') && width > 0) || kind == 'O';
}

static tm_status parse_type(npy_reader *reader, const char *text)
{
    size_t length = text && (*text == '\'' || *text == '"') ? strcspn(text + 1, "'\"") : 0;
    const char *type = text ? text + 1 : "";
    char order = '|', kind = '\0';
    if (length > 0 && strchr("<>=|", *type)) {
        order = *type++;
        length--;
    }
    if (length > 0)
        kind = *type;
    reader->width = 0;
    for (size_t i = 1; i < length && type[i] >= '0' && type[i] <= '9' && i < 6; i++)
        reader->width = 10 * reader->width + (size_t)(type[i] - '0');
    reader->kind = kind == '?' ? 'b' : kind;
    if (kind == '?' && length == 1)
        reader->width = 1;
    bool known = known_type(reader->kind, reader->width);
    if (reader->kind == 'U')
        reader->width *= POINT;
    if (!known)
        return fail(reader,
                    "values of type %s are not read; save real numbers (float64, float32, "
                    "float16, integers or bool) or texts (astype(str))",
                    text ? input_quoted(text, strcspn(text, "\n")).text : "(none)");
    char foreign = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
    reader->swapped = order == foreign;
    return TM_OK;
}

static tm_status parse_shape(npy_reader *reader, const char *at)
{
    npy_array *array = reader->array;
    array->shape[0] = array->shape[1] = 1;
    if (!at || *at != '(')
        return fail(reader, "the header has no shape");
    at = skip_blanks(at + 1);
    while (*at >= '0' && *at <= '9') {
        uint64_t size = 0;
        for (; *at >= '0' && *at <= '9'; at++)
            if (size <= UINT32_MAX)
                size = 10 * size + (uint64_t)(*at - '0');
        if (array->dimensions == 2)
            return fail(reader, "more than two dimensions; expected rows and columns");
        if (size > UINT32_MAX)
            return fail(reader, "a dimension is larger than %" PRIu32, UINT32_MAX);
        array->shape[array->dimensions++] = size;
        at = skip_blanks(*at == 'L' ? at + 1 : at); /* the suffix of long integers in Python 2 */
        at = skip_blanks(*at == ',' ? at + 1 : at);
    }
    return *at == ')' ? TM_OK : fail(reader, "the header has no shape");
}

static tm_status parse_header(npy_reader *reader, const char *header)
{
    tm_status status = parse_type(reader, find_key(header, "descr"));
    if (status == TM_OK)
        status = parse_shape(reader, find_key(header, "shape"));
    const char *order = find_key(header, "fortran_order");
    bool yes = order && strncmp(order, "True", 4) == 0;
    if (status == TM_OK && !yes && (!order || strncmp(order, "False", 5) != 0))
        return fail(reader, "the header does not say the order of the values (fortran_order)");
    reader->array->fortran = yes;
    return status;
}

static tm_status read_header(npy_reader *reader)
{
    input *in = reader->in;
    input_need(in);
    const unsigned char *bytes = (const unsigned char *)in->cur;
    if (!npy_is_next(in) || in->end - in->cur < MAGIC + 6)
        return fail(reader, "not a NumPy array (.npy)");
    unsigned version = bytes[MAGIC];
    if (version < 1 || version > 3)
        return fail(reader, "version %u of the array format is not known", version);
    size_t length = bytes[8] + 256u * bytes[9];
    if (version > 1)
        length += 65536u * bytes[10] + 16777216u * (size_t)bytes[11];
    if (length > MAX_HEADER)
        return fail(reader, "the header has %zu bytes; expected a few", length);
    in->cur += version > 1 ? 12 : 10;
    input_fill(in, length);
    if ((size_t)(in->end - in->cur) < length)
        return fail(reader, "the file ends within its header");
    char header[MAX_HEADER + 1];
    memcpy(header, in->cur, length);
    header[length] = '\0';
    in->cur += length;
    return parse_header(reader, header);
}

/* --- the values ---------------------------------------------------------------------------- */

/* The bits of an element in native byte order. */
static uint64_t load(const npy_reader *reader, const char *at)
{
    unsigned char bytes[8] = {0};
    for (size_t i = 0; i < reader->width; i++) {
        bool reversed = reader->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
        bytes[i] = (unsigned char)at[reversed ? reader->width - 1 - i : i];
    }
    uint64_t bits = 0; /* bytes[] is in little-endian order */
    for (size_t i = 8; i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

/* Half precision (IEEE 754): sign, five bits of exponent, ten of fraction. */
static double half_value(uint64_t bits)
{
    enum { BIAS = 15, FRACTION = 10, EXPONENTS = 31 };
    int exponent = (int)(bits >> FRACTION & EXPONENTS);
    double fraction = (double)(bits & ((1 << FRACTION) - 1));
    double size = exponent == 0 ? ldexp(fraction, 1 - BIAS - FRACTION)
                                : ldexp(fraction + (1 << FRACTION), exponent - BIAS - FRACTION);
    if (exponent == EXPONENTS)
        size = fraction != 0 ? NAN : INFINITY;
    return bits >> 15 & 1 ? -size : size;
}

static double convert(const npy_reader *reader, uint64_t bits)
{
    if (reader->kind == 'f' && reader->width == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (reader->kind == 'f' && reader->width == 2)
        return half_value(bits);
    if (reader->kind == 'f') {
        uint32_t single = (uint32_t)bits;
        float value;
        memcpy(&value, &single, sizeof value);
        return (double)value;
    }
    if (reader->kind == 'b')
        return bits != 0;
    if (reader->kind == 'u')
        return (double)bits;
    size_t unused = 64 - 8 * reader->width;
    return (double)((int64_t)(bits << unused) >> unused);
}

static void take_numbers(const npy_reader *reader, size_t count)
{
    input *in = reader->in;
    double *out = reader->array->list.values + reader->array->list.count;
    if (reader->kind == 'f' && reader->width == 8 && !reader->swapped)
        memcpy(out, in->cur, count * sizeof *out);
    else
        for (size_t k = 0; k < count; k++)
            out[k] = convert(reader, load(reader, in->cur + k * reader->width));
    in->cur += count * reader->width;
    reader->array->list.count += count;
}

/* A text is padded with zeros at its end. */
static char *text_at(const npy_reader *reader, const char *at, uint32_t *units)
{
    if (reader->kind == 'S')
        return text_part(at, strnlen(at, reader->width));
    size_t count = reader->width / POINT;
    npy_reader character = {.width = POINT, .swapped = reader->swapped};
    for (size_t k = 0; k < count; k++)
        units[k] = (uint32_t)load(&character, at + k * POINT);
    while (count > 0 && units[count - 1] == 0)
        count--;
    return text_from_units(units, count);
}

static tm_status take_texts(const npy_reader *reader, size_t count)
{
    input *in = reader->in;
    npy_array *array = reader->array;
    uint32_t *units = mem_array(reader->width / POINT + 1, sizeof *units);
    bool enough = units && mem_grow(&array->texts, &array->text_room, array->text_count + count,
                                    CHUNK / sizeof *array->texts, sizeof *array->texts);
    for (size_t k = 0; enough && k < count; k++) {
        char *text = text_at(reader, in->cur, units);
        enough = text != NULL;
        if (enough)
            array->texts[array->text_count++] = text;
        in->cur += reader->width;
    }
    free(units);
    return enough ? TM_OK : input_fail_memory(in, "texts of the data");
}

static tm_status read_values(npy_reader *reader)
{
    input *in = reader->in;
    npy_array *array = reader->array;
    uint64_t total = array->shape[0] * array->shape[1], there = 0;
    tm_status status = TM_OK;
    while (status == TM_OK && there < total) {
        size_t want = reader->width < CHUNK ? CHUNK / reader->width : 1;
        if (want > total - there)
            want = (size_t)(total - there);
        input_fill(in, want * reader->width);
        if ((size_t)(in->end - in->cur) < want * reader->width)
            return fail(reader, "the file ends within its values; expected %" PRIu64 " of them",
                        total);
        if (array->content == NPY_TEXTS)
            status = take_texts(reader, want);
        else if (value_list_reserve(&array->list, want))
            take_numbers(reader, want);
        else
            status = input_fail_memory(in, "values of the data");
        there += want;
    }
    return status == TM_OK ? input_status(in) : status;
}

/* Reading to the end also makes the archive verify its checksum. */
static tm_status check_end(npy_reader *reader)
{
    input_need(reader->in);
    if (reader->in->cur < reader->in->end)
        return fail(reader, "bytes follow the array; expected a single array in the file");
    return input_status(reader->in);
}

static npy_content content_of(char kind)
{
    if (kind == 'O')
        return NPY_OBJECTS;
    return kind == 'S' || kind == 'U' ? NPY_TEXTS : NPY_NUMBERS;
}

tm_status npy_read(npy_array *array, input *in, const char *name)
{
    *array = (npy_array){0};
    npy_reader reader = {.in = in, .array = array, .name = name};
    tm_status status = read_header(&reader);
    array->content = content_of(reader.kind);
    if (status == TM_OK && array->content != NPY_OBJECTS)
        status = read_values(&reader);
    if (status == TM_OK && array->content != NPY_OBJECTS)
        status = check_end(&reader);
    if (status != TM_OK)
        npy_clear(array);
    return status;
}

tm_status npy_check_numbers(const npy_array *array, input *in, const char *name)
{
    npy_reader reader = {.in = in, .name = name};
    return array->content == NPY_NUMBERS
               ? TM_OK
               : fail(&reader, "it holds %s; expected real numbers",
                      array->content == NPY_TEXTS ? "texts" : "objects of Python");
}

void npy_clear(npy_array *array)
{
    value_list_clear(&array->list);
    text_list_free(array->texts, array->text_count);
    array->texts = NULL;
    array->text_count = array->text_room = 0;
}
