/* The options of CSV, as rows of tm_reader_params, and the rules that others use. */
#ifndef DATA_READ_CSV_CSV_H
#define DATA_READ_CSV_CSV_H

#include "data/read/common/format.h"

/* Whether a column of this name is used as the response when none is given. */
bool read_csv_usual_response(const char *name);

extern const tm_choice csv_headers[], csv_text_columns[], csv_decimals[];
#define CSV_OPTIONS                                                                                \
    READ_CHOICE("header", "auto", "CSV: whether the first line names the columns", csv_headers),   \
        READ_CHOICE("text", "error", "CSV: treatment of features that are text",                   \
                    csv_text_columns),                                                             \
        READ_CHOICE("decimal", "auto", "CSV: what separates the decimals of a number",             \
                    csv_decimals),

#endif
