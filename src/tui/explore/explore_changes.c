/* Changes of the form: what they start, and how they are undone. */
#include "tui/explore/explore_runs.h"

#include <string.h>

static bool has(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) != NULL;
}

/* Whether the parameter is the position of the solve on the path. */
static bool is_place(const char *name)
{
    return strcmp(name, "lambda") == 0 || strcmp(name, "lambda_ratio") == 0;
}

/* Whether to start from the last answer. After a change of the solver's options or of the problem
 * itself, users compare costs, and a warm start would favour the later run. */
static bool starts_warm(const char *name)
{
    return is_place(name) || strcmp(name, "tol") == 0 || strcmp(name, "B") == 0 ||
           strcmp(name, "C") == 0;
}

static bool is_path(const char *name)
{
    return strcmp(name, "lambdas") == 0 || strcmp(name, "lambda_min_ratio") == 0;
}

/* lambda and lambda_ratio set the same quantity: the one set last counts. */
static tm_status set_one(tm_params *params, const char *name, const char *text, tm_error *err)
{
    tm_status status =
        text ? tm_params_set_text(params, name, text, err) : tm_params_unset(params, name, err);
    const char *other = strcmp(name, "lambda") == 0 ? "lambda_ratio" : "lambda";
    if (status == TM_OK && text && is_place(name) && has(params, other))
        status = tm_params_unset(params, other, err);
    return status;
}

/* Whether a change of this parameter only moves the solve along the path and leaves the path
 * unchanged. */
static bool moves_along(const explore_runs *e, const char *name)
{
    const char *along = tm_path_param(e->params);
    return is_place(name) || (!has(e->params, "lambdas") && along && strcmp(name, along) == 0);
}

/* Replaces the form by `changed` and starts what depends on it; *before is then the previous form,
 * owned by the caller. After an error the form is unchanged. */
static tm_status adopt(explore_runs *e, const undo_step *changed, undo_step *before, tm_error *err)
{
    const char *name = changed->name;
    bool solves = !name || !is_path(name), path = !name || !moves_along(e, name);
    bool cold = e->cold;
    *before = (undo_step){e->method, e->params, name};
    e->method = changed->method;
    e->params = changed->params;
    e->cold = e->cold || !name || !starts_warm(name);
    tm_status status = solves ? explore_runs_want(e, err) : TM_OK;
    if (status == TM_OK) {
        explore_runs_clear_path(e, path);
    } else {
        e->method = before->method;
        e->params = before->params;
        e->cold = cold;
        tm_params_free(changed->params);
    }
    return status;
}

/* The same for a change that can be undone. */
static tm_status change(explore_runs *e, const undo_step *changed, tm_error *err)
{
    undo_step before;
    tm_status status = adopt(e, changed, &before, err);
    if (status == TM_OK)
        undo_push(&e->before, before);
    return status;
}

tm_status explore_runs_undo(explore_runs *e, const char **name, tm_error *err)
{
    undo_step earlier, now;
    if (!undo_pop(&e->before, &earlier))
        return tm_fail(err, TM_EUSAGE, "the form has no change to take back");
    *name = earlier.name;
    tm_status status = adopt(e, &earlier, &now, err);
    if (status == TM_OK)
        tm_params_free(now.params);
    return status;
}

tm_status explore_runs_set(explore_runs *e, const char *name, const char *text, tm_error *err)
{
    tm_params *changed = NULL;
    tm_status status = tm_params_copy(&changed, e->params, err);
    if (status == TM_OK)
        status = set_one(changed, name, text, err);
    if (status != TM_OK) {
        tm_params_free(changed);
        return status;
    }
    const char *kept = tm_params_find(e->params, name, NULL)->name;
    return change(e, &(undo_step){e->method, changed, kept}, err);
}

/* Copies the values that were set and that the other method also has. */
static void carry_over(tm_params *to, const tm_params *from)
{
    char text[512];
    for (size_t i = 0; i < tm_params_count(from); i++) {
        const char *name = tm_params_info(from, i)->name;
        if (tm_params_info(from, i)->type == TM_PARAM_VECTOR) {
            tm_vector vector = tm_params_vector(from, name);
            if (tm_params_given(from, name) && has(to, name))
                (void)tm_params_set_vector(to, name, &vector, NULL);
            continue;
        }
        size_t length = tm_params_format(from, name, text, sizeof text);
        if (tm_params_given(from, name) && length < sizeof text && has(to, name))
            (void)set_one(to, name, text, NULL); /* out of its range: the default stays */
    }
}

tm_status explore_runs_method(explore_runs *e, const tm_method *method, tm_error *err)
{
    tm_params *changed = NULL;
    tm_status status = tm_method_params_new(&changed, method, err);
    if (status != TM_OK) {
        tm_params_free(changed);
        return status;
    }
    carry_over(changed, e->params);
    return change(e, &(undo_step){method, changed, NULL}, err);
}

tm_status explore_runs_restart(explore_runs *e, tm_error *err)
{
    e->cold = true;
    explore_runs_clear_path(e, false);
    return explore_runs_want(e, err);
}
