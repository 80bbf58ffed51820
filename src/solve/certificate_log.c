/* Writes the certificate of a solve to the screen log, as the last step of every run. */
#include "solve/certificate_log.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "model/loss/samples.h"
#include "solve/common/screen_log.h"
#include "solve/common/standardise.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdlib.h>

/* The radius of the ball around the certificate's dual point that contains the dual optimum; NaN
 * when no such radius is known. */
static double certificate_radius(const tm_problem *problem, const tm_certificate *c,
                                 const samples *of)
{
    if (problem->groups || problem->lower || problem->upper || !(problem->lambda > 0))
        return NAN;
    double gap = fmax(c->gap, 0) + VALUES_LOST * (fabs(c->primal) + fabs(c->dual));
    return sqrt(2 * of->loss->smoothness * gap) / problem->lambda;
}

/* The norm of column j, centred when there is an intercept, including the row that its squared
 * penalty adds. */
static double column_length(const tm_problem *problem, const samples *of, const double *squares,
                            size_t j)
{
    double row = problem->ridge ? problem->lambda * problem->ridge[j] / of->loss->smoothness : 0;
    return sqrt(squares[j] + row);
}

/* The squared norms of the columns without the penalty's row, weighted by the sample weights,
 * followed by the means. NULL when memory ran out. */
static double *column_squares(const tm_dataset *data, const tm_problem *problem)
{
    size_t cols = tm_dataset_cols(data);
    double *squares = mem_array(2 * cols, sizeof *squares);
    if (squares && !standard_columns(data, problem->intercept, squares + cols, squares)) {
        free(squares);
        return NULL;
    }
    return squares;
}

/* Converts the item's dual variables to the log's dual point, which has additional entries when
 * there is a squared penalty. */
static tm_screen_dual dual_point_of(const tm_problem *problem, const certificate_item *item,
                                    const samples *of)
{
    tm_screen_dual at = {NULL, NULL, NULL, 0};
    double share = item->scale / problem->lambda;
    if (!item->dual || problem->ridge)
        return at;
    for (size_t i = 0; i < of->n; i++) {
        double weight = samples_weight(of, i);
        item->dual[i] = weight > 0 ? share * item->dual[i] / sqrt(weight) : 0;
    }
    at.theta = at.centre = item->dual;
    return at;
}

static tm_status log_products(solve_progress *progress, const tm_dataset *data, size_t active,
                              const certificate_item *item, const samples *of, tm_error *err)
{
    const tm_problem *problem = &item->problem;
    const tm_certificate *c = &item->certificate;
    double radius = certificate_radius(problem, c, of);
    bool ball = !isnan(radius);
    double *squares = ball ? column_squares(data, problem) : NULL;
    if (ball && !squares)
        return tm_fail_memory(err, "the screen log");
    tm_screen_step step =
        screen_log_step(ball ? "the certificate: every feature against its gap's ball"
                             : "the certificate: every feature at the answer",
                        active);
    step.primal = c->primal;
    step.dual = c->dual;
    step.gap = c->gap;
    step.radius = radius;
    if (ball)
        step.at = dual_point_of(problem, item, of);
    screen_log_terms(progress, problem->factors, problem->lower, problem->upper,
                     tm_dataset_cols(data));
    screen_log_begin(progress, &step);
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double factor = problem->factors ? problem->factors[j] : 1;
        double bound = (ball ? item->scale : 1) * fabs(item->products[j]) / problem->lambda;
        bound += ball ? radius * column_length(problem, of, squares, j) : 0;
        bool out = ball && factor > 0 && bound < factor;
        screen_log_feature(progress, j, bound / factor, out ? TM_SCREEN_CERTIFIED : TM_SCREEN_KEPT);
    }
    free(squares);
    return TM_OK;
}

tm_status certificate_log(solve_progress *progress, const tm_dataset *data, size_t active,
                          const certificate_item *item, size_t visited, tm_error *err)
{
    size_t cols = tm_dataset_cols(data);
    if (!screen_log_wanted(progress))
        return TM_OK;
    const loss *l = loss_find(item->problem.loss, err);
    if (!l)
        return TM_EUSAGE;
    samples of = samples_of(data, l);
    if (visited >= cols)
        return log_products(progress, data, active, item, &of, err);
    certificate_item whole = *item;
    data_pass pass = {data, progress->team, progress->monitor.cancel};
    whole.products = mem_array(cols, sizeof *whole.products);
    tm_status status = whole.products ? certificate_many(&whole, 1, &pass, err)
                                      : tm_fail_memory(err, "the screen log");
    if (status == TM_OK)
        status = log_products(progress, data, active, &whole, &of, err);
    free(whole.products);
    return status;
}
