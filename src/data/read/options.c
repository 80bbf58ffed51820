/* The formats and options of tm_read. */
#include "data/read/common/steps.h"

static const tm_reader_info readers[READERS] = {
    {"libsvm", "LIBSVM / SVMlight text: label feature:value ..., features counted from 1 or 0"},
    {"csv", "CSV or TSV: a table of numbers, with or without a header, and a response column"},
    {"mtx", "Matrix Market text: coordinate or array; the response is a file or column of its own"},
    {"npy", "NumPy array of rows and columns; the response is a file or column of its own"},
    {"npz", "NumPy archive: X and y, or a matrix of scipy.sparse.save_npz"},
    {"mat", "MATLAB: a matrix X and a vector y, or variables that are named"},
    {"plink", "PLINK 1 genotypes: .bed, with the .bim and .fam beside it; kept at 2 bits each"},
    {"tam", "Tamis's own column store: verified, and read in place, so it may exceed the memory"},
};
static const tm_choice format_choices[] = {
    {"auto", "found from the content"},
    {"libsvm", "LIBSVM / SVMlight"},
    {"csv", "comma, semicolon or tab separated"},
    {"mtx", "Matrix Market"},
    {"npy", "NumPy array"},
    {"npz", "NumPy archive"},
    {"mat", "MATLAB"},
    {"plink", "PLINK 1 genotypes"},
    {"tam", "Tamis's column store"},
    {NULL, NULL},
};

static const tm_choice header_choices[] = {
    {"auto", "found from the first two lines"},
    {"true", "the first line names the columns"},
    {"false", "the first line is a row of data"},
    {NULL, NULL},
};

static const tm_choice missing_choices[] = {
    {"error", "a missing value is an error"},
    {"mean", "a missing value becomes the mean of its column"},
    {"drop", "rows with a missing value are left out"},
    {NULL, NULL},
};

static const tm_choice text_choices[] = {
    {"error", "an error that names the columns"},
    {"onehot", "one feature for each of a column's texts, 1 in the rows that have it"},
    {NULL, NULL},
};

static const tm_choice base_choices[] = {
    {"auto", "0 when a feature 0 occurs, else 1"},
    {"0", "features are counted from 0"},
    {"1", "features are counted from 1"},
    {NULL, NULL},
};

static const tm_choice storage_choices[] = {
    {"double", "as they were read"},
    {"float", "rounded to single precision: less memory; all arithmetic stays in double"},
    {NULL, NULL},
};

static const tm_param_info params_table[] = {
    {"format", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "format of the file", format_choices, 0},
    {"label", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "the response column, by name (CSV) or by number from 1", NULL, 0},
    {"response", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the response: text of one number or class a line, .npy or .mtx", NULL, 0},
    {"x", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "mat: the variable with the features; X, data, fea, features, A or the only matrix otherwise",
     NULL, 0},
    {"y", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "mat: the variable with the response; y, label, labels, target, gnd or class otherwise", NULL,
     0},
    {"names", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "file of the features' names, one a line; X.names beside X.svm is found by itself", NULL, 0},
    {"weights", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "how often each row counts: a column by name, or a file of one number a line", NULL, 0},
    {"offset", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "what each row's prediction begins with: a column by name, or a file", NULL, 0},
    {"header", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "CSV: whether the first line names the columns",
     header_choices, 0},
    {"missing", TM_PARAM_CHOICE, "error", 0, 0, NULL,
     "CSV, PLINK: what becomes of missing values (empty, NA, nan, null, none, ?)", missing_choices,
     0},
    {"text", TM_PARAM_CHOICE, "error", 0, 0, NULL, "CSV: what becomes of features that are text",
     text_choices, 0},
    {"base", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "LIBSVM: the number of the first feature",
     base_choices, 0},
    {"features", TM_PARAM_INT, "0", 0, 4294967294.0, NULL,
     "at least this many columns, for parts of one data set", NULL, 0},
    {"storage", TM_PARAM_CHOICE, "double", 0, 0, NULL, "precision in which the values are kept",
     storage_choices, 0},
    {"resident", TM_PARAM_INT, "0", 0, 9.0e15, "bytes",
     "tam: how much of the file may stay in memory; 0: half of this machine's", NULL,
     TM_PARAM_EXPERT},
    {"max_bytes", TM_PARAM_INT, "68719476736", 1, 9.0e15, "bytes",
     "cap on the size of the decompressed text", NULL, TM_PARAM_EXPERT},
};

const tm_reader_info *tm_readers(size_t *count)
{
    *count = READERS;
    return readers;
}

const tm_param_info *tm_reader_params(size_t *count)
{
    *count = sizeof params_table / sizeof params_table[0];
    return params_table;
}

const char *read_format_id(int format)
{
    return readers[format].id;
}
