/* Makes the data set from the rows of a CSV file. */
#include "data/read/csv/like.h"
#include "data/read/csv/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_note(const csv_reader *reader, char *note, size_t size)
{
    const char *separator = reader->separator == '\t'  ? "tab"
                            : reader->separator == ';' ? "semicolon"
                            : reader->separator == ' ' ? "blank"
                            : reader->separator == '|' ? "bar"
                                                       : "comma";
    int used = snprintf(note, size, "format: CSV, separator %s, %s%s", separator,
                        reader->has_header ? "names in the first line" : "no header",
                        reader->row_names ? "\nleft out: column 1, which has no name and names or "
                                            "numbers the rows"
                                          : "");
    if (reader->trailing)
        used += snprintf(note + used, size - (size_t)used,
                         "\nleft out: what follows the separator at the end of each line");
    if (reader->booleans)
        used += snprintf(note + used, size - (size_t)used, "\nTRUE is 1, FALSE is 0");
    if (reader->marks.comma_line > 0)
        used += snprintf(note + used, size - (size_t)used, "\nnumbers have a decimal comma");
    if (reader->marks.rounded_line > 0)
        used +=
            snprintf(note + used, size - (size_t)used,
                     "\nrounded: whole numbers above 2^53, the first in line %llu, column %zu",
                     (unsigned long long)reader->marks.rounded_line, reader->marks.rounded_column);
    if (reader->response == NO_COLUMN)
        return;
    input_quote name = csv_column_name(reader, reader->response + 1);
    const char *mark = name.text[0] ? "\"" : "";
    snprintf(note + used, size - (size_t)used, "\nresponse: column %zu of %zu%s%s%s%s%s",
             reader->response + 1, reader->columns, name.text[0] ? ", " : "", mark, name.text, mark,
             reader->request->label ? "" : " (chosen by default)");
}

tm_status csv_finish(csv_reader *reader, read_result *result, tm_error *err)
{
    reader->table.classes_are_text = reader->text_line > 0;
    tm_status status = table_finish(&reader->table, result, err);
    if (status == TM_OK && !csv_keep_file(reader, &result->parts.reading->file))
        status = input_fail_memory(reader->in, "what the table is like");
    write_note(reader, result->note, sizeof result->note);
    table_note(&reader->table, result);
    return status;
}
