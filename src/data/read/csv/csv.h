/* The options of CSV, rows of tm_reader_params, and what others ask of its rules. */
#ifndef DATA_READ_CSV_CSV_H
#define DATA_READ_CSV_CSV_H

#include "tamis/params.h"

/* Whether a column of this name is taken for the response when none is named. */
bool read_csv_usual_response(const char *name);

extern const tm_choice csv_headers[], csv_missing[], csv_text_columns[];
#define CSV_OPTIONS                                                                                \
    {"header",                                                                                     \
     TM_PARAM_CHOICE,                                                                              \
     "auto",                                                                                       \
     0,                                                                                            \
     0,                                                                                            \
     NULL,                                                                                         \
     "CSV: whether the first line names the columns",                                              \
     csv_headers,                                                                                  \
     0},                                                                                           \
        {"missing",                                                                                \
         TM_PARAM_CHOICE,                                                                          \
         "error",                                                                                  \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "CSV, PLINK: what becomes of missing values (empty, NA, nan, null, none, ?)",             \
         csv_missing,                                                                              \
         0},                                                                                       \
    {                                                                                              \
        "text", TM_PARAM_CHOICE, "error", 0, 0, NULL,                                              \
            "CSV: what becomes of features that are text", csv_text_columns, 0                     \
    }

#endif
