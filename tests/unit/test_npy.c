/* The readers of NumPy arrays against bytes put together by hand. */
#include "data_check.h"

#include <math.h>

enum { ROOM = 4096 };

typedef struct bytes {
    unsigned char data[ROOM];
    size_t size;
} bytes;

static void put(bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= ROOM);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

/* An array of version `version` whose header is `dictionary`. */
static bytes array_of(int version, const char *dictionary)
{
    bytes b = {{0}, 0};
    size_t length = strlen(dictionary) + 1;
    unsigned char size[4] = {(unsigned char)(length & 255), (unsigned char)(length >> 8), 0, 0};
    unsigned char number[2] = {(unsigned char)version, 0};
    put(&b, "\x93NUMPY", 6);
    put(&b, number, 2);
    put(&b, size, version == 1 ? 2 : 4);
    put(&b, dictionary, length - 1);
    put(&b, "\n", 1);
    return b;
}

static tm_dataset *read_array(const bytes *b, const char *options)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (read_bytes(&data, b->data, b->size, options, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

static void refuse_array(const bytes *b, const char *what)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, b->data, b->size, "label=1", &err), TM_EDATA);
    assert_null(data);
    if (!strstr(err.message, what) || strncmp(err.message, "in.txt: ", 8) != 0)
        fail_msg("expected \"%s\", got \"%s\"", what, err.message);
}

/* Columns y, a, b of three rows. */
static const double rows[] = {1, 2, -3, 4, 5, 6};
static const double y[] = {7, 8, 9};

CHECK(reads_both_orders_and_all_versions)
{
    const double by_rows[] = {7, 1, 2, 8, -3, 4, 9, 5, 6};
    const double by_columns[] = {7, 8, 9, 1, -3, 5, 2, 4, 6};
    for (int version = 1; version <= 3; version++) {
        bytes c = array_of(version,
                           "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (3, 3), }");
        put(&c, by_rows, sizeof by_rows);
        tm_dataset *data = read_array(&c, "label=1");
        check_data(data, 3, 2, rows, y);
        assert_non_null(strstr(tm_dataset_note(data), "NumPy array"));
        tm_dataset_unref(data);
        /* Other quotes, other order of the keys, Python 2's numbers, padding. */
        bytes f = array_of(version, "{\"shape\":(3L,3L),\"fortran_order\":True,\"descr\":\"" NATIVE
                                    "f8\"}    ");
        put(&f, by_columns, sizeof by_columns);
        data = read_array(&f, "label=1");
        check_data(data, 3, 2, rows, y);
        tm_dataset_unref(data);
    }
}

/* The bytes of `value` as an integer of `width` bytes, in the order that `big` says. */
static void put_integer(bytes *b, int64_t value, size_t width, bool big)
{
    unsigned char out[8];
    for (size_t i = 0; i < width; i++)
        out[big ? width - 1 - i : i] = (unsigned char)((uint64_t)value >> (8 * i));
    put(b, out, width);
}

CHECK(reads_every_type)
{
    /* 2 rows: the least and the greatest value beside 0 and 1, which are the response. */
    static const struct {
        const char *type;
        size_t width;
        bool big;
        int64_t low, high;
    } types[] = {
        {"|i1", 1, false, INT8_MIN, INT8_MAX},
        {"|u1", 1, false, 1, UINT8_MAX},
        {"<i2", 2, false, INT16_MIN, INT16_MAX},
        {">i2", 2, true, INT16_MIN, INT16_MAX},
        {"<u2", 2, false, 1, UINT16_MAX},
        {"<i4", 4, false, INT32_MIN, INT32_MAX},
        {">i4", 4, true, INT32_MIN, INT32_MAX},
        {">u4", 4, true, 1, UINT32_MAX},
        {"<i8", 8, false, -((int64_t)1 << 53), (int64_t)1 << 53},
        {">i8", 8, true, -((int64_t)1 << 53), (int64_t)1 << 53},
        {"<u8", 8, false, 1, (int64_t)1 << 53},
        {"|b1", 1, false, 1, 1},
        {"?", 1, false, 1, 1},
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        char header[120];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': True, 'shape': (2, 2), }",
                 types[t].type);
        bytes b = array_of(1, header);
        put_integer(&b, 0, types[t].width, types[t].big);
        put_integer(&b, 1, types[t].width, types[t].big);
        put_integer(&b, types[t].low, types[t].width, types[t].big);
        put_integer(&b, types[t].high, types[t].width, types[t].big);
        tm_dataset *data = read_array(&b, "label=1");
        const double x[] = {(double)types[t].low, (double)types[t].high}, signs[] = {-1, 1};
        check_data(data, 2, 1, x, signs);
        tm_dataset_unref(data);
    }
}

CHECK(reads_floats_in_both_byte_orders)
{
    /* 0.1f, -1.5, 3 and 2^-149 as IEEE 754 has them */
    static const uint32_t singles[] = {0x3dcccccd, 0xbfc00000, 0x40400000, 0x00000001};
    static const uint64_t doubles[] = {0x3fb99999a0000000, 0xbff8000000000000, 0x4008000000000000,
                                       0x36a0000000000000};
    const double x[] = {0x1.99999ap-4, -1.5};
    for (int kind = 0; kind < 4; kind++) {
        static const char *const types[] = {"<f4", ">f4", "<f8", ">f8"};
        char header[120];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': True, 'shape': (2, 2), }",
                 types[kind]);
        bytes b = array_of(2, header);
        for (int k = 0; k < 4; k++)
            put_integer(&b, kind < 2 ? (int64_t)singles[k] : (int64_t)doubles[k], kind < 2 ? 4 : 8,
                        kind % 2);
        tm_dataset *data = read_array(&b, "label=2");
        const double measured[] = {3, 0x1p-149}; /* one is no whole number: no classes */
        check_data(data, 2, 1, x, measured);
        tm_dataset_unref(data);
    }
}

CHECK(mostly_zeros_become_sparse)
{
    double values[100] = {0};
    for (int i = 0; i < 10; i++)
        values[10 * i] = i; /* the first column, by rows */
    values[57] = 4;
    bytes b = array_of(1, "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (10, 10), }");
    put(&b, values, sizeof values);
    tm_dataset *data = read_array(&b, "label=1 columns=12");
    assert_string_equal(tm_matrix_kind(tm_dataset_x(data)), "csc");
    assert_int_equal(tm_matrix_nnz(tm_dataset_x(data)), 1);
    assert_int_equal(tm_dataset_cols(data), 12);
    double column[10];
    tm_matrix_column(tm_dataset_x(data), 6, column);
    for (int i = 0; i < 10; i++)
        assert_true(column[i] == (i == 5 ? 4 : 0) && tm_dataset_y(data)[i] == i);
    tm_dataset_unref(data);
}

CHECK(refuses_what_is_no_matrix)
{
    static const struct {
        const char *header, *what;
        size_t values;
    } cases[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1, 2), }", "objects of Python", 2},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (1, 2), }", "<c16", 4},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1, 2), }", "<f16", 2},
        {"{'descr': '<U5', 'fortran_order': False, 'shape': (1, 2), }", "holds texts", 5},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", "('a'", 2},
        {"{'descr': '<i3', 'fortran_order': False, 'shape': (1, 2), }", "<i3", 2},
        {"{'fortran_order': False, 'shape': (1, 2), }", "(none)", 2},
        {"{'descr': '<f8', 'shape': (1, 2), }", "order of the values", 2},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1, 2), }", "order of the values", 2},
        {"{'descr': '<f8', 'fortran_order': False, }", "no shape", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, -2), }", "no shape", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2", "no shape", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 2), }", "two dimensions", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "no rows", 1},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", "no rows", 0},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 2), }", "larger than", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 99999999), }",
         "ends within its values", 2},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "ends within", 3},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", "bytes follow", 3},
        {"{'descr': '|S3', 'fortran_order': False, 'shape': (1, 2), }", "holds texts", 0},
        {"{'descr': '|S3', 'fortran_order': False, 'shape': (1, 3), }", "ends within", 0},
    };
    const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes b = array_of(1, cases[i].header);
        put(&b, values, cases[i].values * sizeof *values);
        if (strstr(cases[i].header, "S3"))
            put(&b, "ab\0cd", 6);
        refuse_array(&b, cases[i].what);
    }
    bytes late =
        array_of(4, "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (1, 2), }");
    refuse_array(&late, "version 4");
    bytes cut = array_of(1, "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (1, 2), }");
    cut.size -= 20;
    refuse_array(&cut, "within its header");
    cut.size = 7;
    refuse_array(&cut, "not a NumPy array");
    bytes nan = array_of(1, "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (2, 2), }");
    const double bad[] = {1, 2, 3, NAN};
    put(&nan, bad, sizeof bad);
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, nan.data, nan.size, "label=1", &err), TM_EDATA);
    assert_non_null(strstr(err.message, "row 2"));
}

CHECK(asks_for_the_response)
{
    bytes b = array_of(1, "{'descr': '" NATIVE "f8', 'fortran_order': False, 'shape': (1, 2), }");
    put(&b, rows, 2 * sizeof *rows);
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, b.data, b.size, NULL, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "with response, or the column with label"));
}

RUN_TESTS(reads_both_orders_and_all_versions, reads_every_type, reads_floats_in_both_byte_orders,
          mostly_zeros_become_sparse, refuses_what_is_no_matrix, asks_for_the_response)
