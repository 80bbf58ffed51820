/* MATLAB files of version 4, which have no file header: a sequence of variables, each with a header
 * of five numbers. */
#include "data/read/mat/version.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 20 };

/* The digits of the first number: byte order, unused, precision, kind. */
enum { FULL, CHARACTERS, SPARSE };

typedef struct header {
    uint32_t type, rows, cols, imaginary, name_length;
    bool swapped;
} header;

static uint32_t order_of(const header *h, uint32_t word)
{
    return h->swapped ? __builtin_bswap32(word) : word;
}

static size_t width_of(uint32_t precision)
{
    static const size_t widths[] = {8, 4, 4, 2, 2, 1};
    return precision < sizeof widths / sizeof widths[0] ? widths[precision] : 0;
}

/* False when no variable begins here. */
static bool read_header(FILE *file, header *h)
{
    uint32_t words[5];
    if (fread(words, sizeof words, 1, file) != 1)
        return false;
    /* The type is below 10000, and at least 1000 in files of big-endian machines. */
    h->swapped = words[0] > 9999 || (words[0] == 0 && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    h->type = order_of(h, words[0]);
    h->rows = order_of(h, words[1]);
    h->cols = order_of(h, words[2]);
    h->imaginary = order_of(h, words[3]);
    h->name_length = order_of(h, words[4]);
    return h->type / 1000 <= 1 && h->type / 100 % 10 == 0 && width_of(h->type / 10 % 10) > 0 &&
           h->type % 10 <= SPARSE && h->imaginary <= 1 && h->name_length > 0;
}

/* All values as they are stored, in column-major order. */
static tm_status read_values(mat_file *f, const mat_variable *v, value_list *out, header *h)
{
    FILE *file = f->own;
    if (fseek(file, (long)v->place, SEEK_SET) != 0 || !read_header(file, h) ||
        fseek(file, h->name_length, SEEK_CUR) != 0)
        return input_fail_whole(f->in, "variable %s cannot be read", v->name);
    uint32_t precision = h->type / 10 % 10;
    size_t width = width_of(precision), count = (size_t)h->rows * h->cols;
    unsigned char *bytes = mem_array(count, width);
    bool enough = bytes && value_list_reserve(out, count);
    bool whole = enough && fread(bytes, width, count, file) == count;
    for (size_t k = 0; whole && k < count; k++) {
        unsigned char cell[8] = {0};
        for (size_t b = 0; b < width; b++)
            cell[b] = bytes[k * width + (h->swapped ? width - 1 - b : b)];
        double real;
        float single;
        int32_t whole32;
        int16_t whole16;
        uint16_t positive;
        memcpy(&real, cell, sizeof real);
        memcpy(&single, cell, sizeof single);
        memcpy(&whole32, cell, sizeof whole32);
        memcpy(&whole16, cell, sizeof whole16);
        memcpy(&positive, cell, sizeof positive);
        out->values[k] = precision == 0   ? real
                         : precision == 1 ? (double)single
                         : precision == 2 ? whole32
                         : precision == 3 ? whole16
                         : precision == 4 ? positive
                                          : cell[0];
    }
    out->count = whole ? count : 0;
    free(bytes);
    if (!enough)
        return input_fail_memory(f->in, "a matrix");
    return whole ? TM_OK : input_fail_whole(f->in, "the file is cut short");
}

static tm_status dense(mat_file *f, const mat_variable *v, value_list *out)
{
    header h;
    return read_values(f, v, out, &h);
}

/* Each row is an index from 1 and a value; the last row has the dimensions. */
static tm_status sparse(mat_file *f, const mat_variable *v, triplet_list *out)
{
    header h;
    value_list values = {0};
    tm_status status = read_values(f, v, &values, &h);
    const double *row = values.values, *col = row ? row + h.rows : NULL;
    for (size_t k = 0; status == TM_OK && k + 1 < h.rows; k++) {
        double i = row[k], j = col[k];
        bool good = i >= 1 && j >= 1 && i <= (double)v->rows && j <= (double)v->cols &&
                    i == floor(i) && j == floor(j);
        if (!good)
            status = input_fail_whole(f->in, "variable %s is invalid", v->name);
        else if (!triplet_list_add(out, (uint32_t)i - 1, (uint32_t)j - 1, col[h.rows + k]))
            status = input_fail_memory(f->in, "a matrix");
    }
    value_list_clear(&values);
    return status;
}

static tm_status texts(mat_file *f, const mat_variable *v, char ***out, size_t *count)
{
    header h;
    value_list values = {0};
    tm_status status = read_values(f, v, &values, &h);
    uint32_t *characters = status == TM_OK ? mem_array(values.count, sizeof *characters) : NULL;
    for (size_t k = 0; characters && k < values.count; k++)
        characters[k] =
            values.values[k] >= 0 && values.values[k] < 0x10000 ? (uint32_t)values.values[k] : '?';
    if (status == TM_OK)
        status = characters ? mat_rows_of_text(f, characters, v->rows, v->cols, out, count)
                            : input_fail_memory(f->in, "texts");
    free(characters);
    value_list_clear(&values);
    return status;
}

/* Reads the dimensions of a sparse matrix from its last row. */
static tm_status find_sizes(mat_file *f, mat_variable *v)
{
    header h;
    value_list values = {0};
    if (v->cols != 3 || v->rows == 0)
        return TM_OK; /* complex or empty: not listed */
    tm_status status = read_values(f, v, &values, &h);
    if (status == TM_OK) {
        double n = values.values[h.rows - 1], p = values.values[2 * (size_t)h.rows - 1];
        bool good = n >= 1 && p >= 1 && n <= UINT32_MAX && p <= UINT32_MAX;
        v->rows = good ? (size_t)n : 0;
        v->cols = good ? (size_t)p : 0;
    }
    value_list_clear(&values);
    return status;
}

static tm_status list_variable(mat_file *f, const header *h, uint64_t at, uint64_t end)
{
    char name[MAT_MAX_NAME + 1];
    FILE *file = f->own;
    if (h->name_length > sizeof name || fread(name, h->name_length, 1, file) != 1)
        return TM_OK;
    name[h->name_length - 1] = '\0';
    mat_variable v = {.rows = h->rows, .cols = h->cols, .place = at};
    uint32_t kind = h->type % 10;
    v.kind = kind == SPARSE ? MAT_SPARSE : kind == CHARACTERS ? MAT_TEXT : MAT_NUMBERS;
    snprintf(v.name, sizeof v.name, "%s", name);
    tm_status status = kind == SPARSE ? find_sizes(f, &v) : TM_OK;
    if (status == TM_OK && !h->imaginary && end <= f->size)
        mat_add(f, name, &v);
    return status;
}

static tm_status open_old(mat_file *f, tm_error *err)
{
    header h;
    uint64_t at = 0;
    tm_status status = TM_OK;
    (void)err;
    FILE *file = f->own = fopen(f->path, "rb");
    while (status == TM_OK && file && at < f->size) {
        uint64_t cells, bytes;
        if (fseek(file, (long)at, SEEK_SET) != 0 || !read_header(file, &h))
            return input_fail_whole(f->in, "not a .mat file, or it is damaged");
        cells = (uint64_t)h.rows * h.cols * (1 + h.imaginary);
        if (__builtin_mul_overflow(cells, width_of(h.type / 10 % 10), &bytes) || bytes > f->size ||
            at + HEADER + h.name_length + bytes > f->size)
            return input_fail_whole(f->in, "the file is truncated, or cannot be read");
        if (bytes > f->max_bytes)
            return input_fail_whole(f->in,
                                    "a variable takes more than %llu bytes, the cap "
                                    "max_bytes; raise it for a trusted file",
                                    (unsigned long long)f->max_bytes);
        bytes += at + HEADER + h.name_length;
        status = list_variable(f, &h, at, bytes);
        at = bytes;
    }
    return file ? status : input_fail_whole(f->in, "the file is truncated, or cannot be read");
}

static void close_old(mat_file *f)
{
    if (f->own)
        fclose(f->own);
}

const mat_version mat_version_4 = {open_old, dense, sparse, texts, close_old};
