/* The speed of X'v for every kind of storage against the memory bandwidth of this machine:
 * data_speed N P REPEATS [FILE]. For 1 thread and for all cores, a line of: what, threads, bytes
 * read, median seconds. FILE is read for the sparse kinds. */
#include "base/numeric/lanes.h"
#include "base/threads/parallel.h"
#include "seconds.h"
#include "tamis/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_REPEATS = 99, CHUNK = 512 };

typedef struct task {
    const double *array; /* to be summed, or NULL: */
    const tm_matrix *x;
    const double *v;
    double *out;
    double sink;
} task;

/* Reading alone, which nothing that multiplies can beat. */
PER_MACHINE
static void sum_range(size_t from, size_t to, void *payload)
{
    task *t = payload;
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t i = from / 32 * 32; i + 32 <= to; i += 32) {
        a += *(const lanes *)(t->array + i);
        b += *(const lanes *)(t->array + i + 8);
        c += *(const lanes *)(t->array + i + 16);
        d += *(const lanes *)(t->array + i + 24);
    }
    a += b + c + d;
    if (a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7] == 0.123)
        t->sink = a[0];
}

static void dot_range(size_t from, size_t to, void *payload)
{
    task *t = payload;
    tm_matrix_dot_range(t->x, from, to - from, t->v, t->out + from);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void pass(task *t, size_t count, thread_team *team)
{
    if (t->array)
        parallel_ranges(count, team, sum_range, t);
    else
        parallel_chunks(count, CHUNK, team, dot_range, t);
}

/* Seconds of a pass, the mean of as many as take a tenth of a second: a pass of a millisecond
 * depends on what else wakes up meanwhile. */
static double time_passes(task *t, size_t count, int threads)
{
    thread_team *team = team_new(threads);
    const double enough = 0.1;
    double began = seconds_now(), spent = 0;
    int passes = 0;
    for (; spent < enough; passes++) {
        pass(t, count, team);
        spent = seconds_now() - began;
    }
    team_free(team);
    return spent / passes;
}

static void measure(const char *what, size_t bytes, task *t, size_t count, int repeats)
{
    int all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int threads = 1; threads <= all; threads += all > 1 ? all - 1 : 1) {
        double seconds[MAX_REPEATS];
        for (int k = 0; k < repeats; k++)
            seconds[k] = time_passes(t, count, threads);
        qsort(seconds, (size_t)repeats, sizeof *seconds, compare);
        printf("%s\t%d\t%zu\t%.6f\n", what, threads, bytes, seconds[repeats / 2]);
    }
}

static void measure_matrix(const char *what, const tm_matrix *x, size_t bytes, int repeats)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    double *v = calloc(n, sizeof *v), *out = calloc(p, sizeof *out);
    if (!v || !out)
        exit(1);
    for (size_t i = 0; i < n; i++)
        v[i] = (double)(i % 7) - 3;
    task t = {.x = x, .v = v, .out = out};
    measure(what, bytes, &t, p, repeats);
    free(v);
    free(out);
}

static void must(tm_status status, const tm_error *err)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "data_speed: %s\n", err->message);
    exit(1);
}

/* Fifteen of sixteen rows, as a fold has them: copied, and as a view of the whole. */
static void measure_rows(const char *kind, const tm_matrix *x, int repeats)
{
    size_t n = tm_matrix_rows(x), count = 0, *rows = malloc(n * sizeof *rows);
    tm_error err = TM_ERROR_INIT;
    tm_matrix *copy, *view;
    char what[64];
    if (!rows)
        exit(1);
    for (size_t i = 0; i < n; i++)
        if (i * 2654435761u >> 13 & 15)
            rows[count++] = i;
    must(tm_matrix_select_rows(&copy, x, rows, count, &err), &err);
    must(tm_matrix_view_rows(&view, x, rows, count, &err), &err);
    snprintf(what, sizeof what, "%s, rows copied", kind);
    measure_matrix(what, copy, tm_matrix_bytes(copy), repeats);
    snprintf(what, sizeof what, "%s, rows viewed", kind);
    measure_matrix(what, view, tm_matrix_bytes(copy), repeats);
    tm_matrix_unref(copy);
    tm_matrix_unref(view);
    free(rows);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    size_t n = strtoul(argv[1], NULL, 10), p = strtoul(argv[2], NULL, 10);
    int repeats = atoi(argv[3]) < MAX_REPEATS ? atoi(argv[3]) : MAX_REPEATS;
    tm_error err = TM_ERROR_INIT;
    tm_matrix *x;
    double *values = malloc(n * p * sizeof *values);
    if (!values)
        return 1;
    for (size_t i = 0; i < n * p; i++)
        values[i] = (double)(i * 2654435761u % 1000) / 8;
    task t = {.array = values};
    measure("memory", n * p * sizeof *values, &t, n * p, repeats);
    must(tm_matrix_new_dense(&x, n, p, values, &err), &err);
    measure_matrix("dense", x, tm_matrix_bytes(x), repeats);
    measure_rows("dense", x, repeats);
    must(tm_matrix_to_float(x, &err), &err);
    measure_matrix("dense float", x, tm_matrix_bytes(x), repeats);
    tm_matrix_unref(x);
    uint8_t *packed = malloc(p * ((n + 3) / 4));
    if (!packed)
        return 1;
    for (size_t i = 0; i < p * ((n + 3) / 4); i++)
        packed[i] = (uint8_t)(i * 2654435761u >> 13) & 0xaa; /* none missing */
    must(tm_matrix_new_genotypes(&x, n, p, packed, NULL, &err), &err);
    measure_matrix("genotypes", x, tm_matrix_bytes(x), repeats);
    tm_matrix_unref(x);
    if (argc > 4) {
        tm_dataset *data;
        must(tm_read(&data, argv[4], NULL, &err), &err);
        const tm_matrix *sparse = tm_dataset_x(data);
        measure_matrix("csc", sparse, tm_matrix_bytes(sparse), repeats);
        measure_rows("csc", sparse, repeats);
        tm_dataset_unref(data);
    }
    return 0;
}
