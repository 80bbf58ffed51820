/* What the tests of the readers share: reading from text, and comparing with a table by hand. */
#ifndef TESTS_DATA_CHECK_H
#define TESTS_DATA_CHECK_H

#include "tests/check.h"

#include "tamis/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads `size` bytes named "in.txt". `options` are words like "format=csv header=true", or NULL. */
static inline tm_status read_bytes(tm_dataset **out, const void *bytes, size_t size,
                                   const char *options, tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    tm_params *params = NULL;
    assert_int_equal(tm_params_new(&params, "read", table, count, err), TM_OK);
    char words[300] = "";
    snprintf(words, sizeof words, "%s", options ? options : "");
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_int_equal(tm_params_set_text(params, word, value, err), TM_OK);
    }
    tm_read_options with = TM_READ_OPTIONS_INIT;
    with.params = params;
    tm_status status = tm_read_memory(out, bytes, size, "in.txt", &with, err);
    tm_params_free(params);
    return status;
}

static inline tm_dataset *read_good(const char *text, const char *options)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (read_bytes(&data, text, strlen(text), options, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

/* `text` must be refused as malformed data, with a message that starts with "in.txt: " and `where`,
 * and has `what` in it. */
static inline void check_refused(const char *text, const char *options, const char *where,
                                 const char *what)
{
    tm_dataset *data = (tm_dataset *)&data;
    tm_error err = TM_ERROR_INIT;
    tm_status status = read_bytes(&data, text, strlen(text), options, &err);
    if (status != TM_EDATA || err.code != TM_EDATA)
        fail_msg("status %d for \"%s\": %s", (int)status, text, err.message);
    assert_null(data);
    char start[128];
    snprintf(start, sizeof start, "in.txt: %s", where);
    if (strncmp(err.message, start, strlen(start)) != 0 || !strstr(err.message, what))
        fail_msg("expected \"%s ... %s\", got \"%s\"", start, what, err.message);
}

/* The data set has these n x p values (row after row) and this response. */
static inline void check_data(const tm_dataset *data, size_t n, size_t p, const double *rows,
                              const double *y)
{
    assert_int_equal(tm_dataset_rows(data), n);
    assert_int_equal(tm_dataset_cols(data), p);
    double *column = malloc(n * sizeof *column);
    assert_non_null(column);
    for (size_t j = 0; j < p; j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t i = 0; i < n; i++)
            if (column[i] != rows[i * p + j])
                fail_msg("row %zu, column %zu: %.17g, expected %.17g", i, j, column[i],
                         rows[i * p + j]);
    }
    for (size_t i = 0; i < n; i++)
        if (tm_dataset_y(data)[i] != y[i])
            fail_msg("response %zu: %.17g, expected %.17g", i, tm_dataset_y(data)[i], y[i]);
    free(column);
}

/* n rows, whose only feature is the row's number from 1 and whose responses are y, malloc'ed, which
 * is taken over. */
static inline tm_dataset *numbered_rows(size_t n, double *y)
{
    double *values = malloc(n * sizeof *values);
    tm_dataset *data;
    tm_error err;
    assert_true(values && y);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i + 1;
    tm_dataset_parts parts = {.name = "rows", .response.y = y};
    assert_int_equal(tm_matrix_new_dense(&parts.x, n, 1, values, &err), TM_OK);
    assert_int_equal(tm_dataset_new(&data, &parts, &err), TM_OK);
    return data;
}

#endif
