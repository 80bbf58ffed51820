/* The fingerprint of a data set's content, computed with nettle's SHA-256. */
#include "data/sha256.h"

#include <nettle/sha2.h>
#include <string.h>

enum { BUFFER = 1 << 12 };

/* Little-endian words are collected and hashed in large pieces. */
typedef struct hasher {
    struct sha256_ctx context;
    size_t used;
    uint8_t buffer[BUFFER];
} hasher;

static void put(hasher *hash, uint64_t word, size_t bytes)
{
    if (hash->used + bytes > BUFFER) {
        sha256_update(&hash->context, hash->used, hash->buffer);
        hash->used = 0;
    }
    for (size_t i = 0; i < bytes; i++)
        hash->buffer[hash->used++] = (uint8_t)(word >> (8 * i));
}

static void put_real(hasher *hash, double value)
{
    uint64_t word = 0;
    if (value != 0.0)
        memcpy(&word, &value, sizeof word);
    put(hash, word, 8);
}

static void put_column(hasher *hash, const tm_matrix *x, size_t j, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
    uint64_t nonzero = 0;
    for (size_t k = 0; k < count; k++)
        nonzero += values[k] != 0.0;
    put(hash, nonzero, 8);
    for (size_t k = 0; k < count; k++) {
        if (values[k] == 0.0)
            continue;
        put(hash, rows ? rows[k] : (uint64_t)k, 8);
        put_real(hash, values[k]);
    }
}

/* Hashes a mark that cannot be the count of a column, then the values. */
static void put_extra(hasher *hash, uint64_t mark, const double *values, size_t n)
{
    if (!values)
        return;
    put(hash, UINT64_MAX - mark, 8);
    for (size_t i = 0; i < n; i++)
        put_real(hash, values[i]);
}

static void finish(struct sha256_ctx *context, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[64] = '\0';
}

void data_sha256(const tm_matrix *x, const double *y, const double *weights, const double *offset,
                 double *scratch, char hex[65])
{
    hasher gathered;
    hasher *hash = &gathered;
    sha256_init(&hash->context);
    hash->used = 0;
    size_t n = tm_matrix_rows(x);
    size_t p = tm_matrix_cols(x);
    put(hash, n, 8);
    put(hash, p, 8);
    for (size_t i = 0; i < n; i++)
        put_real(hash, y[i]);
    for (size_t j = 0; j < p; j++)
        put_column(hash, x, j, scratch);
    put_extra(hash, 0, weights, n);
    put_extra(hash, 1, offset, n);
    sha256_update(&hash->context, hash->used, hash->buffer);
    finish(&hash->context, hex);
}

void data_sha256_names(const tm_dataset *data, char hex[65])
{
    struct sha256_ctx context;
    sha256_init(&context);
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        const char *name = tm_dataset_feature_name(data, j);
        size_t length = name ? strlen(name) + 1 : 1; /* with the terminating NUL */
        sha256_update(&context, length, (const uint8_t *)(name ? name : ""));
    }
    finish(&context, hex);
}
