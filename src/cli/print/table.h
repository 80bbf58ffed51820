/* Aligned tables: columns as wide as their widest cell. */
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
    bool failed; /* memory ran out */
} cli_table;

/* Adds the next cell; the first row has the titles. */
void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number with this many significant digits; empty if it is not finite. */
void cli_table_add_real(cli_table *table, int digits, double value);
/* A count; empty if it is negative. */
void cli_table_add_count(cli_table *table, int64_t count);
/* Prints the complete rows on standard output and frees the table. */
tm_status cli_table_print(cli_table *table, tm_error *err);
/* Frees without printing. */
void cli_table_clear(cli_table *table);

#endif
