/* Writes table.dta, table.sav and table.xpt, the same table for Stata, SPSS and SAS, into the
 * folder that is named:
 *
 *     cc -o make_statistics tests/data/make_statistics.c -lreadstat -lm
 *     ./make_statistics tests/data
 *
 * 24 rows of four columns and y, 1 where a - 0.7 c is positive; the numbers are made here. */
#include <math.h>
#include <readstat.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 24, COLUMNS = 4 };

typedef readstat_error_t begin(readstat_writer_t *writer, void *payload, long rows);

static ssize_t keep(const void *bytes, size_t size, void *payload)
{
    return (ssize_t)fwrite(bytes, 1, size, payload);
}

static int write_table(const char *folder, const char *name, begin *begin_file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    readstat_writer_t *writer = readstat_writer_init();
    readstat_variable_t *variables[COLUMNS + 1];
    readstat_set_data_writer(writer, keep);
    readstat_writer_set_file_timestamp(writer, 1700000000);
    for (int j = 0; j <= COLUMNS; j++)
        variables[j] = readstat_add_variable(writer, j < COLUMNS ? (char[2]){(char)('a' + j)} : "y",
                                             READSTAT_TYPE_DOUBLE, 0);
    readstat_error_t error = begin_file(writer, file, ROWS);
    for (int i = 0; i < ROWS && error == READSTAT_OK; i++) {
        double row[COLUMNS + 1];
        for (int j = 0; j < COLUMNS; j++)
            row[j] = round(1000 * sin(3.7 * i + 1.3 * j * j + 0.1 * i * j)) / 1000;
        row[COLUMNS] = row[0] - 0.7 * row[2] > 0;
        readstat_begin_row(writer);
        for (int j = 0; j <= COLUMNS; j++)
            readstat_insert_double_value(writer, variables[j], row[j]);
        error = readstat_end_row(writer);
    }
    if (error == READSTAT_OK)
        error = readstat_end_writing(writer);
    readstat_writer_free(writer);
    return fclose(file) != 0 || error != READSTAT_OK;
}

int main(int argc, char **argv)
{
    return argc != 2 || write_table(argv[1], "table.dta", readstat_begin_writing_dta) ||
           write_table(argv[1], "table.sav", readstat_begin_writing_sav) ||
           write_table(argv[1], "table.xpt", readstat_begin_writing_xport);
}
