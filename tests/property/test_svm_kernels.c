/* `svm` with kernels: against a dual ascent of its own on the explicit kernel, and what becomes of
 * models of support vectors: files, predictions, the formats of other programs. */
#include "svm_problem.h"

#include <unistd.h>

typedef struct kernel_case {
    const char *words;
    bool poly;
    double gamma, coef0;
    int degree;
} kernel_case;

static const kernel_case cases[] = {
    {"kernel=rbf gamma=0.02", false, 0.02, 0, 0},
    {"kernel=rbf gamma=2", false, 2, 0, 0},
    {"kernel=poly gamma=0.05 coef0=1 degree=2", true, 0.05, 1, 2},
};
enum { CASES = sizeof cases / sizeof *cases };

static double kernel_between(const problem *q, const kernel_case *k, size_t a, size_t b)
{
    double product = 0, distance = 0;
    for (size_t j = 0; j < q->p; j++) {
        double x = problem_column(q, j)[a], y = problem_column(q, j)[b];
        product += x * y;
        distance += (x - y) * (x - y);
    }
    return k->poly ? pow(k->gamma * product + k->coef0, k->degree) : exp(-k->gamma * distance);
}

/* Values of the dual and of the primal of the problem without an intercept, which enclose the
 * optimum and meet unless the sweeps crawl. */
static void kernel_reference(const problem *q, const kernel_case *k, double C, double values[2])
{
    static double g[64][64];
    double a[64] = {0}, dual = 0, primal = 0;
    for (size_t i = 0; i < q->n; i++)
        for (size_t j = 0; j < q->n; j++)
            g[i][j] = q->y[i] * q->y[j] * kernel_between(q, k, i, j);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double greatest = 0;
        for (size_t i = 0; i < q->n; i++) {
            double slope = 1;
            for (size_t j = 0; j < q->n; j++)
                slope -= g[i][j] * a[j];
            double next = fmin(fmax(a[i] + slope / g[i][i], 0), C);
            greatest = fmax(greatest, fabs(next - a[i]));
            a[i] = next;
        }
        if (greatest < 1e-13 * C)
            break;
    }
    for (size_t i = 0; i < q->n; i++) {
        double product = 0;
        for (size_t j = 0; j < q->n; j++)
            product += a[j] * g[i][j];
        dual += a[i] - a[i] * product / 2;
        primal += a[i] * product / 2 + C * fmax(0, 1 - product);
    }
    values[0] = dual;
    values[1] = primal;
}

static bool is_tame(const classes *c)
{
    return strcmp(c->q.kind, "badscaled") != 0 && strcmp(c->q.kind, "offset") != 0;
}

CHECK(test_reference)
{
    static const char *const screens[] = {"none", "shrink", "gap", "saiv", "auto"};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        classes c = classes_new(seed);
        const kernel_case *k = &cases[seed % CASES];
        char words[160];
        for (int s = 0; s < 5 && is_tame(&c); s++) {
            double C = seed % 2 ? 0.3 : 4;
            /* Two rows are all that the cache holds. */
            snprintf(words, sizeof words, "%s screen=%s tol=1e-9 C=%g cache=%s", k->words,
                     screens[s], C, s % 2 ? "0" : "10");
            tm_solution got = svm_solve(c.data, words);
            assert_int_equal(got.outcome, TM_CONVERGED);
            double ends[2];
            kernel_reference(&c.q, k, C, ends);
            assert_true(ends[1] - ends[0] <= 1e-3 * (1 + ends[1]));
            assert_true(got.primal >= ends[0] - 1e-6 * (1 + ends[0]));
            assert_true(got.primal <= ends[1] + 1e-6 * (1 + ends[1]));
            assert_string_equal(tm_model_kernel(got.model), k->poly ? "poly" : "rbf");
            assert_int_equal(tm_model_support_vectors(got.model), got.screening.support);
            tm_solution_clear(&got);
        }
        classes_free(&c);
    }
}

/* The objective is at its least in b, and what the model predicts has it. */
CHECK(test_free_intercept)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        classes c = classes_new(seed);
        tm_error err;
        double z[64], losses[3] = {0, 0, 0}, C = 2;
        tm_solution s = svm_solve(c.data, "kernel=rbf gamma=0.05 C=2 tol=1e-9 intercept=free");
        must(tm_model_predict_data(s.model, c.data, z, &err), &err);
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < c.q.n; i++)
                losses[k] += C * fmax(0, 1 - c.q.y[i] * (z[i] + (k - 1) * 1e-3));
        assert_true(losses[1] <= losses[0] + 1e-6 && losses[1] <= losses[2] + 1e-6);
        assert_true(s.primal > losses[1]);
        tm_solution_clear(&s);
        classes_free(&c);
    }
}

/* To the bit, sparse or dense. */
CHECK(test_files)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        classes c = classes_new(seed);
        double z[64], again[64];
        tm_error err;
        tm_solution s = svm_solve(c.data, cases[seed % CASES].words);
        tm_model *loaded = model_reload(s.model);
        must(tm_model_predict_data(s.model, c.data, z, &err), &err);
        must(tm_model_predict_data(loaded, c.data, again, &err), &err);
        assert_memory_equal(z, again, c.q.n * sizeof *z);
        assert_string_equal(tm_model_kernel(loaded), tm_model_kernel(s.model));
        tm_model_unref(loaded);
        tm_solution_clear(&s);
        classes_free(&c);
    }
}

CHECK(test_damaged_files)
{
    static const text_case bad[] = {
        {"{\"kernel\":\"sigmoid\",\"gamma\":1.0,\"coef0\":0.0,\"degree\":3,\"vectors\":[]}",
         "needs 'kernel'"},
        {"{\"kernel\":\"rbf\",\"gamma\":-1.0,\"coef0\":0.0,\"degree\":3,\"vectors\":[]}",
         "needs 'kernel'"},
        {"{\"kernel\":\"rbf\",\"gamma\":1.0,\"coef0\":0.0,\"degree\":3}", "needs 'vectors'"},
        {"{\"kernel\":\"rbf\",\"gamma\":1.0,\"coef0\":0.0,\"degree\":3,"
         "\"vectors\":[[1.0,[[4,1.0]]]]}",
         "needs 'vectors'"},
        {"{\"kernel\":\"rbf\",\"gamma\":1.0,\"coef0\":0.0,\"degree\":3,"
         "\"vectors\":[[1.0,[[2,1.0],[2,1.0]]]]}",
         "needs 'vectors'"},
        {"{\"kernel\":\"rbf\",\"gamma\":1.0,\"coef0\":0.0,\"degree\":3,\"vectors\":[[0.0,[]]]}",
         "needs 'vectors'"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[400];
        tm_model *model;
        tm_error err = TM_ERROR_INIT;
        snprintf(text, sizeof text,
                 "{\"tamis\":\"model\",\"version\":1,\"method\":\"svm\",\"intercept\":0.0,"
                 "\"features\":3,\"coef\":[],\"support\":%s}",
                 bad[k].text);
        tm_status status = tm_model_from_text(&model, text, "text", &err);
        must_refuse(status, TM_EDATA, &err, bad[k].want);
    }
}

/* ---- other programs ------------------------------------------------------------------------ */

/* The decision value of a LIBSVM model file with kernel rbf for row r, read from the file. */
static double libsvm_value(const char *path, const problem *q, size_t r)
{
    FILE *in = fopen(path, "r");
    char line[20000];
    double gamma = NAN, rho = NAN, sum = 0;
    assert_non_null(in);
    while (fgets(line, sizeof line, in) && strcmp(line, "SV\n") != 0) {
        sscanf(line, "gamma %lf", &gamma);
        sscanf(line, "rho %lf", &rho);
    }
    while (fgets(line, sizeof line, in)) {
        double row[128] = {0}, distance = 0;
        char *rest, *word = strtok_r(line, " \n", &rest);
        double coef = atof(word);
        while ((word = strtok_r(NULL, " \n", &rest))) {
            size_t index;
            double value;
            assert_int_equal(sscanf(word, "%zu:%lf", &index, &value), 2);
            row[index - 1] = value;
        }
        for (size_t j = 0; j < q->p; j++) {
            double d = row[j] - problem_column(q, j)[r];
            distance += d * d;
        }
        sum += coef * exp(-gamma * distance);
    }
    fclose(in);
    return sum - rho;
}

CHECK(test_exports)
{
    classes c = classes_new(2);
    char folder[] = "/tmp/tamis-export-XXXXXX", path[100], other[100];
    double z[64];
    tm_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.libsvm", folder);
    snprintf(other, sizeof other, "%s/m.liblinear", folder);
    tm_solution s = svm_solve(c.data, "kernel=rbf gamma=0.05 C=2 tol=1e-9 intercept=free");
    must(tm_model_save(s.model, path, &err), &err);
    must(tm_model_predict_data(s.model, c.data, z, &err), &err);
    for (size_t i = 0; i < c.q.n; i++)
        must_be_close(libsvm_value(path, &c.q, i), z[i], 1e-10);
    must_refuse(tm_model_save(s.model, other, &err), TM_EUSAGE, &err, ".libsvm");
    tm_solution linear = svm_solve(c.data, "C=0.1");
    must(tm_model_save(linear.model, other, &err), &err);
    must(tm_model_save(linear.model, path, &err), &err);
    unlink(path);
    unlink(other);
    rmdir(folder);
    tm_solution_clear(&linear);
    tm_solution_clear(&s);
    classes_free(&c);
}

RUN_TESTS(test_reference, test_free_intercept, test_files, test_damaged_files, test_exports)
