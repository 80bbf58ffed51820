#include "cli/fit/trace.h"

#include "base/replace.h"
#include "cli/print/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tm_status fit_check_writable(const char *option, const char *path, tm_error *err)
{
    if (!path)
        return TM_OK;
    char *folder = strdup(path);
    if (!folder)
        return tm_fail_memory(err, "a file name");
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    struct stat found;
    bool is_folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    bool writable = access(path, F_OK) == 0 ? access(path, W_OK) == 0
                                            : access(slash ? folder : ".", W_OK | X_OK) == 0;
    int number = is_folder ? EISDIR : errno;
    free(folder);
    return writable && !is_folder ? TM_OK
                                  : tm_fail(err, TM_EIO, "option '--%s': cannot write '%.300s': %s",
                                            option, path, strerror(number));
}

static void write_known(FILE *file, uint64_t value, uint64_t unknown, uint64_t first)
{
    if (value != unknown)
        fprintf(file, ",%llu", (unsigned long long)(value + first));
    else
        fputc(',', file);
}

static void write_event(FILE *file, const tm_event *event)
{
    static const char *const kinds[] = {"check", "add", "drop", "point"};
    fprintf(file, "%s,%u", kinds[event->kind], event->point + 1);
    report_csv_real(file, event->seconds);
    report_csv_real(file, event->lambda);
    report_csv_real(file, event->primal);
    report_csv_real(file, event->dual);
    report_csv_real(file, event->gap);
    fprintf(file, ",%llu,%llu,%llu,%llu", (unsigned long long)event->columns,
            (unsigned long long)event->updates, (unsigned long long)event->active,
            (unsigned long long)event->screened);
    write_known(file, event->feature, TM_NO_FEATURE, 1);
    report_csv_real(file, event->score);
    report_csv_real(file, event->inner_gap);
    write_known(file, event->rejected, TM_NO_COUNT, 0);
    write_known(file, event->aggregated, TM_NO_COUNT, 0);
    fputc('\n', file);
}

tm_status fit_write_trace(const char *path, const tm_trace *trace, tm_error *err)
{
    const tm_event *events;
    size_t count = tm_trace_read(trace, &events);
    replacement file;
    tm_status status = replace_begin(&file, path, err);
    if (status != TM_OK)
        return status;
    fputs("event,point,seconds,lambda,primal,dual,gap,columns,updates,active,screened,feature,"
          "score,inner_gap,rejected,aggregated\n",
          file.stream);
    for (size_t i = 0; i < count; i++)
        write_event(file.stream, &events[i]);
    return replace_end(&file, TM_OK, err);
}

/* Text in quotes when it has commas, quotes or line ends. */
static void write_text(FILE *file, const char *text)
{
    bool plain = strpbrk(text, ",\"\r\n") == NULL;
    fputs(plain ? "," : ",\"", file);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', file);
        fputc(*c, file);
    }
    if (!plain)
        fputc('"', file);
}

static void write_record(FILE *file, const tm_job *job, const tm_screen_step *step, size_t number,
                         const tm_screen_record *record)
{
    char label[300];
    fprintf(file, "%zu,%u", number + 1, step->point + 1);
    write_text(file, step->what);
    report_csv_real(file, isnan(step->lambda) ? step->C : step->lambda);
    report_csv_real(file, step->gap);
    report_csv_real(file, step->radius);
    fprintf(file, ",%zu", step->active);
    if (!record) {
        fputs(",,,,\n", file);
        return;
    }
    fprintf(file, ",%lu", (unsigned long)record->feature + 1);
    write_text(file, tm_screen_log_label(tm_job_screen_log(job), tm_job_train(job), record->feature,
                                         label, sizeof label));
    write_text(file, tm_screen_action_name((tm_screen_action)record->action));
    report_csv_real(file, record->bound);
    fputc('\n', file);
}

tm_status fit_write_steps(const char *path, const tm_job *job, tm_error *err)
{
    const tm_screen_log *log = tm_job_screen_log(job);
    const tm_screen_step *steps = NULL;
    size_t count = log ? tm_screen_log_steps(log, &steps) : 0;
    replacement file;
    tm_status status = replace_begin(&file, path, err);
    if (status != TM_OK)
        return status;
    fprintf(file.stream, "step,point,what,%s,gap,radius,active,%s,name,action,bound\n",
            count > 0 && isnan(steps[0].lambda) ? "C" : "lambda",
            tm_item_name(log ? tm_screen_log_item(log) : TM_ITEM_FEATURE));
    for (size_t k = 0; k < count; k++) {
        const tm_screen_record *records = tm_screen_log_records(log) + steps[k].first;
        if (steps[k].count == 0)
            write_record(file.stream, job, &steps[k], k, NULL);
        for (size_t i = 0; i < steps[k].count; i++)
            write_record(file.stream, job, &steps[k], k, &records[i]);
    }
    return replace_end(&file, TM_OK, err);
}
