#include "cli/print/table.h"

#include "base/memory.h"
#include "cli/print/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void add(cli_table *table, char *cell)
{
    report_clean(cell);
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? table->capacity * 2 : 64;
        char **more = reallocarray(table->cells, capacity, sizeof *more);
        if (!more) {
            table->failed = true;
            free(cell);
            return;
        }
        table->cells = more;
        table->capacity = capacity;
    }
    table->cells[table->count++] = cell;
}

void cli_table_add(cli_table *table, const char *format, ...)
{
    va_list args;
    char *cell;
    va_start(args, format);
    if (vasprintf(&cell, format, args) < 0)
        table->failed = true;
    else
        add(table, cell);
    va_end(args);
}

void cli_table_add_real(cli_table *table, int digits, double value)
{
    if (!isnan(value))
        cli_table_add(table, "%.*g", digits, value);
    else
        cli_table_add(table, "%s", "");
}

void cli_table_add_count(cli_table *table, int64_t count)
{
    if (count < 0)
        cli_table_add(table, "%s", "");
    else
        cli_table_add(table, "%lld", (long long)count);
}

static void print_row(const cli_table *table, size_t row, const int *widths)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *cell = table->cells[row * table->columns + c];
        int width = report_columns(cell);
        bool right = c < 32 ? table->right >> c & 1 : table->right >> 31 & 1,
             last = c + 1 == table->columns;
        if (right)
            printf("%*s", widths[c] - width, "");
        report_padded(cell, right || last ? width : widths[c]);
        fputs(last ? "\n" : "  ", stdout);
    }
}

void cli_table_clear(cli_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (cli_table){.columns = table->columns};
}

tm_status cli_table_print(cli_table *table, tm_error *err)
{
    int *widths = mem_zeros(table->columns, sizeof *widths);
    bool failed = table->failed || !widths;
    for (size_t i = 0; !failed && i < table->count; i++) {
        int width = report_columns(table->cells[i]);
        int *widest = &widths[i % table->columns];
        *widest = width > *widest ? width : *widest;
    }
    for (size_t row = 0; !failed && row < table->count / table->columns; row++)
        print_row(table, row, widths);
    free(widths);
    cli_table_clear(table);
    return failed ? tm_fail_memory(err, "a table") : TM_OK;
}
