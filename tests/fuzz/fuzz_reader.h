/* What the reader's fuzz targets share. */
#ifndef TESTS_FUZZ_READER_H
#define TESTS_FUZZ_READER_H

#include "fuzz_process.h"
#include "tamis/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A feature number of six digits or more, or sizes that large, are allowed and make tables of that
 * many entries: slow, and nothing new. */
static inline int has_huge_number(const uint8_t *bytes, size_t size, char after)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = bytes[i] >= '0' && bytes[i] <= '9' ? digits + 1 : 0;
        if (digits > 5 && (after == '\0' || (i + 1 < size && bytes[i + 1] == after)))
            return 1;
    }
    return 0;
}

enum { FUZZ_PATH = 64 };

/* A file with these bytes, for what reads files alone: its name, and the descriptor to be closed.
 */
static inline int fuzz_file(char path[FUZZ_PATH], const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", fd);
    return fd;
}

static inline tm_params *fuzz_params(const char *format, const char *option, const char *value)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    tm_params *params = NULL;
    tm_error err = TM_ERROR_INIT;
    if (tm_params_new(&params, "read", table, count, &err) != TM_OK)
        return NULL;
    if (tm_params_set_text(params, "format", format, &err) != TM_OK ||
        tm_params_set_text(params, option, value, &err) != TM_OK ||
        tm_params_set_int(params, "max_bytes", 1 << 24, &err) != TM_OK)
        abort();
    return params;
}

/* Looks at all of what came out; an answer that is neither good data nor a report stops the fuzzer.
 */
static inline void fuzz_look(tm_status status, tm_dataset *data, const tm_error *err)
{
    if ((status == TM_OK) != (data != NULL) || (status != TM_OK && err->message[0] == '\0'))
        abort();
    if (data && tm_dataset_sha256(data)[0] == '\0')
        abort();
    tm_dataset_unref(data);
}

/* Reads the file at `path`, or the bytes when it is null, in this format with one more option. */
static inline void fuzz_read_any(const char *path, const uint8_t *bytes, size_t size,
                                 const char *format, const char *option, const char *value)
{
    tm_params *params = fuzz_params(format, option, value);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (!params)
        return;
    options.params = params;
    tm_status status = path ? tm_read(&data, path, &options, &err)
                            : tm_read_memory(&data, bytes, size, "fuzz", &options, &err);
    fuzz_look(status, data, &err);
    fuzz_process_take();
    tm_params_free(params);
}

static inline void fuzz_read(const uint8_t *bytes, size_t size, const char *format,
                             const char *option, const char *value)
{
    fuzz_read_any(NULL, bytes, size, format, option, value);
}

static inline void fuzz_read_file(const char *path, const char *format, const char *option,
                                  const char *value)
{
    fuzz_read_any(path, NULL, 0, format, option, value);
}

enum { FUZZ_ROWS = 2, FUZZ_FEATURES = 12 };

/* Zeros, with features of every kind of name. */
static inline tm_dataset *fuzz_features(void)
{
    static const char *const names[FUZZ_FEATURES] = {"a",    "b", "1",   "x y",      "q\"q", "twin",
                                                     "twin", "#", "4-5", "weight=1", ";",    "z"};
    tm_dataset *data = NULL;
    tm_dataset_parts parts = {.name = "d"};
    parts.response.y = calloc(FUZZ_ROWS, sizeof *parts.response.y);
    parts.features.names = calloc(FUZZ_FEATURES, sizeof *parts.features.names);
    for (size_t j = 0; j < FUZZ_FEATURES; j++)
        parts.features.names[j] = strdup(names[j]);
    double *values = calloc(FUZZ_ROWS * FUZZ_FEATURES, sizeof *values);
    if (tm_matrix_new_dense(&parts.x, FUZZ_ROWS, FUZZ_FEATURES, values, NULL) != TM_OK ||
        tm_dataset_new(&data, &parts, NULL) != TM_OK)
        abort();
    return data;
}

#endif
