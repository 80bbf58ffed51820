/* tamis predict: a saved model on new data. */

#include "base/memory.h"
#include "base/replace.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/common/load.h"
#include "cli/common/options.h"
#include "cli/print/messages.h"
#include "tamis/metric.h"
#include "tamis/probability.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Writes a CSV field, quoted if necessary. */
static void write_field(FILE *file, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

/* The kind of prediction, by its name on the command line. */
typedef enum what {
    CLASS_AND_VALUE, /* only the value if there are no classes */
    SCORE,
    PROBABILITY,
    CLASS,
} what;

static const char *const whats[] = {"", "score", "probability", "class"};

/* How to predict, and into which file. */
typedef struct request {
    what as;
    tm_sigmoid sigmoid;  /* calibration of probabilities */
    const char *out;     /* NULL: standard output */
    const cli_like *how; /* how the rows were read */
} request;

/* Writes a column for each class, named after it. */
static void write_probabilities(FILE *file, const request *of, const tm_model *model,
                                const double *z, size_t n)
{
    write_field(file, tm_model_label(model, -1));
    fputc(',', file);
    write_field(file, tm_model_label(model, 1));
    fputc('\n', file);
    for (size_t i = 0; i < n; i++) {
        const tm_sigmoid rest = {-of->sigmoid.slope, -of->sigmoid.shift};
        char first[TEXT_EXACT], second[TEXT_EXACT];
        fprintf(file, "%s,%s\n", text_exact(tm_sigmoid_value(&rest, z[i]), first),
                text_exact(tm_sigmoid_value(&of->sigmoid, z[i]), second));
    }
}

static void write_predictions(FILE *file, const request *of, const tm_model *model, const double *z,
                              size_t n)
{
    bool binary = tm_model_is_binary(model);
    char text[TEXT_EXACT];
    if (of->as == PROBABILITY) {
        write_probabilities(file, of, model, z, n);
        return;
    }
    if (of->as == SCORE || of->as == CLASS) {
        fputs(of->as == SCORE ? "value\n" : "label\n", file);
        for (size_t i = 0; i < n; i++) {
            if (of->as == SCORE)
                fputs(text_exact(z[i], text), file);
            else
                write_field(file, tm_model_label(model, z[i] > 0 ? 1 : -1));
            fputc('\n', file);
        }
        return;
    }
    fputs(binary ? "label,value\n" : "value\n", file);
    for (size_t i = 0; i < n; i++) {
        if (binary) {
            write_field(file, tm_model_label(model, z[i] > 0 ? 1 : -1));
            fputc(',', file);
        }
        fprintf(file, "%s\n", text_exact(z[i], text));
    }
}

/* The file's response may be a placeholder: a score that cannot be computed is not an error. */
static void remark_score(const tm_model *model, const tm_dataset *data, const cli_context *context)
{
    tm_error err;
    double value;
    tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
    if (tm_model_score(model, data, &scorer, &value, &err) == TM_OK)
        cli_remark(context, "%s %.4g on %zu rows", scorer.name, value, tm_dataset_rows(data));
    else
        cli_remark(context, "not scored: %s", err.message);
}

static int write_out(const request *of, const tm_model *model, const double *z, size_t n)
{
    if (!of->out) {
        write_predictions(stdout, of, model, z, n);
        return cli_finish("predict", CLI_DONE);
    }
    tm_error err;
    replacement file;
    tm_status status = replace_begin(&file, of->out, &err);
    if (status == TM_OK) {
        write_predictions(file.stream, of, model, z, n);
        status = replace_end(&file, TM_OK, &err);
    }
    return status == TM_OK ? CLI_DONE : cli_fail("predict", &err);
}

static int predict(const request *of, const tm_model *model, const tm_dataset *data,
                   const cli_context *context)
{
    tm_error err;
    size_t n = tm_dataset_rows(data);
    double *z = mem_array(n, sizeof *z);
    if (!z) {
        tm_fail_memory(&err, "the predictions");
        return cli_fail("predict", &err);
    }
    int result;
    if (tm_model_predict_data(model, data, z, &err) != TM_OK) {
        result = cli_fail("predict", &err);
    } else {
        result = write_out(of, model, z, n);
        if (result == CLI_DONE && !of->how->unlabelled)
            remark_score(model, data, context);
    }
    free(z);
    return result;
}

/* Whether the model uses a feature with the name of the file's response. */
static bool uses_response(const tm_model *model, const tm_dataset *data)
{
    const char *name = tm_dataset_response_name(data);
    const size_t *features = tm_model_features(model);
    char label[600];
    for (size_t k = 0; name && k < tm_model_nnz(model); k++)
        if (strcmp(tm_model_feature_label(model, features[k], label, sizeof label), name) == 0)
            return true;
    return false;
}

/* Loads rows for a model whose file does not say how the training data were read. If the column
 * taken for the response by default is a feature of the model, the file has no response. */
static tm_status load_blindly(tm_dataset **out, const char *path, cli_like *how,
                              const tm_model *model, const cli_context *context, tm_error *err)
{
    tm_status status = cli_load_like(out, path, how, context, err);
    if (status != TM_OK || how->unlabelled || tm_params_has(how->params, "label") ||
        tm_params_has(how->params, "response") || !uses_response(model, *out))
        return status;
    if (strcmp(path, "-") != 0)
        cli_remark(context,
                   "\"%.100s\" is a feature of the model: %.300s is read without a response",
                   tm_dataset_response_name(*out), path);
    else
        status =
            tm_fail(err, TM_EDATA,
                    "the response, \"%.100s\", is a feature of the model: say --unlabelled when "
                    "the data have no response, else which column it is with --label",
                    tm_dataset_response_name(*out));
    tm_dataset_unref(*out);
    *out = NULL;
    how->unlabelled = true;
    return status == TM_OK ? cli_load_like(out, path, how, context, err) : status;
}

/* Replaces instances by rows of bags. */
static tm_status take_bags(tm_dataset **data, const tm_model *model, const char *bags,
                           tm_error *err)
{
    tm_bags found = TM_BAGS_INIT;
    tm_dataset *rest = NULL, *embedded = NULL;
    const char *column = bags ? bags : tm_model_carried(model).bags_column;
    if (!column)
        return tm_fail(
            err, TM_EUSAGE,
            "the model is of bags, which a file told: say with --bags FILE which row is of "
            "which bag");
    bool file = bags && access(bags, R_OK) == 0;
    tm_status status = file ? tm_bags_read(&found, bags, tm_dataset_rows(*data), err)
                            : tm_bags_from_column(&found, &rest, *data, column, err);
    if (status == TM_OK)
        status = tm_model_embed(&embedded, model, rest ? rest : *data, &found, err);
    tm_bags_clear(&found);
    tm_dataset_unref(rest);
    if (status == TM_OK) {
        tm_dataset_unref(*data);
        *data = embedded;
    }
    return status;
}

static tm_status load_rows(tm_dataset **out, const char *path, cli_like *how, const tm_model *model,
                           const cli_context *context, tm_error *err)
{
    how->like = tm_model_reading(model);
    how->may_lack = how->like && !tm_params_has(how->params, "label") &&
                    !tm_params_has(how->params, "response");
    if (tm_model_is_old(model)) {
        cli_remark(context, "the model's file is of an earlier tamis and does not tell how its "
                            "training data were read: options of the data have to be the same");
        return load_blindly(out, path, how, model, context, err);
    }
    tm_status status = cli_load_like(out, path, how, context, err);
    if (status != TM_OK)
        return status;
    const tm_reading *reading = tm_dataset_reading(*out);
    if (reading->file.unlabelled && !how->unlabelled)
        cli_remark(context,
                   "%.100s has no response, or not in every row, so it is not scored; features "
                   "are found %s",
                   tm_dataset_name(*out),
                   tm_dataset_feature_name(*out, 0)
                       ? "by name, where the training data have names"
                       : "by their order, which is that of the training data");
    how->unlabelled |= reading->file.unlabelled;
    if (reading->missing[0])
        cli_remark(context, "missing values: %s", reading->missing);
    return TM_OK;
}

/* Parses `as` and `calibrate` (NULL: not given). */
static tm_status read_request(request *of, const char *as, const char *calibrate,
                              const tm_model *model, const cli_context *context, tm_error *err)
{
    of->as = CLASS_AND_VALUE;
    while (as && of->as < CLASS && strcmp(as, whats[of->as]) != 0)
        of->as++;
    if (as && (strcmp(as, whats[of->as]) != 0 || !*as))
        return tm_fail(err, TM_EUSAGE,
                       "option '--as': '%.40s'; expected score, probability or class", as);
    if (calibrate && of->as != PROBABILITY)
        return tm_fail(err, TM_EUSAGE, "option '--calibrate' is for --as probability");
    if (of->as == CLASS && !tm_model_is_binary(model))
        return tm_fail(err, TM_EUSAGE, "the model's response is a number: it has no classes");
    if (of->as != PROBABILITY || !calibrate)
        return of->as == PROBABILITY ? tm_model_sigmoid(&of->sigmoid, model, err) : TM_OK;
    tm_dataset *labelled = NULL;
    cli_like like = {.params = of->how->params, .like = tm_model_reading(model)};
    tm_status status = cli_load_like(&labelled, calibrate, &like, context, err);
    if (status == TM_OK)
        status = tm_model_calibrate(&of->sigmoid, model, labelled, err);
    tm_dataset_unref(labelled);
    return status;
}

int cli_predict(cli_context *context, int argc, char **argv)
{
    const char *bags = NULL, *as = NULL, *calibrate = NULL;
    cli_like how = {0};
    request of = {.how = &how};
    const cli_option options[] = {
        {"out", "OUT.csv", "write the predictions to this file and not to standard output", NULL,
         &of.out},
        {"as", "WHAT",
         "score, class, or probability (a column for each class); else the class and the value",
         NULL, &as},
        {"calibrate", "ROWS",
         "learn probabilities from the scores of labelled rows that the model was not fitted to",
         NULL, &calibrate},
        {"unlabelled", NULL, "FILE has no response: every column is a feature", &how.unlabelled,
         NULL},
        {"bags", "BAGS",
         "of a model of bags: the bag's column, unless it is as in training, or a file", NULL,
         &bags},
    };
    cli_syntax syntax = {
        .command = "predict",
        .no_store = true,
        .usage = "predict MODEL FILE [-o OUT.csv] [OPTION...]",
        .summary = "Predicts the rows of FILE ('-': standard input) with a model that 'tamis fit "
                   "--model' has saved. One line of CSV for each row: the class and the value, or "
                   "the value alone. FILE is read like the training data, and nothing is learnt "
                   "from it. Features are found by name where both have names.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .params_title = {"data options"},
    };
    cli_arguments arguments;
    tm_model *model = NULL;
    tm_dataset *data = NULL;
    tm_error err;
    int result;
    if (cli_reader_params_new(&syntax.params[0], &err) != TM_OK) {
        result = cli_fail("predict", &err);
        goto done;
    }
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &result))
        goto done;
    how.params = syntax.params[0];
    if (arguments.count != 2)
        result = cli_usage("predict", "name a model and a data file: tamis predict MODEL FILE");
    else if (tm_model_load(&model, arguments.words[0], &err) != TM_OK ||
             read_request(&of, as, calibrate, model, context, &err) != TM_OK ||
             cli_read_bags(syntax.params[0], bags, &err) != TM_OK ||
             load_rows(&data, arguments.words[1], &how, model, context, &err) != TM_OK ||
             (tm_model_carried(model).bags && take_bags(&data, model, bags, &err) != TM_OK))
        result = cli_fail("predict", &err);
    else
        result = predict(&of, model, data, context);
done:
    tm_dataset_unref(data);
    tm_model_unref(model);
    tm_params_free(syntax.params[0]);
    return result;
}
