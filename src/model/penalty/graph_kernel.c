#include "model/penalty/graph_kernel.h"

#include "base/memory.h"
#include "model/penalty/rows_factor.h"
#include "model/penalty/tuning.h"
#include "model/penalty/unpenalised.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct graph_kernel {
    const tm_dataset *data;
    samples of;
    graph_terms terms;
    size_t p, count;
    uint32_t *components; /* p; for edges */
    double *basis;        /* p x count, column-major; for other terms */
    double *zeros;        /* count: zero penalty factors of the columns */
    tm_dataset *columns;  /* X times the basis; NULL when count is 0 */
    unpenalised *free;    /* of those columns */
    double *weights;      /* count */
};

void graph_kernel_free(graph_kernel *k)
{
    if (!k)
        return;
    unpenalised_free(k->free);
    tm_dataset_unref(k->columns);
    free(k->components);
    free(k->basis);
    free(k->zeros);
    free(k->weights);
    free(k);
}

size_t graph_kernel_count(const graph_kernel *k)
{
    return k->count;
}

/* ---- unpenalised weights --------------------------------------------------------------------- */

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
    while (parent[at] != at) {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    return at;
}

/* Numbers the components by their first features; those with a penalised single feature get no
 * number. */
static void number_components(graph_kernel *k, uint32_t *parent, unsigned char *held)
{
    for (size_t j = 0; k->terms.own && j < k->p; j++)
        if (k->terms.own[j] > 0)
            held[find_root(parent, (uint32_t)j)] = 1;
    for (size_t j = 0; j < k->p; j++) {
        uint32_t root = find_root(parent, (uint32_t)j);
        if (root == j)
            k->components[j] = held[j] ? UINT32_MAX : (uint32_t)k->count++;
    }
    for (size_t j = 0; j < k->p; j++)
        k->components[j] = k->components[find_root(parent, (uint32_t)j)];
}

static tm_status find_components(graph_kernel *k, tm_error *err)
{
    uint32_t *parent = mem_array(k->p, sizeof *parent);
    unsigned char *held = mem_zeros(k->p, 1);
    k->components = mem_array(k->p, sizeof *k->components);
    bool enough = parent && held && k->components;
    for (size_t j = 0; enough && j < k->p; j++)
        parent[j] = (uint32_t)j;
    for (size_t t = 0; enough && t < tm_graph_terms(k->terms.graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(k->terms.graph, t, &values, &count);
        uint32_t a = find_root(parent, f[0]), b = find_root(parent, f[1]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    if (enough)
        number_components(k, parent, held);
    free(parent);
    free(held);
    return enough ? TM_OK : tm_fail_memory(err, "the components of the graph");
}

/* Orthonormal polynomials in the index of the feature, of the degrees below `count`. */
static void fill_polynomials(double *basis, size_t p, size_t count)
{
    for (size_t d = 0; d < count; d++) {
        double *column = basis + d * p, squares = 0;
        for (size_t j = 0; j < p; j++) {
            double t = p > 1 ? 2 * (double)j / (double)(p - 1) - 1 : 0;
            column[j] = d > 0 ? basis[(d - 1) * p + j] * t : 1;
        }
        for (size_t e = 0; e < 2 * d; e++) {
            const double *before = basis + e % d * p;
            double product = 0;
            for (size_t j = 0; j < p; j++)
                product += before[j] * column[j];
            for (size_t j = 0; j < p; j++)
                column[j] -= product * before[j];
        }
        for (size_t j = 0; j < p; j++)
            squares += column[j] * column[j];
        for (size_t j = 0; j < p; j++)
            column[j] /= sqrt(squares);
    }
}

static void add_squares(double *square, const tm_graph *graph, size_t p)
{
    for (size_t t = 0; t < tm_graph_terms(graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        for (size_t i = 0; i < count; i++)
            for (size_t l = 0; l < count; l++)
                square[f[i] + f[l] * p] += values[i] * values[l];
    }
}

/* Replaces a symmetric matrix by its eigenvectors. With memory of its own: where there is none,
 * LAPACKE would print that. */
static lapack_int decompose(double *square, lapack_int p, double *values)
{
    double room = 0;
    lapack_int integers = 0;
    LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', p, square, p, values, &room, -1, &integers, -1);
    double *work = mem_array((size_t)room, sizeof *work);
    lapack_int *places = mem_array((size_t)integers, sizeof *places);
    lapack_int info = LAPACK_WORK_MEMORY_ERROR;
    if (work && places)
        info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', p, square, p, values, work,
                                   (lapack_int)room, places, integers);
    free(work);
    free(places);
    return info;
}

/* The eigenvectors of D'D whose eigenvalues are 0. */
static tm_status find_eigenvectors(graph_kernel *k, tm_error *err)
{
    tm_status status = TM_OK;
    size_t p = k->p;
    double *square = mem_zeros(p * p, sizeof *square), *values = mem_array(p, sizeof *values);
    k->basis = square;
    if (!square || !values) {
        status = tm_fail_memory(err, "the null space of D");
        goto done;
    }
    add_squares(square, k->terms.graph, p);
    lapack_int info = decompose(square, (lapack_int)p, values);
    bool found = info == 0;
    while (found && k->count < p && values[k->count] <= RANK * values[p - 1])
        k->count++;
    if (info == LAPACK_WORK_MEMORY_ERROR)
        status = tm_fail_memory(err, "the null space of D");
    else if (!found)
        status = tm_fail(err, TM_EDATA, "the null space of the matrix D could not be computed");
done:
    free(values);
    return status;
}

static tm_status find_null_space(graph_kernel *k, tm_error *err)
{
    size_t p = k->p;
    if (p > MAX_DENSE)
        return tm_fail(
            err, TM_EUSAGE,
            "a matrix D whose rows are not edges may have at most %d columns, not %zu, "
            "without penalties of single features; take l1_ratio above 0, or trend:K for "
            "differences along a line",
            MAX_DENSE, p);
    if (!rows_factor_fits(k->terms.graph))
        return find_eigenvectors(k, err);
    rows_factor *factor = rows_factor_new(k->terms.graph);
    if (factor) {
        k->count = rows_factor_null_count(factor);
        k->basis = rows_factor_null_space(factor);
    }
    rows_factor_free(factor);
    return k->basis ? TM_OK : tm_fail_memory(err, "the null space of D");
}

static tm_status find_basis(graph_kernel *k, tm_error *err)
{
    const tm_graph *graph = k->terms.graph;
    if (tm_graph_is_edges(graph))
        return find_components(k, err);
    bool held = k->terms.own != NULL; /* every feature is penalised */
    size_t order = tm_graph_order(graph);
    if (held)
        return TM_OK;
    if (order == 0)
        return find_null_space(k, err);
    k->count = order + 1 < k->p ? order + 1 : k->p;
    k->basis = mem_array(k->p * k->count, sizeof *k->basis);
    if (!k->basis)
        return tm_fail_memory(err, "polynomials");
    fill_polynomials(k->basis, k->p, k->count);
    return TM_OK;
}

/* ---- columns of the unpenalised weights ------------------------------------------------------ */

static void fill_columns(const graph_kernel *k, double *columns)
{
    const tm_matrix *x = tm_dataset_x(k->data);
    size_t n = k->of.n;
    for (size_t j = 0; j < k->p; j++) {
        if (k->components && k->components[j] != UINT32_MAX)
            tm_matrix_axpy(x, j, 1, columns + k->components[j] * n);
        for (size_t c = 0; !k->components && c < k->count; c++)
            tm_matrix_axpy(x, j, k->basis[c * k->p + j], columns + c * n);
    }
}

static tm_status make_columns(graph_kernel *k, tm_error *err)
{
    size_t n = k->of.n;
    tm_dataset_parts parts = {.name = tm_dataset_name(k->data), .response.numeric = true};
    double *values = k->count <= SIZE_MAX / n ? mem_zeros(n * k->count, sizeof *values) : NULL;
    parts.response.y = mem_array(n, sizeof *parts.response.y);
    tm_status status;
    if (!values || !parts.response.y) {
        status = tm_fail_memory(err, "columns without a penalty");
        goto done;
    }
    fill_columns(k, values);
    memcpy(parts.response.y, k->of.y, n * sizeof *parts.response.y);
    status = tm_matrix_new_dense(&parts.x, n, k->count, values, err);
    values = NULL; /* ownership passed on */
    if (status == TM_OK)
        return tm_dataset_new(&k->columns, &parts, err);
done:
    free(values);
    free(parts.response.y);
    return status;
}

/* The same errors in words of a graph. */
static tm_status advise(const graph_kernel *k, tm_status status, tm_error *err)
{
    if (status == TM_EDATA)
        return tm_fail(
            err, status,
            "%s: weights that the graph leaves without a penalty (such as one for all "
            "features of a component) separate the classes, so there is no optimum; give "
            "features a penalty of their own with l1_ratio above 0",
            tm_dataset_name(k->data));
    if (status == TM_EUSAGE)
        return tm_fail(err, status,
                       "the graph leaves %zu weights without a penalty (one for each component), "
                       "too many for %zu rows; join components or take l1_ratio above 0",
                       k->count, k->of.n);
    return status;
}

static tm_status make_free(graph_kernel *k, const tm_cancel *cancel, tm_error *err)
{
    k->weights = mem_zeros(k->count, sizeof *k->weights);
    k->zeros = mem_zeros(k->count, sizeof *k->zeros);
    if (!k->weights || !k->zeros)
        return tm_fail_memory(err, "columns without a penalty");
    if (k->count == 0)
        return TM_OK;
    tm_status status = make_columns(k, err);
    feature_penalty q = {.lambda = 1, .factors = k->zeros};
    if (status == TM_OK)
        status = unpenalised_new(&k->free, k->columns, &k->of, &q, k->terms.intercept, cancel, err);
    return advise(k, status, err);
}

tm_status graph_kernel_new(graph_kernel **out, const tm_dataset *data, const samples *of,
                           const graph_terms *terms, const tm_cancel *cancel, tm_error *err)
{
    graph_kernel *k = calloc(1, sizeof *k);
    *out = NULL;
    if (!k)
        return tm_fail_memory(err, "the components of the graph");
    k->data = data;
    k->of = *of;
    k->terms = *terms;
    k->p = tm_dataset_cols(data);
    tm_status status = find_basis(k, err);
    if (status == TM_OK)
        status = make_free(k, cancel, err);
    if (status != TM_OK) {
        graph_kernel_free(k);
        return status;
    }
    *out = k;
    return TM_OK;
}

/* ---- fits ------------------------------------------------------------------------------------ */

void graph_kernel_fit(graph_kernel *k, double *z, double *a)
{
    double b = 0;
    if (k->free) {
        memset(k->weights, 0, k->count * sizeof *k->weights);
        unpenalised_fit(k->free, k->weights, &b, z, a);
        return;
    }
    samples_fit_shift(&k->of, k->terms.intercept, z, a);
}

dual_residual graph_kernel_residual(graph_kernel *k, const double *z, const double *a)
{
    return k->free ? unpenalised_residual(k->free, z, a)
                   : dual_residual_of_shift(&k->of, k->terms.intercept, z, a);
}

double graph_kernel_null(graph_kernel *k, double *w, double *b, double *z, double *a)
{
    memset(k->weights, 0, k->count * sizeof *k->weights);
    null_model null = {.w = k->count ? k->weights : w, .z = z, .a = a};
    memset(w, 0, k->p * sizeof *w);
    double value = unpenalised_null(k->free, k->count ? k->columns : k->data, &k->of,
                                    k->terms.intercept, &null);
    *b = null.b;
    for (size_t j = 0; k->count && j < k->p; j++) {
        if (k->components)
            w[j] = k->components[j] == UINT32_MAX ? 0 : k->weights[k->components[j]];
        for (size_t c = 0; !k->components && c < k->count; c++)
            w[j] += k->basis[c * k->p + j] * k->weights[c];
    }
    return value;
}
