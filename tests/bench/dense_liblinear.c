/* LIBLINEAR on dense data that no text file would hold: dense_liblinear TRAIN TEST SOLVER C, both
 * files being what Tamis reads. Builds the nodes that the library wants (16 bytes a value; its l1
 * solvers make as many again), times its training alone, and prints: features chosen, seconds, the
 * most memory ever resident in kilobytes, accuracy on TEST. */
#include "seconds.h"
#include "tamis/reader.h"

#include <linear.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Rows of nodes, each ended by one of index -1. */
static struct feature_node **rows_of(const tm_dataset *data)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    struct feature_node *nodes = malloc(n * (p + 1) * sizeof *nodes),
                        **rows = malloc(n * sizeof *rows);
    double *column = malloc(n * sizeof *column);
    if (!nodes || !rows || !column) {
        fprintf(stderr, "dense_liblinear: not enough memory\n");
        exit(1);
    }
    for (size_t i = 0; i < n; i++) {
        rows[i] = nodes + i * (p + 1);
        rows[i][p].index = -1;
    }
    for (size_t j = 0; j < p; j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t i = 0; i < n; i++)
            rows[i][j] = (struct feature_node){(int)j + 1, column[i]};
    }
    free(column);
    return rows;
}

static tm_dataset *read_or_exit(const char *path)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    if (tm_read(&data, path, NULL, &err) == TM_OK)
        return data;
    fprintf(stderr, "dense_liblinear: %s\n", err.message);
    exit(1);
}

static void quiet(const char *text)
{
    (void)text;
}

static double accuracy(const struct model *model, const char *path)
{
    tm_dataset *test = read_or_exit(path);
    struct feature_node **rows = rows_of(test);
    size_t n = tm_dataset_rows(test), right = 0;
    for (size_t i = 0; i < n; i++)
        right += predict(model, rows[i]) * tm_dataset_y(test)[i] > 0;
    free(rows[0]);
    free(rows);
    tm_dataset_unref(test);
    return (double)right / (double)n;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: dense_liblinear TRAIN TEST SOLVER C\n");
        return 2;
    }
    tm_dataset *data = read_or_exit(argv[1]);
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data), chosen = 0;
    double *y = malloc(n * sizeof *y);
    if (!y)
        return 1;
    memcpy(y, tm_dataset_y(data), n * sizeof *y);
    struct problem problem = {(int)n, (int)p, y, rows_of(data), -1};
    tm_dataset_unref(data);
    struct parameter parameter = {.solver_type = atoi(argv[3]), .eps = 0.01, .C = atof(argv[4])};
    set_print_string_function(quiet);
    double began = seconds_now();
    struct model *model = train(&problem, &parameter);
    double seconds = seconds_now() - began;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (size_t j = 0; j < p; j++)
        chosen += model->w[j] != 0;
    printf("%zu %.4f %ld %.4f\n", chosen, seconds, usage.ru_maxrss, accuracy(model, argv[2]));
    free_and_destroy_model(&model);
    free(problem.x[0]);
    free(problem.x);
    free(y);
    return 0;
}
