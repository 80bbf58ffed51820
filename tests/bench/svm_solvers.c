/* `svm` beside LIBLINEAR and LIBSVM in one process, so that only solving is timed:
 *
 *     svm_solvers FILE KERNEL C GAMMA REPEATS WAY...
 *
 * FILE has two classes; KERNEL is linear (without an intercept, -s 3 -B -1) or rbf (with a free
 * one). A WAY is SCREEN@TOL, or peer@EPS for LIBLINEAR or LIBSVM with that tolerance. The ways take
 * turns. One line each: way, least seconds of the processor for solving, and for the rows before it
 * (ours are copied from the columns, the peers' nodes are made of them), gap / objective at w = 0,
 * updates, columns, samples kept. Solving includes our certificate; the gap is the certified one,
 * and for the other programs the objective at their weights less the best certified bound. Freed
 * memory is kept for the next solve, so that none waits for new pages. */
#include "tamis/tamis.h"

#include <libsvm/svm.h>
#include <linear.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct problem_of {
    tm_dataset *data;
    size_t n, p;
    double C, gamma, null, bound;
    bool rbf;
    struct feature_node **linear; /* rows of nodes, each ended by one of index -1 */
    struct svm_node **nodes;
    double *y, *f;
} problem_of;

/* Seconds of the processor. */
typedef struct times {
    double rows, solving;
} times;

typedef struct way {
    const char *screen; /* NULL: the peer */
    char *tol;
    times least;
    double gap;
    unsigned long long updates, columns, kept;
} way;

static void stop(const char *message)
{
    fprintf(stderr, "svm_solvers: %s\n", message);
    exit(1);
}

static void *room(size_t count, size_t size)
{
    void *made = calloc(count ? count : 1, size);
    if (!made)
        stop("not enough memory");
    return made;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void quiet(const char *text)
{
    (void)text;
}

/* ---- the data ------------------------------------------------------------------------------ */

/* Starts of the rows' nodes, with one more in each for its end. */
static void place_nodes(problem_of *q, size_t *held)
{
    const tm_matrix *x = tm_dataset_x(q->data);
    const uint32_t *rows;
    const double *values;
    struct svm_node *all = room((size_t)tm_matrix_nnz(x) + q->n, sizeof *all);
    for (size_t j = 0; j < q->p; j++) {
        size_t count = tm_matrix_entries(x, j, q->f, &rows, &values);
        for (size_t k = 0; k < count; k++)
            held[rows ? rows[k] : k] += values[k] != 0;
    }
    for (size_t i = 0; i < q->n; i++) {
        q->nodes[i] = all;
        q->linear[i] = (struct feature_node *)all;
        all += held[i] + 1;
        held[i] = 0;
    }
}

/* Both programs' nodes are an int and a double. */
static double make_nodes(problem_of *q)
{
    const tm_matrix *x = tm_dataset_x(q->data);
    const uint32_t *rows;
    const double *values;
    double began = processor_seconds();
    size_t *held = room(q->n, sizeof *held);
    place_nodes(q, held);
    for (size_t j = 0; j < q->p; j++) {
        size_t count = tm_matrix_entries(x, j, q->f, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            size_t i = rows ? rows[k] : k;
            if (values[k] != 0)
                q->nodes[i][held[i]++] = (struct svm_node){(int)j + 1, values[k]};
        }
    }
    for (size_t i = 0; i < q->n; i++)
        q->nodes[i][held[i]].index = -1;
    free(held);
    return processor_seconds() - began;
}

static void read_problem(problem_of *q, char **argv)
{
    tm_error err = TM_ERROR_INIT;
    *q = (problem_of){.rbf = strcmp(argv[2], "rbf") == 0};
    q->C = atof(argv[3]);
    q->gamma = atof(argv[4]);
    if (tm_read(&q->data, argv[1], NULL, &err) != TM_OK)
        stop(err.message);
    q->n = tm_dataset_rows(q->data);
    q->p = tm_dataset_cols(q->data);
    q->nodes = room(q->n, sizeof *q->nodes);
    q->linear = room(q->n, sizeof *q->linear);
    q->y = room(q->n, sizeof *q->y);
    q->f = room(q->n, sizeof *q->f);
    memcpy(q->y, tm_dataset_y(q->data), q->n * sizeof *q->y);
}

static void free_problem(problem_of *q)
{
    free(q->nodes);
    free(q->linear);
    free(q->y);
    free(q->f);
    tm_dataset_unref(q->data);
}

/* ---- ours ---------------------------------------------------------------------------------- */

static tm_status set(tm_params *params, const char *name, double value, tm_error *err)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return tm_params_set_text(params, name, text, err);
}

static tm_solution ours(const problem_of *q, const char *screen, const char *tol, times *took)
{
    tm_error err = TM_ERROR_INIT;
    const tm_method *method = tm_method_find("svm", &err);
    tm_params *params;
    tm_solver *solver;
    tm_solution solution = {0};
    if (tm_method_params_new(&params, method, &err) != TM_OK ||
        tm_params_set_text(params, "screen", screen, &err) != TM_OK ||
        tm_params_set_text(params, "tol", tol, &err) != TM_OK ||
        tm_params_set_text(params, "threads", "1", &err) != TM_OK ||
        tm_params_set_text(params, "kernel", q->rbf ? "rbf" : "linear", &err) != TM_OK ||
        tm_params_set_text(params, "intercept", q->rbf ? "free" : "none", &err) != TM_OK ||
        set(params, "C", q->C, &err) != TM_OK ||
        (q->rbf && set(params, "gamma", q->gamma, &err) != TM_OK))
        stop(err.message);
    double began = processor_seconds();
    if (tm_solver_new(&solver, method, q->data, params, NULL, &err) != TM_OK)
        stop(err.message);
    double made = processor_seconds();
    if (tm_solver_update(solver, params, &err) != TM_OK ||
        tm_solver_solve(solver, &solution, &err) != TM_OK)
        stop(err.message);
    *took = (times){made - began, processor_seconds() - made};
    tm_solver_free(solver);
    tm_params_free(params);
    return solution;
}

static void find_bound(problem_of *q)
{
    times took;
    tm_solution solution = ours(q, "auto", "1e-7", &took);
    q->bound = solution.dual;
    q->null = solution.null_objective;
    tm_solution_clear(&solution);
}

static times take_ours(const problem_of *q, way *w)
{
    times took;
    tm_solution solution = ours(q, w->screen, w->tol, &took);
    w->gap = solution.gap;
    w->updates = solution.updates;
    w->columns = solution.columns;
    w->kept = q->n - solution.screening.screened;
    tm_solution_clear(&solution);
    return took;
}

/* ---- the peers ----------------------------------------------------------------------------- */

static double loss_at(const problem_of *q, double b)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += q->C * fmax(0, 1 - q->y[i] * (q->f[i] + b));
    return sum;
}

/* With the best intercept: the loss is least at one of its breaks. */
static double free_loss(const problem_of *q)
{
    double least = INFINITY;
    for (size_t i = 0; i < q->n; i++)
        least = fmin(least, loss_at(q, q->y[i] - q->f[i]));
    return least;
}

static double take_liblinear(const problem_of *q, way *w)
{
    struct problem of = {(int)q->n, (int)q->p, q->y, q->linear, -1};
    struct parameter how = {.solver_type = L2R_L1LOSS_SVC_DUAL, .eps = atof(w->tol), .C = q->C};
    srand(1); /* it shuffles samples by rand() */
    double began = processor_seconds();
    struct model *model = train(&of, &how);
    double seconds = processor_seconds() - began, sign = model->label[0] > 0 ? 1 : -1, squares = 0;
    for (size_t j = 0; j < q->p; j++)
        squares += model->w[j] * model->w[j];
    for (size_t i = 0; i < q->n; i++) {
        q->f[i] = 0;
        for (const struct feature_node *e = q->linear[i]; e->index > 0; e++)
            q->f[i] += sign * model->w[e->index - 1] * e->value;
    }
    w->gap = squares / 2 + loss_at(q, 0) - q->bound;
    free_and_destroy_model(&model);
    return seconds;
}

/* f = sum_j coef_j k(x_j, .); returns 1/2 |w|^2. */
static double support_products(const problem_of *q, const struct svm_model *model)
{
    double *row = room(q->p + 1, sizeof *row), size = 0, sign = model->label[0] > 0 ? 1 : -1;
    memset(q->f, 0, q->n * sizeof *q->f);
    for (int s = 0; s < model->l; s++) {
        double square = 0;
        for (const struct svm_node *e = model->SV[s]; e->index > 0; e++) {
            row[e->index] = e->value;
            square += e->value * e->value;
        }
        for (size_t i = 0; i < q->n; i++) {
            double product = 0, other = 0;
            for (const struct svm_node *e = q->nodes[i]; e->index > 0; e++) {
                product += e->value * row[e->index];
                other += e->value * e->value;
            }
            q->f[i] += sign * model->sv_coef[0][s] *
                       exp(-q->gamma * fmax(0, square + other - 2 * product));
        }
        for (const struct svm_node *e = model->SV[s]; e->index > 0; e++)
            row[e->index] = 0;
    }
    for (int s = 0; s < model->l; s++)
        size += sign * model->sv_coef[0][s] * q->f[model->sv_indices[s] - 1] / 2;
    free(row);
    return size;
}

static double take_libsvm(const problem_of *q, way *w)
{
    struct svm_problem of = {(int)q->n, q->y, q->nodes};
    struct svm_parameter how = {.svm_type = C_SVC,
                                .kernel_type = RBF,
                                .gamma = q->gamma,
                                .cache_size = 100,
                                .eps = atof(w->tol),
                                .C = q->C,
                                .shrinking = 1};
    double began = processor_seconds();
    struct svm_model *model = svm_train(&of, &how);
    double seconds = processor_seconds() - began;
    if (isnan(w->gap))
        w->gap = support_products(q, model) + free_loss(q) - q->bound;
    svm_free_and_destroy_model(&model);
    return seconds;
}

static times take_peer(problem_of *q, way *w)
{
    times took = {.rows = make_nodes(q)};
    took.solving = q->rbf ? take_libsvm(q, w) : take_liblinear(q, w);
    free(q->nodes[0]);
    return took;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void run(problem_of *q, way *ways, int count, int repeats)
{
    find_bound(q);
    for (int r = 0; r < repeats; r++)
        for (int k = 0; k < count; k++) {
            way *w = &ways[k];
            times took = w->screen ? take_ours(q, w) : take_peer(q, w);
            w->least.rows = fmin(w->least.rows, took.rows);
            w->least.solving = fmin(w->least.solving, took.solving);
        }
    for (int k = 0; k < count; k++) {
        const way *w = &ways[k];
        printf("%s %s %.6f %.6f %.3e %llu %llu %llu\n", w->screen ? w->screen : "peer", w->tol,
               w->least.solving, w->least.rows, w->gap / q->null, w->updates, w->columns, w->kept);
    }
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: svm_solvers FILE KERNEL C GAMMA REPEATS WAY...\n");
        return 2;
    }
    problem_of q;
    int count = argc - 6;
    way *ways = room((size_t)count, sizeof *ways);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    set_print_string_function(quiet);
    svm_set_print_string_function(quiet);
    for (int k = 0; k < count; k++) {
        char *at = strchr(argv[k + 6], '@');
        if (!at)
            stop("a way is SCREEN@TOL or peer@EPS");
        *at = '\0';
        bool peer = strcmp(argv[k + 6], "peer") == 0;
        ways[k] = (way){.screen = peer ? NULL : argv[k + 6],
                        .tol = at + 1,
                        .least = {INFINITY, INFINITY},
                        .gap = NAN};
    }
    read_problem(&q, argv);
    run(&q, ways, count, atoi(argv[5]));
    free_problem(&q);
    free(ways);
    return 0;
}
