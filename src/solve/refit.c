#include "solve/refit.h"

#include "base/memory.h"
#include "base/text.h"
#include "solve/common/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void refit_clear(refit *r)
{
    tm_params_free(r->params);
    *r = (refit){0};
}

/* The default method for the response, with its parameters. */
static void find_default(const tm_dataset *data, char *words, size_t size)
{
    const tm_method *m;
    bool classes = tm_dataset_has_classes(data), two = tm_dataset_is_binary(data);
    snprintf(words, size, "none");
    for (size_t i = 0; (!classes || two) && (m = tm_methods_at(i)); i++)
        if (m->refit && m->hinge == two)
            snprintf(words, size, "%s %s", m->id, m->refit);
}

/* Reads the words after the method's name, modifying the text. */
static tm_status read_words(refit *r, char *words, tm_error *err)
{
    char *rest = NULL;
    tm_status status = TM_OK;
    for (char *word = strtok_r(words, " \t", &rest); status == TM_OK && word;
         word = strtok_r(NULL, " \t", &rest)) {
        char *equals = strchr(word, '=');
        if (!equals)
            return tm_fail(err, TM_EUSAGE,
                           "refit: '%.60s' is no parameter; expected METHOD NAME=VALUE ..., as in "
                           "\"svm kernel=rbf C=10\"",
                           word);
        *equals = '\0';
        status = tm_params_set_text(r->params, word, equals + 1, err);
    }
    return status;
}

tm_status refit_read(refit *out, const char *text, const tm_dataset *data, tm_error *err)
{
    char own[120];
    *out = (refit){0};
    find_default(data, own, sizeof own);
    char *words = text_copy(strcmp(text, "auto") == 0 ? own : text);
    if (!words)
        return tm_fail_memory(err, "the method to refit with");
    char *name = words + strspn(words, " \t"), *end = name + strcspn(name, " \t");
    char *rest = *end ? end + 1 : end;
    tm_status status = TM_OK;
    *end = '\0';
    if (strcmp(name, "none") != 0) {
        tm_error why = TM_ERROR_INIT;
        out->method = tm_method_find(name, &why);
        status = out->method ? tm_method_params_new(&out->params, out->method, err)
                             : tm_fail(err, TM_EUSAGE, "refit: %s", why.message);
        if (status == TM_OK)
            status = read_words(out, rest, err);
    }
    free(words);
    if (status != TM_OK)
        refit_clear(out);
    return status;
}

/* For a selection without features. */
static tm_status predict_mean(tm_model **out, const tm_model *chosen, const tm_dataset *data,
                              tm_error *err)
{
    double mean = 0;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    double *weights = mem_zeros(p, sizeof *weights);
    if (!weights)
        return tm_fail_memory(err, "a model");
    for (size_t i = 0; i < n; i++)
        mean += tm_dataset_y(data)[i] / (double)n;
    tm_status status = tm_model_new(out, data, tm_model_method(chosen), NAN, weights, mean, err);
    free(weights);
    return status;
}

static tm_status keep_model(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    tm_model **out = payload;
    (void)k;
    (void)err;
    tm_model_unref(*out);
    *out = tm_model_ref(solution->model);
    bool cancelled = solution->outcome == TM_CANCELLED;
    tm_solution_clear(solution);
    return cancelled ? tm_fail(err, TM_ECANCELLED, "cancelled while refitting") : TM_OK;
}

static tm_status solve(tm_model **out, const refit *r, const tm_dataset *data,
                       const solve_progress *progress, tm_error *err)
{
    tm_monitor quiet = {.cancel = progress->monitor.cancel};
    tm_solver *solver;
    tm_grid grid;
    tm_status status = tm_solver_new(&solver, r->method, data, r->params, &quiet, err);
    if (status != TM_OK)
        return status;
    status = tm_grid_make(&grid, r->params, tm_solver_lambda_max(solver), err);
    if (status == TM_OK && grid.count != 1)
        status = tm_fail(err, TM_EUSAGE,
                         "refit: %s would give %zu models; one is needed for predictions",
                         tm_method_id(r->method), grid.count);
    if (status == TM_OK)
        status = tm_solver_run(solver, r->params, &grid, keep_model, out, err);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    return status;
}

tm_status refit_model(tm_model **out, const refit *r, const tm_model *chosen,
                      const tm_dataset *data, const solve_progress *progress, tm_error *err)
{
    tm_dataset *part, *scaled = NULL;
    *out = NULL;
    if (!r->method)
        return TM_OK;
    if (tm_model_nnz(chosen) == 0)
        return predict_mean(out, chosen, data, err);
    tm_status status = tm_dataset_select_cols(&part, data, tm_model_features(chosen),
                                              tm_model_nnz(chosen), tm_dataset_name(data), err);
    if (status != TM_OK)
        return status;
    status = tm_dataset_scale(&scaled, part, TM_SCALE_STANDARD, NULL, err);
    if (status == TM_OK)
        status = solve(out, r, scaled, progress, err);
    tm_dataset_unref(scaled);
    tm_dataset_unref(part);
    if (status != TM_OK) {
        tm_model_unref(*out);
        *out = NULL;
    }
    return status;
}
