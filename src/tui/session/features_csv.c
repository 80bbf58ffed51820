#include "tui/session/features_csv.h"

#include "base/text.h"

#include <string.h>

static void write_name(FILE *out, const char *name)
{
    if (name[strcspn(name, ",\"\r\n")] == '\0') {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"')
            fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

size_t features_csv(const track *t, size_t at, const unsigned char *marks, FILE *out)
{
    const tm_dataset *data = tm_job_train(t->job);
    const tm_solution *now = &t->points[at].solution;
    size_t written = 0;
    fprintf(out, "feature,column,entered_lambda,entered_ratio,lambda,weight\n");
    for (size_t i = 0; i < t->feature_count; i++) {
        const track_feature *f = &t->features[i];
        const tm_solution *entered = &t->points[f->entered].solution;
        double weight = tm_model_weight(now->model, f->feature);
        char label[32];
        if (marks ? !marks[f->feature] : weight == 0)
            continue;
        /* Not the display label, which may be cut. */
        const char *name = tm_dataset_feature_name(data, f->feature);
        snprintf(label, sizeof label, "X%zu", f->feature + 1);
        write_name(out, name ? name : label);
        const double values[] = {entered->lambda, entered->lambda / entered->lambda_max,
                                 now->lambda, weight};
        fprintf(out, ",%zu", f->feature + 1);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            char text[TEXT_EXACT];
            fprintf(out, ",%s", text_exact(values[k], text));
        }
        fputc('\n', out);
        written++;
    }
    return written;
}
