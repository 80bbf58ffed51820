#include "cli/ranks/resume.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the first process to the others ---------------------------------------------------- */

/* Numbers of a point, and the texts of the models one after the other, each with its end. */
enum { NUMBERS = 12 };

typedef struct message {
    double *numbers; /* NUMBERS for each point */
    char *texts;
    size_t count, bytes;
} message;

static void write_point(const tm_point *point, double *out)
{
    const tm_solution *s = &point->solution;
    const double numbers[NUMBERS] = {s->lambda,
                                     s->B,
                                     s->C,
                                     s->primal,
                                     s->dual,
                                     s->gap,
                                     s->seconds,
                                     (double)s->columns,
                                     (double)s->updates,
                                     (double)s->screening.screened,
                                     point->train_score,
                                     point->test_score};
    memcpy(out, numbers, sizeof numbers);
}

static tm_point read_point(const double *in, double p)
{
    tm_point point = {.train_score = in[10], .test_score = in[11]};
    point.solution = (tm_solution){.lambda = in[0],
                                   .lambda_max = NAN,
                                   .B = in[1],
                                   .C = in[2],
                                   .primal = in[3],
                                   .dual = in[4],
                                   .gap = in[5],
                                   .null_objective = NAN,
                                   .seconds = in[6],
                                   .columns = (uint64_t)in[7],
                                   .updates = (uint64_t)in[8],
                                   .passes = in[7] / p,
                                   .active = (uint64_t)(p - in[9]),
                                   .screening = {(uint64_t)in[9], in[9] / p, NAN, 0},
                                   .explained = NAN,
                                   .retrained.C = NAN};
    return point;
}

static tm_status write_message(message *m, const store_rest *rest, tm_error *err)
{
    FILE *to = open_memstream(&m->texts, &m->bytes);
    m->count = rest->count;
    m->numbers = mem_array(m->count * NUMBERS, sizeof *m->numbers);
    tm_status status = to && m->numbers ? TM_OK : tm_fail_memory(err, "the points of a run");
    for (size_t k = 0; status == TM_OK && k <= rest->count; k++) {
        char *text = NULL;
        status = tm_model_to_text(
            &text, k < rest->count ? rest->points[k].solution.model : rest->warm, err);
        if (status == TM_OK)
            fwrite(text, 1, strlen(text) + 1, to);
        free(text);
        if (k < rest->count)
            write_point(&rest->points[k], m->numbers + k * NUMBERS);
    }
    if (to && fclose(to) != 0 && status == TM_OK)
        status = tm_fail_memory(err, "the points of a run");
    return status;
}

static tm_status read_message(const message *m, store_rest *rest, double p, tm_error *err)
{
    const char *next = m->texts;
    tm_status status = TM_OK;
    rest->points = mem_zeros(m->count, sizeof *rest->points);
    if (!rest->points)
        return tm_fail_memory(err, "the points of a run");
    for (size_t k = 0; status == TM_OK && k <= m->count; k++) {
        tm_model *model = NULL;
        status = tm_model_from_text(&model, next, "the first process", err);
        next += strlen(next) + 1;
        if (status == TM_OK && k < m->count) {
            rest->points[rest->count] = read_point(m->numbers + k * NUMBERS, p);
            rest->points[rest->count++].solution.model = model;
        } else {
            rest->warm = model;
        }
    }
    return status;
}

/* Sends the message of the first process; the others get room for it. */
static tm_status send(message *m, const tm_comm *comm, tm_error *err)
{
    double sizes[2] = {(double)m->count, (double)m->bytes};
    comm->broadcast(comm, sizes, 2, 0);
    size_t words = ((size_t)sizes[1] + sizeof(double) - 1) / sizeof(double);
    double *text = mem_zeros(words, sizeof *text);
    if (comm->rank > 0) {
        m->count = (size_t)sizes[0];
        m->bytes = (size_t)sizes[1];
        m->numbers = mem_array(m->count * NUMBERS, sizeof *m->numbers);
    }
    tm_status status = text && m->numbers ? TM_OK : tm_fail_memory(err, "the points of a run");
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        free(text);
        return status;
    }
    if (comm->rank == 0)
        memcpy(text, m->texts, m->bytes);
    comm->broadcast(comm, m->numbers, m->count * NUMBERS, 0);
    comm->broadcast(comm, text, words, 0);
    free(m->texts);
    m->texts = (char *)text;
    return TM_OK;
}

static tm_status share_rest(store_rest *rest, double p, const tm_comm *comm, tm_error *err)
{
    message m = {0};
    double id = (double)rest->id;
    comm->broadcast(comm, &id, 1, 0);
    if (id == 0)
        return TM_OK;
    tm_status status = comm->rank == 0 ? write_message(&m, rest, err) : TM_OK;
    status = comm_share(comm, status, err);
    if (status == TM_OK)
        status = send(&m, comm, err);
    if (status == TM_OK && comm->rank > 0) {
        rest->id = (int64_t)id;
        status = read_message(&m, rest, p, err);
    }
    free(m.numbers);
    free(m.texts);
    return comm_share(comm, status, err);
}

/* ---- finding --------------------------------------------------------------------------------- */

tm_status resume_find(tm_job_spec *spec, store_rest *rest, const cli_record *record,
                      const cli_comm *comm, tm_error *err)
{
    tm_status status = TM_OK;
    *rest = (store_rest){0};
    if (tm_params_find(spec->params, "debias", NULL) && tm_params_has(spec->params, "debias"))
        status = tm_fail(err, TM_EUSAGE,
                         "'--resume' and '--debias' do not go together: the "
                         "store has no certificates of what was retrained");
    else if (record->store)
        status = store_find_rest(record->store, spec, rest, err);
    if (comm->module) {
        status = comm_share(&comm->comm, status, err);
        if (status == TM_OK)
            status = share_rest(rest, (double)tm_dataset_cols(spec->train), &comm->comm, err);
    }
    spec->warm = rest->warm;
    return status;
}
