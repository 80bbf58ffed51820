/* The options of CSV, rows of tm_reader_params, and what others ask of its rules. */
#ifndef DATA_READ_CSV_CSV_H
#define DATA_READ_CSV_CSV_H

#include "data/read/common/format.h"

/* Whether a column of this name is taken for the response when none is named. */
bool read_csv_usual_response(const char *name);

extern const tm_choice csv_headers[], csv_text_columns[];
#define CSV_OPTIONS                                                                                \
    READ_CHOICE("header", "auto", "CSV: whether the first line names the columns", csv_headers),   \
        READ_CHOICE("text", "error", "CSV: what becomes of features that are text",                \
                    csv_text_columns),

#endif
