/* Fuzz target: model files. What is read is written, and the same when it is read and written
 * again; where the model has few columns it also predicts. */
#include "fuzz_reader.h"

#include "tamis/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { COLUMNS = 64, ROWS = 2 };

/* A small data set of as many columns; NULL for none and for many. */
static const tm_dataset *data_of(size_t columns)
{
    static tm_dataset *made[COLUMNS + 1];
    char text[ROWS * (COLUMNS + 1) * 8], *end = text;
    if (columns == 0 || columns > COLUMNS || made[columns])
        return columns > COLUMNS ? NULL : made[columns];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j <= columns; j++)
            end += sprintf(end, "%zu%c", (3 * i + 5 * j) % 7, j == columns ? '\n' : ',');
    tm_params *params = fuzz_params("csv", "header", "false");
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.params = params;
    tm_read_memory(&made[columns], text, (size_t)(end - text), "small", &options, NULL);
    tm_params_free(params);
    return made[columns];
}

static void write_again(const tm_model *model)
{
    char *first = NULL, *second = NULL;
    tm_model *again = NULL;
    if (tm_model_to_text(&first, model, NULL) == TM_OK &&
        (tm_model_from_text(&again, first, "again", NULL) != TM_OK ||
         tm_model_to_text(&second, again, NULL) != TM_OK || strcmp(first, second) != 0))
        abort();
    tm_model_unref(again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    tm_error err = TM_ERROR_INIT;
    tm_model *model = NULL;
    char *text = malloc(size + 1);
    double z[ROWS];
    if (!text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    tm_status status = tm_model_from_text(&model, text, "input", &err);
    if ((status == TM_OK) != (model != NULL) || (status != TM_OK && err.message[0] == '\0'))
        abort();
    if (model) {
        const tm_dataset *data = data_of(tm_model_cols(model));
        if (data)
            tm_model_predict_data(model, data, z, &err);
        write_again(model);
    }
    tm_model_unref(model);
    free(text);
    return 0;
}
