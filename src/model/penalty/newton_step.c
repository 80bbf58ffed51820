#include "model/penalty/newton_step.h"

#include "base/cancel_grace.h"
#include "base/numeric/cholesky.h"
#include "model/loss/residual.h"
#include "model/penalty/tuning.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

bool newton_must_stop(unpenalised *part)
{
    part->stopped = part->stopped || cancel_grace_is_over(part->cancel, part->began);
    return part->stopped;
}

/* ---- the basis ----------------------------------------------------------------------------- */

static double own_weighted_dot(const samples *of, const double *u, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < of->n; i++)
        sum += samples_weight(of, i) * u[i] * v[i];
    return sum;
}

double newton_weighted_dot(const samples *of, const double *u, const double *v)
{
    return samples_over_all(of, own_weighted_dot(of, u, v));
}

/* Subtracts the column's projections on all columns before place `at`, and adds the shares to
 * `row`. With rows of other processes all shares are those of the column as it comes, which takes
 * one message. */
static void subtract_projections(unpenalised *part, size_t at, double *column, double *row)
{
    size_t n = part->of.n, together = part->of.comm ? at : 1;
    double *shares = part->step;
    for (size_t from = 0; from < at; from += together) {
        for (size_t k = from; k < from + together; k++)
            shares[k] = own_weighted_dot(&part->of, part->basis.columns + k * n, column);
        samples_add_all(&part->of, shares + from, together);
        for (size_t k = from; k < from + together; k++) {
            const double *base = part->basis.columns + k * n;
            row[k] += shares[k];
            for (size_t i = 0; i < n; i++)
                column[i] -= shares[k] * base[i];
        }
    }
}

/* Orthogonalises (Gram-Schmidt, twice) the column stored after the basis. */
static void append_column(unpenalised *part, size_t which)
{
    size_t n = part->of.n, room = unpenalised_room(part), at = part->basis.rank;
    double *column = part->basis.columns + at * n, *row = part->basis.factor + at * room;
    double length = sqrt(newton_weighted_dot(&part->of, column, column));
    memset(row, 0, room * sizeof *row);
    for (int round = 0; round < 2; round++)
        subtract_projections(part, at, column, row);
    double left = sqrt(newton_weighted_dot(&part->of, column, column));
    if (!(left > DEPENDENT * length))
        return;
    for (size_t i = 0; i < n; i++)
        column[i] /= left;
    row[at] = left;
    part->basis.moving[part->basis.rank++] = which;
}

void newton_make_basis(unpenalised *part)
{
    size_t n = part->of.n;
    part->basis.rank = 0;
    if (part->intercept) {
        for (size_t i = 0; i < n; i++)
            part->basis.columns[i] = 1;
        append_column(part, INTERCEPT);
    }
    for (size_t k = 0; k < part->count && !newton_must_stop(part); k++) {
        if (part->held[k])
            continue;
        tm_matrix_column(tm_dataset_x(part->data), part->features[k],
                         part->basis.columns + part->basis.rank * n);
        append_column(part, k);
    }
}

/* ---- one Newton step ----------------------------------------------------------------------- */

double newton_slope(unpenalised *part, const double *a)
{
    double greatest = 0;
    for (size_t k = 0; k < part->basis.rank; k++) {
        const double *base = part->basis.columns + k * part->of.n;
        double sum = 0;
        for (size_t i = 0; i < part->of.n; i++)
            sum += base[i] * a[i];
        part->step[k] = sum;
    }
    samples_add_all(&part->of, part->step, part->basis.rank);
    for (size_t k = 0; k < part->basis.rank; k++)
        greatest = fmax(greatest, fabs(part->step[k]));
    return greatest;
}

void newton_exact_slope(unpenalised *part, const double *a)
{
    size_t n = part->of.n, room = unpenalised_room(part);
    for (size_t k = 0; k < part->basis.rank; k++) {
        if (part->basis.moving[k] == INTERCEPT) {
            part->step[k] = residual_sum(a, n);
        } else {
            size_t j = part->features[part->basis.moving[k]];
            tm_matrix_column(tm_dataset_x(part->data), j, part->trial);
            part->step[k] = residual_dot(part->trial, a, n);
        }
    }
    samples_add_all(&part->of, part->step, part->basis.rank);
    for (size_t k = 0; k < part->basis.rank; k++) {
        const double *row = part->basis.factor + k * room;
        for (size_t i = 0; i < k; i++)
            part->step[k] -= row[i] * part->step[i];
        part->step[k] /= row[k];
    }
}

/* Solves with the Hessian in the basis; the given fraction of its diagonal, and a small value in
 * case rows have no curvature, are added to it. False when rounding makes it indefinite all the
 * same. */
static bool solve_hessian(unpenalised *part, const double *z, double ridge)
{
    size_t n = part->of.n, rank = part->basis.rank;
    const loss *l = part->of.loss;
    for (size_t i = 0; i < n; i++)
        part->trial[i] = samples_weight(&part->of, i) * l->curvature(part->of.y[i], z[i]);
    memset(part->hessian, 0, rank * rank * sizeof *part->hessian);
    for (size_t a = 0; a < rank; a++) {
        if (newton_must_stop(part))
            return false;
        for (size_t i = 0; i < n; i++)
            part->along[i] = part->trial[i] * part->basis.columns[a * n + i];
        for (size_t b = a; b < rank; b++) {
            const double *base = part->basis.columns + b * n;
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += part->along[i] * base[i];
            part->hessian[a * rank + b] = sum;
        }
    }
    samples_add_all(&part->of, part->hessian, rank * rank);
    for (size_t a = 0; a < rank; a++) {
        double *square = &part->hessian[a * rank + a];
        *square += ridge * *square + LEAST_CURVATURE * l->smoothness;
    }
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)rank, part->hessian,
                          (lapack_int)rank) == 0 &&
           cholesky_solve(part->hessian, rank, rank, part->step);
}

/* Converts the step in the basis to the change of the weights (back substitution) and of the
 * predictions. */
static void find_change(unpenalised *part)
{
    size_t n = part->of.n, room = unpenalised_room(part), rank = part->basis.rank;
    memset(part->along, 0, n * sizeof *part->along);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            part->along[i] += part->step[k] * part->basis.columns[k * n + i];
    memcpy(part->change, part->step, rank * sizeof *part->change);
    for (size_t k = rank; k-- > 0;) {
        part->change[k] /= part->basis.factor[k * room + k];
        for (size_t i = 0; i < k; i++)
            part->change[i] -= part->basis.factor[k * room + i] * part->change[k];
    }
}

bool newton_direction(unpenalised *part, const double *z)
{
    bool solved = part->of.loss->quadratic || solve_hessian(part, z, RIDGE) ||
                  solve_hessian(part, z, SAFE_RIDGE);
    if (!solved)
        return false;
    find_change(part);
    return true;
}

/* The greatest fraction of the change, at most 1, before a weight reaches a limit, and which weight
 * does. */
static double room_to_limit(const unpenalised *part, const double *w, size_t *blocking)
{
    double share = 1;
    *blocking = part->basis.rank;
    for (size_t k = 0; k < part->basis.rank; k++) {
        size_t of = part->basis.moving[k];
        double d = part->change[k];
        if (of == INTERCEPT || d == 0)
            continue;
        double limit = d > 0 ? part->upper[of] : part->lower[of];
        double room = fmax((limit - w[part->features[of]]) / d, 0);
        if (room < share) {
            share = room;
            *blocking = k;
        }
    }
    return share;
}

/* Halves the fraction until the loss decreases; when rounding hides the decrease the step is
 * accepted without it. */
static double line_search(unpenalised *part, const double *z, const double *a, double share)
{
    double here, predicted = 0;
    if (part->of.loss->quadratic)
        return share;
    here = samples_loss(&part->of, z);
    for (size_t i = 0; i < part->of.n; i++)
        predicted += a[i] * part->along[i];
    predicted = samples_over_all(&part->of, predicted);
    if (predicted * share <= HIDDEN * here)
        return share;
    for (int k = 0; k < HALVINGS; k++, share /= 2) {
        for (size_t i = 0; i < part->of.n; i++)
            part->trial[i] = z[i] + share * part->along[i];
        if (samples_loss(&part->of, part->trial) <= here - ARMIJO * share * predicted)
            return share;
    }
    return 0;
}

static void take_step(unpenalised *part, double share, double *w, double *b, double *z)
{
    for (size_t i = 0; i < part->of.n; i++)
        z[i] += share * part->along[i];
    for (size_t k = 0; k < part->basis.rank; k++) {
        size_t of = part->basis.moving[k];
        *(of == INTERCEPT ? b : &w[part->features[of]]) += share * part->change[k];
    }
}

bool newton_step(unpenalised *part, double *w, double *b, double *z, const double *a, double *share)
{
    size_t blocking;
    double limit = room_to_limit(part, w, &blocking);
    *share = line_search(part, z, a, limit);
    take_step(part, *share, w, b, z);
    if (blocking == part->basis.rank || *share != limit)
        return false;
    size_t of = part->basis.moving[blocking], j = part->features[of];
    double at = part->change[blocking] > 0 ? part->upper[of] : part->lower[of];
    tm_matrix_axpy(tm_dataset_x(part->data), j, at - w[j], z);
    w[j] = at;
    part->held[of] = true;
    return true;
}
