#include "run/store/schema.h"

#include <stdio.h>

enum {
    APPLICATION_ID =
        0x54616d73, /* "Tams", so that other programs' databases are not taken for ours */
};

/* migrations[v] brings a store of version v to v + 1. Never change one that was released. */
static const char *const migrations[] = {
    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, method TEXT NOT NULL,"
    " params TEXT NOT NULL, data TEXT NOT NULL, sha256 TEXT NOT NULL, test TEXT, test_sha256 TEXT,"
    " n INTEGER NOT NULL, p INTEGER NOT NULL, seed INTEGER, version TEXT NOT NULL,"
    " status TEXT NOT NULL, begun REAL NOT NULL, ended REAL, seconds REAL, lambda REAL,"
    " lambda_max REAL, primal REAL, dual REAL, gap REAL, nnz INTEGER, train_score REAL,"
    " test_score REAL, error TEXT,"
    " host TEXT NOT NULL, boot TEXT NOT NULL, pid INTEGER NOT NULL, started INTEGER NOT NULL);"
    "CREATE TABLE points ("
    " run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, k INTEGER NOT NULL,"
    " lambda REAL NOT NULL, status TEXT NOT NULL, primal REAL, dual REAL, gap REAL,"
    " nnz INTEGER NOT NULL, intercept REAL, train_score REAL, test_score REAL, seconds REAL,"
    " columns INTEGER NOT NULL, updates INTEGER NOT NULL, screened INTEGER NOT NULL,"
    " PRIMARY KEY (run, k)) WITHOUT ROWID;"
    /* Separate, so that reading points does not have to skip the models' text. */
    "CREATE TABLE models ("
    " run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, k INTEGER NOT NULL,"
    " model TEXT NOT NULL, PRIMARY KEY (run, k));",
    "CREATE TABLE sweeps ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " method TEXT, description TEXT NOT NULL, tasks INTEGER NOT NULL, version TEXT NOT NULL,"
    " begun REAL NOT NULL, ended REAL);"
    /* `finished` counts how often a task was recorded, which is at most once. */
    "CREATE TABLE tasks ("
    " sweep INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE, task INTEGER NOT NULL,"
    " status TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0, begun REAL NOT NULL, ended REAL,"
    " beat REAL NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL, pid INTEGER NOT NULL,"
    " started INTEGER NOT NULL, PRIMARY KEY (sweep, task)) WITHOUT ROWID;"
    "CREATE TABLE results ("
    " sweep INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE, config INTEGER NOT NULL,"
    " split INTEGER NOT NULL, status TEXT NOT NULL, error TEXT, lambda REAL, primal REAL, dual "
    "REAL,"
    " gap REAL, nnz REAL, seconds REAL, columns REAL, updates REAL, scores TEXT NOT NULL,"
    " PRIMARY KEY (sweep, config, split)) WITHOUT ROWID;",
    /* Not every method has a lambda. */
    "ALTER TABLE points RENAME TO points_before;"
    "CREATE TABLE points ("
    " run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, k INTEGER NOT NULL,"
    " lambda REAL, status TEXT NOT NULL, primal REAL, dual REAL, gap REAL,"
    " nnz INTEGER NOT NULL, intercept REAL, train_score REAL, test_score REAL, seconds REAL,"
    " columns INTEGER NOT NULL, updates INTEGER NOT NULL, screened INTEGER NOT NULL,"
    " PRIMARY KEY (run, k)) WITHOUT ROWID;"
    "INSERT INTO points SELECT * FROM points_before;"
    "DROP TABLE points_before;",
    "CREATE TABLE traces ("
    " run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, k INTEGER NOT NULL,"
    " kind TEXT NOT NULL, point INTEGER NOT NULL, seconds REAL, lambda REAL, primal REAL,"
    " dual REAL, gap REAL, columns INTEGER NOT NULL, updates INTEGER NOT NULL,"
    " active INTEGER NOT NULL, screened INTEGER NOT NULL, feature INTEGER, score REAL,"
    " inner_gap REAL, PRIMARY KEY (run, k)) WITHOUT ROWID;",
    /* The marks of unfinished chains, from which their next pieces start. */
    "CREATE TABLE marks ("
    " sweep INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE, task INTEGER NOT NULL,"
    " cells INTEGER NOT NULL, lambda_max REAL, model TEXT, PRIMARY KEY (sweep, task));",
    /* For paths along another parameter. */
    "ALTER TABLE points ADD COLUMN B REAL; ALTER TABLE points ADD COLUMN C REAL;",
    /* NULL: recorded before checksums were introduced. */
    "ALTER TABLE results ADD COLUMN checksum INTEGER;"
    "ALTER TABLE marks ADD COLUMN checksum INTEGER;",
    /* Cells by digest, with the answers that are small enough. */
    "CREATE TABLE answers ("
    " sweep INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE, config INTEGER NOT NULL,"
    " split INTEGER NOT NULL, content BLOB NOT NULL, metrics TEXT NOT NULL, lambda_max REAL,"
    " model TEXT, checksum INTEGER NOT NULL, PRIMARY KEY (sweep, config, split));"
    "CREATE INDEX answers_content ON answers (content);",
    "ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN note TEXT;"
    "ALTER TABLE sweeps ADD COLUMN tags TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE sweeps ADD COLUMN note TEXT;",
    /* NULL: no terms are screened, or recorded before. */
    "ALTER TABLE traces ADD COLUMN rejected INTEGER;"
    "ALTER TABLE traces ADD COLUMN aggregated INTEGER;",
};
enum { STORE_VERSION = sizeof migrations / sizeof migrations[0] };

/* readings[v] makes a write-protected store of version v readable as one of version v + 1. */
static const char *const readings[STORE_VERSION] = {
    [5] = "CREATE TEMP VIEW points AS SELECT *, NULL AS B, NULL AS C FROM main.points",
    [6] = "CREATE TEMP VIEW results AS SELECT *, NULL AS checksum FROM main.results",
    [7] = "", /* answers are needed only for writing */
    [8] = "CREATE TEMP VIEW runs AS SELECT *, '' AS tags, NULL AS note FROM main.runs;"
          "CREATE TEMP VIEW sweeps AS SELECT *, '' AS tags, NULL AS note FROM main.sweeps",
    [9] = "CREATE TEMP VIEW traces AS SELECT *, NULL AS rejected, NULL AS aggregated"
          " FROM main.traces",
};

/* Reads the first column of the first row; -1 if there is none. */
static tm_status read_number(tm_store *store, const char *sql, int64_t *out, tm_error *err)
{
    sqlite3_stmt *statement;
    *out = -1;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    tm_status status = code == SQLITE_ROW || code == SQLITE_DONE ? TM_OK : store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

static tm_status judge_file(tm_store *store, int64_t *version, tm_error *err)
{
    int64_t application, tables, foreign;
    tm_status status = read_number(store, "PRAGMA user_version", version, err);
    if (status == TM_OK)
        status = read_number(store, "PRAGMA application_id", &application, err);
    if (status == TM_OK)
        status = read_number(store, "SELECT count(*) FROM sqlite_master", &tables, err);
    if (status == TM_OK)
        status = read_number(store,
                             "SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')",
                             &foreign, err);
    if (status != TM_OK)
        return status;
    bool empty = *version == 0 && application == 0 && tables == 0;
    if (!empty && (application != APPLICATION_ID || *version < 1))
        return tm_fail(err, TM_EDATA,
                       "%s: a database of another program, not a run store; nothing in it was "
                       "changed. Name another file",
                       store->path);
    /* They would run whenever something is recorded or read. */
    if (foreign > 0)
        return tm_fail(err, TM_EDATA,
                       "%s: the run store has triggers or views, which no tamis has made; nothing "
                       "in it was changed",
                       store->path);
    if (*version > STORE_VERSION)
        return tm_fail(err, TM_EDATA,
                       "%s: the run store has version %lld, this tamis knows versions up to %d: "
                       "use the newer tamis that wrote it",
                       store->path, (long long)*version, STORE_VERSION);
    return TM_OK;
}

tm_status schema_read_version(tm_store *store, int64_t *version, tm_error *err)
{
    bool own = sqlite3_get_autocommit(store->db) != 0;
    tm_status status = own ? store_exec(store, "BEGIN", err) : TM_OK;
    if (status != TM_OK)
        return status;
    status = judge_file(store, version, err);
    /* After a failure the caller closes the connection, after reading SQLite's reason if needed. */
    return own && status == TM_OK ? store_exec(store, "COMMIT", err) : status;
}

/* Runs within a transaction, so that of two processes that create a store, one waits for the
 * other. */
static tm_status migrate(tm_store *store, tm_error *err)
{
    int64_t version;
    char sql[96];
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = schema_read_version(store, &version, err);
    for (; status == TM_OK && version < STORE_VERSION; version++)
        status = store_exec(store, migrations[version], err);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, STORE_VERSION);
    if (status == TM_OK)
        status = store_exec(store, sql, err);
    return store_transaction_end(store, status, err);
}

static bool is_readable(int64_t version)
{
    bool all = true;
    for (int64_t v = version; v < STORE_VERSION; v++)
        all = all && readings[v];
    return all;
}

static tm_status read_as_new(tm_store *store, int64_t version, tm_error *err)
{
    tm_status status = TM_OK;
    for (int64_t v = version; status == TM_OK && v < STORE_VERSION; v++)
        status = store_exec(store, readings[v], err);
    return status;
}

tm_status schema_update(tm_store *store, int64_t version, bool protected, tm_error *err)
{
    if (version >= STORE_VERSION)
        return TM_OK;
    return protected && is_readable(version) ? read_as_new(store, version, err)
                                             : migrate(store, err);
}
