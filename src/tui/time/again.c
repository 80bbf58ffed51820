#include "tui/time/again.h"

#include "run/params_json.h"

#include <string.h>

/* The fingerprint is computed only for data of the same size. */
static bool same_data(const tm_dataset *data, const stored_run *run)
{
    return data && (int64_t)tm_dataset_rows(data) == run->n &&
           (int64_t)tm_dataset_cols(data) == run->p &&
           strcmp(tm_dataset_sha256(data), run->sha256) == 0;
}

static const tm_dataset *find_data(const session *s, const stored_run *run)
{
    const tm_dataset *const known[] = {s->data.train, s->data.all, s->data.source};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (same_data(known[i], run))
            return known[i];
    return NULL;
}

tm_status again_start(tm_job **out, const session *s, const stored_run *run, tm_error *err)
{
    const tm_dataset *data = find_data(s, run);
    tm_params *params = NULL;
    *out = NULL;
    if (!data)
        return TM_OK;
    const tm_method *method = tm_method_find(run->method, err);
    if (!method)
        return TM_EDATA;
    tm_status status = tm_method_params_new(&params, method, err);
    if (status == TM_OK)
        status = params_json_take(params, run->params, err);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.name = run->name;
    spec.method = method;
    spec.params = params;
    spec.train = data;
    spec.log_room = TM_SCREEN_LOG_ROOM;
    if (status == TM_OK)
        status = tm_pool_submit(s->pools.study, &spec, out, err);
    tm_params_free(params);
    return status;
}
