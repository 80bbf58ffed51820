/* Runs side by side. */
#include "cli/print/runs.h"

#include "base/text.h"
#include "cli/print/json.h"
#include "cli/print/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One run: the facts shown, and its parameters as JSON. */
typedef struct column {
    int64_t id;
    json_t *facts;  /* name, method, data, status, results: texts and numbers */
    json_t *params; /* an object */
} column;

static void set_fact(json_t *facts, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(facts, key, cli_json_real(value));
}

static tm_status take(const tm_stored_run *run, void *payload, tm_error *err)
{
    column *c = payload;
    tm_status status = cli_read_json(&c->params, run->params, err);
    if (status != TM_OK)
        return status;
    c->params = c->params ? c->params : json_object();
    c->facts = json_object();
    if (!c->params || !c->facts)
        return tm_fail_memory(err, "a run");
    json_object_set_new(c->facts, "name", cli_json_text(run->name));
    json_object_set_new(c->facts, "method", cli_json_text(run->method));
    json_object_set_new(c->facts, "data", cli_json_text(run->data));
    json_object_set_new(c->facts, "status", cli_json_text(run->status));
    set_fact(c->facts, "lambda", run->answer.lambda);
    set_fact(c->facts, "primal", run->answer.primal);
    set_fact(c->facts, "gap", run->answer.gap);
    if (run->answer.nnz >= 0)
        json_object_set_new(c->facts, "nnz", json_integer(run->answer.nnz));
    set_fact(c->facts, "train_score", run->answer.train_score);
    set_fact(c->facts, "test_score", run->answer.test_score);
    set_fact(c->facts, "seconds", run->seconds);
    return errno == ENOMEM ? tm_fail_memory(err, "a run") : TM_OK; /* reading set it to 0 */
}

static bool differs(const column *columns, size_t count, const char *key, const json_t *value)
{
    for (size_t k = 0; k < count; k++) {
        const json_t *other = json_object_get(columns[k].params, key);
        if (!other || !json_equal(other, value))
            return true;
    }
    return false;
}

/* The names of all parameters that any two of the runs differ in. */
static json_t *differing(const column *columns, size_t count)
{
    json_t *names = json_object(), *value;
    const char *key;
    for (size_t i = 0; i < count; i++) {
        json_object_foreach(columns[i].params, key, value)
        {
            if (differs(columns, count, key, value))
                json_object_set_new(names, key, json_true());
        }
    }
    return names;
}

static void add_value(cli_table *table, const json_t *value)
{
    char text[64];
    if (json_is_string(value)) {
        cli_table_add(table, "%s", json_string_value(value));
    } else if (json_is_integer(value)) {
        cli_table_add_count(table, json_integer_value(value));
    } else if (json_is_real(value)) {
        snprintf(text, sizeof text, "%.6g", json_real_value(value));
        cli_table_add(table, "%s", text);
    } else if (json_is_boolean(value)) {
        cli_table_add(table, "%s", json_is_true(value) ? "true" : "false");
    } else if (value) {
        char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        cli_table_add(table, "%.60s", dump ? dump : "");
        table->failed = table->failed || !dump;
        free(dump);
    } else {
        cli_table_add(table, "-");
    }
}

static tm_status print_table(const column *columns, size_t count, const json_t *names,
                             tm_error *err)
{
    static const char *const facts[] = {"name",        "method",     "data",   "status",
                                        "lambda",      "primal",     "gap",    "nnz",
                                        "train_score", "test_score", "seconds"};
    cli_table table = {.columns = count + 1};
    const char *key;
    json_t *value;
    cli_table_add(&table, "run");
    for (size_t i = 0; i < count; i++)
        cli_table_add_count(&table, columns[i].id);
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++) {
        cli_table_add(&table, "%s", facts[f]);
        for (size_t i = 0; i < count; i++)
            add_value(&table, json_object_get(columns[i].facts, facts[f]));
    }
    json_object_foreach((json_t *)(uintptr_t)names, key, value)
    {
        cli_table_add(&table, "%s", key);
        for (size_t i = 0; i < count; i++)
            add_value(&table, json_object_get(columns[i].params, key));
    }
    return cli_table_print(&table, err);
}

static tm_status print_json(const column *columns, size_t count, json_t *names, tm_error *err)
{
    cli_object object = cli_object_new();
    errno = 0;
    json_t *runs = json_array(), *differ = json_array(), *value;
    const char *key;
    json_object_foreach(names, key, value)
    {
        json_array_append_new(differ, json_string(key));
    }
    for (size_t i = 0; i < count; i++) {
        cli_object run = cli_object_new();
        cli_set_count(&run, "id", (uint64_t)columns[i].id);
        cli_set(&run, "params", json_incref(columns[i].params));
        json_object_update(run.json, columns[i].facts);
        cli_append(&object, runs, cli_object_take(&object, run));
    }
    cli_set(&object, "differ", differ);
    cli_set(&object, "runs", runs);
    object.failed = object.failed || errno == ENOMEM;
    return cli_write_json(object, stdout, err);
}

tm_status runs_compare(tm_store *store, const int64_t *ids, size_t count, bool json, tm_error *err)
{
    column *columns = calloc(count, sizeof *columns);
    tm_status status = columns ? TM_OK : tm_fail_memory(err, "the runs");
    for (size_t i = 0; status == TM_OK && i < count; i++) {
        columns[i].id = ids[i];
        status = tm_store_get(store, ids[i], take, &columns[i], err);
    }
    if (status == TM_OK) {
        errno = 0;
        json_t *names = differing(columns, count);
        if (!names || errno == ENOMEM)
            status = tm_fail_memory(err, "the parameters that differ");
        else
            status = json ? print_json(columns, count, names, err)
                          : print_table(columns, count, names, err);
        json_decref(names);
    }
    for (size_t i = 0; columns && i < count; i++) {
        json_decref(columns[i].facts);
        json_decref(columns[i].params);
    }
    free(columns);
    return status;
}
