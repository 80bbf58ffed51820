/* Tables for people: columns as wide as their widest cell. */
#ifndef CLI_PRINT_TABLE_H
#define CLI_PRINT_TABLE_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_table {
    size_t columns;
    uint32_t right; /* bit c: column c is aligned to the right; the last bit: those after it */
    char **cells;   /* row by row */
    size_t count, capacity;
    bool failed; /* memory ran out on the way */
} cli_table;

/* The next cell; the first row are the titles. */
void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number with so many significant digits; empty when it is not finite. */
void cli_table_add_real(cli_table *table, int digits, double value);
/* Empty when it is negative. */
void cli_table_add_count(cli_table *table, int64_t count);
/* Prints whole rows on standard output, frees. */
tm_status cli_table_print(cli_table *table, tm_error *err);
/* Frees without printing. */
void cli_table_clear(cli_table *table);

#endif
