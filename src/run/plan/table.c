/* The table of a sweep before it has results: the values that distinguish its configurations. */
#include "run/plan/plan.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The maximum number of a path's parameters, and the length of a number as text. */
enum { MAX_PATHS = 8, NUMBER = 40 };

/* The texts from which the table is made, which it copies. */
typedef struct table_texts {
    const char **axes, **values, **metrics;
    bool *along;
    signed char *directions; /* by metric */
    char (*numbers)[NUMBER]; /* config_count x (path_count + 1): the values of paths, the step */
    const char *paths[MAX_PATHS];
    size_t path_count; /* number of parameters whose value depends on the path's step */
    size_t axis_count; /* number of axes of the table: those of the description, path parameters
                        * that are not among them, and the step */
} table_texts;

static size_t find_text(const char *const *texts, size_t count, const char *text)
{
    size_t i = 0;
    while (i < count && strcmp(texts[i], text) != 0)
        i++;
    return i;
}

/* The parameter that identifies a step of the point's path: the share of lambda_max where lambda
 * depends on the data. */
static const char *path_name(const sweep_point *point, const char *name)
{
    bool relative = strcmp(name, "lambda") == 0 && !tm_params_given(point->params, "lambda");
    return relative ? "lambda_ratio" : name;
}

static tm_status add_paths(table_texts *texts, const sweep_point *point, tm_error *err)
{
    tm_grid grid;
    tm_status status = tm_grid_make(&grid, point->params, 1, err);
    for (size_t a = 0; status == TM_OK && a < grid.axes; a++) {
        const char *name = path_name(point, grid.names[a]);
        if (texts->path_count < MAX_PATHS &&
            find_text(texts->paths, texts->path_count, name) == texts->path_count)
            texts->paths[texts->path_count++] = name;
    }
    tm_grid_clear(&grid);
    return status;
}

/* Whether a chain or path runs along the axis; the same for all points of a method. */
static bool is_along(const sweep_plan *plan, const char *axis)
{
    for (size_t i = 0; i < plan->point_count; i++) {
        const tm_method *method = plan->points[i].method;
        if ((i == 0 || method != plan->points[i - 1].method) &&
            sweep_chain_along(tm_method_id(method), axis))
            return true;
    }
    return false;
}

static void set_axes(table_texts *texts, const sweep_plan *plan, const tm_sweep_spec *spec)
{
    texts->axis_count = spec->axis_count;
    for (size_t a = 0; a < spec->axis_count; a++)
        texts->axes[a] = spec->axes[a];
    for (size_t p = 0; p < texts->path_count; p++)
        if (find_text(spec->axes, spec->axis_count, texts->paths[p]) == spec->axis_count)
            texts->axes[texts->axis_count++] = texts->paths[p];
    if (texts->path_count > 0)
        texts->axes[texts->axis_count++] = "step";
    for (size_t a = 0; a < texts->axis_count; a++)
        texts->along[a] = is_along(plan, texts->axes[a]) || strcmp(texts->axes[a], "step") == 0;
}

/* Sets the values of the point's configurations, from index `config` on. */
static tm_status set_values(table_texts *texts, const sweep_plan *plan, const tm_sweep_spec *spec,
                            size_t point, size_t config, tm_error *err)
{
    const sweep_point *of = &plan->points[point];
    tm_grid grid = TM_GRID_INIT;
    tm_status status = of->steps > 1 ? tm_grid_make(&grid, of->params, 1, err) : TM_OK;
    for (size_t k = 0; status == TM_OK && k < of->steps; k++, config++) {
        const char **values = texts->values + config * texts->axis_count;
        char(*numbers)[NUMBER] = texts->numbers + config * (texts->path_count + 1);
        for (size_t a = 0; a < texts->axis_count; a++)
            values[a] = a < spec->axis_count ? spec->values[point * spec->axis_count + a] : NULL;
        for (size_t a = 0; a < grid.axes; a++) {
            const char *name = path_name(of, grid.names[a]);
            text_from_real(grid.values[k * grid.axes + a], numbers[a], NUMBER);
            values[find_text(texts->axes, texts->axis_count, name)] = numbers[a];
        }
        if (of->steps > 1) {
            snprintf(numbers[texts->path_count], NUMBER, "%zu", k + 1);
            values[texts->axis_count - 1] = numbers[texts->path_count];
        }
    }
    tm_grid_clear(&grid);
    return status;
}

static tm_status fill(table_texts *texts, const sweep_plan *plan, const tm_sweep_spec *spec,
                      tm_sweep_table **table, tm_error *err)
{
    tm_status status = TM_OK;
    size_t config = 0;
    for (size_t i = 0; status == TM_OK && i < plan->point_count; i++) {
        status = set_values(texts, plan, spec, i, config, err);
        config += plan->points[i].steps;
    }
    for (size_t m = 0; m < plan->metric_count; m++)
        texts->metrics[m] = plan->scorers[m].name;
    for (size_t m = 0; m < plan->metric_count; m++)
        if (plan->functions[m])
            texts->directions[m] = plan->functions[m]->greater_is_better ? 1 : -1;
    const sweep_table_shape shape = {
        .name = spec->name ? spec->name : "sweep",
        .axes = texts->axes,
        .axis_count = texts->axis_count,
        .values = texts->values,
        .config_count = plan->config_count,
        .metrics = texts->metrics,
        .metric_count = plan->metric_count,
        .splits = plan->splits.splits,
        .split_count = plan->splits.count,
        .along = texts->along,
        .on_train = spec->splits.folds == 0 && !spec->inputs.test,
        .directions = texts->directions,
        .keep = spec->keep,
    };
    return status == TM_OK ? sweep_table_new(table, &shape, err) : status;
}

tm_status sweep_plan_table(const sweep_plan *plan, const tm_sweep_spec *spec,
                           tm_sweep_table **table, tm_error *err)
{
    table_texts texts = {.path_count = 0};
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < plan->point_count; i++)
        if (plan->points[i].steps > 1)
            status = add_paths(&texts, &plan->points[i], err);
    if (status != TM_OK)
        return status;
    size_t axes = spec->axis_count + texts.path_count + 1;
    texts.axes = mem_array(axes, sizeof(char *));
    texts.along = mem_zeros(axes, sizeof(bool));
    texts.directions = mem_zeros(plan->metric_count, 1);
    texts.values = mem_array(plan->config_count * axes, sizeof(char *));
    texts.metrics = mem_array(plan->metric_count, sizeof(char *));
    texts.numbers = mem_array(plan->config_count * (texts.path_count + 1), sizeof *texts.numbers);
    if (texts.axes && texts.along && texts.directions && texts.values && texts.metrics &&
        texts.numbers) {
        set_axes(&texts, plan, spec);
        status = fill(&texts, plan, spec, table, err);
    } else {
        status = tm_fail_memory(err, "a sweep");
    }
    free(texts.axes);
    free(texts.along);
    free(texts.directions);
    free(texts.values);
    free(texts.metrics);
    free(texts.numbers);
    return status;
}
