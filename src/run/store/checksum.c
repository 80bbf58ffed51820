/* Checksums of what a sweep has recorded: a row whose numbers have changed on disk does not count
 * as a result. */
#include "run/store/checksum.h"

#include <string.h>

/* FNV-1a, which changes if any single bit changes. */
static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ b[i]) * 1099511628211U;
    return sum;
}

static uint64_t add_number(uint64_t sum, uint64_t number)
{
    for (int i = 0; i < 8; i++, number >>= 8)
        sum = (sum ^ (number & 0xff)) * 1099511628211U;
    return sum;
}

/* Includes the terminating NUL, so that "ab", "c" differs from "a", "bc"; NULL differs from "". */
static uint64_t add_text(uint64_t sum, const char *text)
{
    return text ? add_bytes(sum, text, strlen(text) + 1) : add_number(sum, 1);
}

/* The file stores every NaN as NULL, and does not keep the sign of a zero. */
static uint64_t add_real(uint64_t sum, double value)
{
    uint64_t bits = UINT64_MAX;
    value = value == 0 ? 0 : value;
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    return add_number(sum, bits);
}

enum { START = 1469598103 };

int64_t store_result_sum(size_t config, size_t split, const tm_sweep_cell *cell, const char *scores)
{
    const double reals[] = {cell->lambda, cell->primal,  cell->dual,    cell->gap,
                            cell->nnz,    cell->seconds, cell->columns, cell->updates};
    uint64_t sum = add_number(add_number(START, config), split);
    sum = add_text(add_text(sum, tm_cell_status_name(cell->status)), cell->error);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        sum = add_real(sum, reals[i]);
    return (int64_t)add_text(sum, scores);
}

int64_t store_answer_sum(const sweep_digest *content, const char *metrics, double lambda_max,
                         const char *model)
{
    uint64_t sum = add_bytes(START, content->bytes, sizeof content->bytes);
    return (int64_t)add_text(add_real(add_text(sum, metrics), lambda_max), model);
}

int64_t store_kept_sum(size_t config, size_t split, const void *bytes, size_t size)
{
    return (int64_t)add_bytes(add_number(add_number(START, config), split), bytes, size);
}

int64_t store_mark_sum(size_t task, size_t cells, double lambda_max, const char *model)
{
    return (int64_t)add_text(add_real(add_number(add_number(START, task), cells), lambda_max),
                             model);
}
