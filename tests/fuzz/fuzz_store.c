/* Fuzz target: the run store. The input is a database, or SQL that is run on a new store, as what
 * another program has written there; then all of it is read. */
#include "tamis/store.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[64], template_path[64];

static void copy_file(const char *from, const char *to)
{
    char block[4096];
    size_t got;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out)
        abort();
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        if (fwrite(block, 1, got, out) != got)
            abort();
    fclose(in);
    fclose(out);
}

static void make_template(void)
{
    char folder[] = "/dev/shm/fuzz-store-XXXXXX";
    tm_store *store;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.db", folder);
    snprintf(template_path, sizeof template_path, "%s/b.db", folder);
    if (tm_store_open(&store, template_path, TM_STORE_SHARED, NULL) != TM_OK)
        abort();
    tm_store_close(store);
}

/* What reaches other files is refused. */
static int authorise(void *payload, int action, const char *a, const char *b, const char *c,
                     const char *d)
{
    (void)payload, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static int give_up(void *payload)
{
    return ++*(int *)payload > 100;
}

static void run_sql(const uint8_t *bytes, size_t size)
{
    sqlite3 *db;
    int steps = 0;
    char *sql = malloc(size + 1);
    copy_file(template_path, path);
    if (!sql || sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    memcpy(sql, bytes, size);
    sql[size] = '\0';
    sqlite3_set_authorizer(db, authorise, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(db, 1000, give_up, &steps);
    sqlite3_exec(db, "PRAGMA writable_schema = 0", NULL, NULL, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    free(sql);
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, size, out) != size)
        abort();
    fclose(out);
}

typedef struct numbers {
    int64_t ids[16];
    size_t count;
} numbers;

static void take(numbers *found, int64_t id)
{
    if (found->count < sizeof found->ids / sizeof *found->ids)
        found->ids[found->count++] = id;
}

static tm_status take_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    (void)err;
    take(payload, run->id);
    return strlen(run->name) + strlen(run->params) + strlen(run->status) + strlen(run->label.tags) >
                   1 << 20
               ? TM_EDATA
               : TM_OK;
}

static tm_status take_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    (void)payload, (void)err;
    return strlen(point->status) > 1 << 20 ? TM_EDATA : TM_OK;
}

static tm_status take_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    (void)err;
    take(payload, sweep->id);
    return strlen(sweep->description) > 1 << 20 ? TM_EDATA : TM_OK;
}

static void read_runs(tm_store *store)
{
    numbers runs = {.count = 0};
    tm_store_each_run(store, NULL, take_run, &runs, NULL);
    for (size_t k = 0; k < runs.count; k++) {
        tm_model *model;
        tm_event *events;
        size_t count;
        tm_store_each_point(store, runs.ids[k], take_point, NULL, NULL);
        if (tm_store_model(store, runs.ids[k], &model, NULL) == TM_OK)
            tm_model_unref(model);
        if (tm_store_trace(store, runs.ids[k], &events, &count, NULL) == TM_OK)
            free(events);
    }
}

static void read_sweeps(tm_store *store)
{
    numbers sweeps = {.count = 0};
    tm_store_each_sweep(store, 0, take_sweep, &sweeps, NULL);
    for (size_t k = 0; k < sweeps.count; k++) {
        tm_sweep_table *table;
        if (tm_store_sweep_table(store, sweeps.ids[k], &table, NULL) == TM_OK)
            tm_sweep_table_free(table);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const tm_store_mode modes[] = {TM_STORE_READ, TM_STORE_SHARED};
    tm_error err = TM_ERROR_INIT;
    if (!path[0])
        make_template();
    if (size >= 6 && memcmp(bytes, "SQLite", 6) == 0)
        write_file(bytes, size);
    else
        run_sql(bytes, size);
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        tm_store *store;
        tm_status status = tm_store_open(&store, path, modes[k], &err);
        if (status != TM_OK && err.message[0] == '\0')
            abort();
        if (status != TM_OK)
            continue;
        read_runs(store);
        read_sweeps(store);
        tm_store_close(store);
    }
    return 0;
}
