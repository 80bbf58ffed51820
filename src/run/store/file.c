/* The file of a run store: opening, transactions, and the meaning of failures. */
#include "run/store/schema.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MILLISECONDS = 5000 };

/* ---- failures ------------------------------------------------------------------------------ */

static tm_status fail_protected(const char *path, tm_error *err)
{
    return tm_fail(err, TM_EIO,
                   "%s: the run store cannot be written: it, or its directory, is write-protected",
                   path);
}

tm_status store_fail(tm_store *store, tm_error *err)
{
    const char *path = store->path, *why = sqlite3_errmsg(store->db);
    int number = sqlite3_system_errno(store->db);
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_NOMEM:
        return tm_fail_memory(err, "the run store");
    case SQLITE_NOTADB:
        return tm_fail(err, TM_EDATA,
                       "%s: not a run store; nothing in it was changed. Name another file, or move "
                       "this one away",
                       path);
    case SQLITE_CORRUPT:
        return tm_fail(err, TM_EDATA,
                       "%s: the run store is damaged (%s). Move it away; the command 'sqlite3 FILE "
                       ".recover' may save its runs",
                       path, why);
    case SQLITE_FULL:
        return tm_fail(err, TM_EIO, "%s: the disk is full", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return tm_fail(err, TM_EIO, "%s: another process has kept the run store locked for %d s",
                       path, BUSY_MILLISECONDS / 1000);
    case SQLITE_READONLY:
        return fail_protected(path, err);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        return tm_fail(err, TM_EIO, "%s: the run store cannot be used: %s%s%s", path, why,
                       number ? ": " : "", number ? strerror(number) : "");
    default:
        return tm_fail(err, TM_EDATA, "%s: the run store cannot be used: %s", path, why);
    }
}

tm_status store_exec(tm_store *store, const char *sql, tm_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? TM_OK
                                                                       : store_fail(store, err);
}

tm_status store_prepare_for(tm_store *store, const char *sql, int64_t number, store_binder *b,
                            tm_error *err)
{
    *b = (store_binder){NULL, 1, 0};
    if (sqlite3_prepare_v2(store->db, sql, -1, &b->statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    store_bind_count(b, (uint64_t)number);
    return TM_OK;
}

tm_status store_run(tm_store *store, const store_binder *b, tm_error *err)
{
    int code = store_step(b);
    /* The failure is read before the reset, which may hide the system's reason. */
    tm_status status = code == SQLITE_DONE ? TM_OK : store_fail(store, err);
    sqlite3_reset(b->statement);
    sqlite3_clear_bindings(b->statement);
    return status;
}

static bool is_writable(const char *path, const struct stat *facts)
{
    if (!(facts->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
        return false;
    return access(path, W_OK) == 0 || (errno != EACCES && errno != EROFS);
}

tm_status store_row(tm_store *store, tm_error *err)
{
    return sqlite3_errcode(store->db) == SQLITE_NOMEM ? store_fail(store, err) : TM_OK;
}

/* SQLite continues to write to a file that has been deleted, or write-protected, since it was
 * opened, and what it writes would be lost. */
static tm_status check_place(const tm_store *store, tm_error *err)
{
    struct stat now;
    if (stat(store->path, &now) != 0)
        return tm_fail(err, TM_EIO,
                       "%s: the run store was deleted or moved while it was in use (%s)",
                       store->path, strerror(errno));
    if (now.st_dev != store->device || now.st_ino != store->inode)
        return tm_fail(err, TM_EIO,
                       "%s: another file took the run store's place while it was in use",
                       store->path);
    if (is_writable(store->path, &now))
        return TM_OK;
    return store->writable
               ? tm_fail(err, TM_EIO, "%s: the run store was write-protected while it was in use",
                         store->path)
               : fail_protected(store->path, err);
}

/* Records the identity of the file, for check_place. */
static tm_status note_place(tm_store *store, tm_error *err)
{
    struct stat facts;
    if (stat(store->path, &facts) != 0)
        return tm_fail(err, TM_EIO, "%s: the run store cannot be reached: %s", store->path,
                       strerror(errno));
    store->writable = is_writable(store->path, &facts);
    store->device = facts.st_dev;
    store->inode = facts.st_ino;
    return TM_OK;
}

tm_status store_transaction_begin(tm_store *store, tm_error *err)
{
    pthread_mutex_lock(&store->lock);
    tm_status status = store->open ? check_place(store, err) : TM_OK;
    if (status == TM_OK)
        status = store_exec(store, "BEGIN IMMEDIATE", err);
    if (status != TM_OK)
        pthread_mutex_unlock(&store->lock);
    return status;
}

tm_status store_transaction_end(tm_store *store, tm_status status, tm_error *err)
{
    if (status == TM_OK)
        status = store_exec(store, "COMMIT", err);
    /* A full disk may already have rolled the transaction back. */
    if (status != TM_OK && !sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    pthread_mutex_unlock(&store->lock);
    return status;
}

/* Waits for other processes when the journal mode changes, which SQLite itself does not. Where the
 * file system does not support WAL, the mode stays unchanged, which is slower but equally safe. */
static tm_status use_journal(tm_store *store, const char *pragma, tm_error *err)
{
    double until = clock_now() + BUSY_MILLISECONDS / 1000.0;
    for (;;) {
        int code = sqlite3_exec(store->db, pragma, NULL, NULL, NULL);
        if (code == SQLITE_OK)
            return TM_OK;
        if (code != SQLITE_BUSY || clock_now() > until)
            return store_fail(store, err);
        clock_sleep(0.01);
    }
}

/* ---- opening ------------------------------------------------------------------------------- */

tm_status tm_store_default_path(char **out, tm_error *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    *out = NULL;
    /* A relative path must be ignored, according to the XDG specification. */
    if (state && state[0] == '/') {
        if (asprintf(out, "%s/tamis/runs.db", state) >= 0)
            return TM_OK;
    } else if (home && home[0] == '/') {
        if (asprintf(out, "%s/.local/state/tamis/runs.db", home) >= 0)
            return TM_OK;
    } else {
        return tm_fail(err, TM_EUSAGE,
                       "there is no place for the run store: neither HOME nor XDG_STATE_HOME is "
                       "set. Name a file");
    }
    *out = NULL;
    return tm_fail_memory(err, "a file name");
}

/* Creates the missing directories of `path`, accessible only to their owner. */
static tm_status make_directories(char *path, tm_error *err)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        struct stat facts;
        tm_status status = TM_OK;
        if (stat(path, &facts) != 0 && mkdir(path, 0700) != 0 && errno != EEXIST)
            status =
                tm_fail(err, TM_EIO, "%s: cannot make the directory: %s", path, strerror(errno));
        *slash = '/';
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

/* Pipes and devices would block or swallow data; SQLite reports or creates a missing file. */
static tm_status check_file(const char *path, tm_store_mode mode, tm_error *err)
{
    struct stat facts;
    if (path[0] == '\0')
        return tm_fail(err, TM_EUSAGE, "the run store's name is empty: name a file");
    if (stat(path, &facts) != 0) {
        if (mode != TM_STORE_READ && errno == ENOENT)
            return TM_OK;
        if (errno == ENOENT)
            return tm_fail(err, TM_EIO, "%s: there is no such run store; recording a run makes one",
                           path);
        return tm_fail(err, TM_EIO, "%s: the run store cannot be reached: %s", path,
                       strerror(errno));
    }
    if (!S_ISREG(facts.st_mode))
        return tm_fail(err, TM_EIO, "%s: not a file, and so no run store", path);
    if (mode == TM_STORE_READ && facts.st_size == 0)
        return tm_fail(err, TM_EDATA, "%s: an empty file, not a run store", path);
    return TM_OK;
}

/* A store may come from someone else: what its tables say runs no functions but harmless ones, and
 * statements cannot write to the tables that describe it. */
static tm_status settle(tm_store *store, tm_error *err)
{
    bool done = sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) == SQLITE_OK;
    done = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK && done;
    return done ? TM_OK : store_fail(store, err);
}

/* A relative name gets a directory: SQLite gives ":memory:" and "file:..." a meaning of their own.
 */
static tm_status connect_plain(tm_store *store, tm_store_mode mode, tm_error *err)
{
    char *name;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (asprintf(&name, "%s%s", store->path[0] == '/' ? "" : "./", store->path) < 0)
        return tm_fail_memory(err, "a file name");
    if (mode != TM_STORE_READ)
        flags |= SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(name, &store->db, flags, NULL);
    free(name);
    if (!store->db)
        return tm_fail_memory(err, "the run store");
    if (code != SQLITE_OK)
        return store_fail(store, err);
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    return settle(store, err);
}

/* "file:" and the path with all but plain characters escaped, and immutable: SQLite then reads a
 * file in a write-protected directory without the helper files it would otherwise make there. */
static tm_status connect_immutable(tm_store *store, tm_error *err)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    char *uri = mem_array(strlen(store->path) * 3 + 32, 1), *end = uri;
    if (!uri)
        return tm_fail_memory(err, "a file name");
    end += sprintf(end, "file:%s", store->path[0] == '/' ? "" : "./");
    for (const char *c = store->path; *c; c++)
        end += sprintf(end, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned char)*c);
    strcpy(end, "?immutable=1");
    sqlite3_close(store->db);
    store->db = NULL;
    int code = sqlite3_open_v2(uri, &store->db,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    free(uri);
    if (!store->db)
        return tm_fail_memory(err, "the run store");
    return code == SQLITE_OK ? settle(store, err) : store_fail(store, err);
}

/* Whether a writer has left something that only a reader with helper files would see. */
static bool has_journal(const char *path)
{
    struct stat facts;
    char *name;
    if (asprintf(&name, "%s-wal", path) < 0)
        return true;
    bool has = stat(name, &facts) == 0 && facts.st_size > 0;
    free(name);
    return has;
}

static tm_status connect_for_reading(tm_store *store, int64_t *version, tm_error *err)
{
    tm_status status = connect_plain(store, TM_STORE_READ, err);
    if (status == TM_OK)
        status = schema_read_version(store, version, err);
    int code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
    bool retry = status != TM_OK && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY);
    if (!retry || has_journal(store->path))
        return status;
    status = connect_immutable(store, err);
    return status == TM_OK ? schema_read_version(store, version, err) : status;
}

static bool is_protected(const tm_store *store)
{
    return sqlite3_db_readonly(store->db, "main") == 1;
}

static void sql_owner_alive(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    owner who = {.pid = sqlite3_value_int64(values[2]), .started = sqlite3_value_int64(values[3])};
    const unsigned char *host = sqlite3_value_text(values[0]),
                        *boot = sqlite3_value_text(values[1]);
    snprintf(who.host, sizeof who.host, "%s", host ? (const char *)host : "");
    snprintf(who.boot, sizeof who.boot, "%s", boot ? (const char *)boot : "");
    sqlite3_result_int(context, owner_alive(&who));
}

/* Adds the SQL function owner_alive(host, boot, pid, started), so that statements can tell which
 * runs were interrupted. */
static tm_status add_functions(tm_store *store, tm_error *err)
{
    int code = sqlite3_create_function(store->db, "owner_alive", 4, SQLITE_UTF8, NULL,
                                       sql_owner_alive, NULL, NULL);
    return code == SQLITE_OK ? TM_OK : store_fail(store, err);
}

static tm_status connect(tm_store *store, tm_store_mode mode, tm_error *err)
{
    int64_t version = 0;
    tm_status status = check_file(store->path, mode, err);
    if (status == TM_OK)
        status = mode == TM_STORE_READ ? connect_for_reading(store, &version, err)
                                       : connect_plain(store, mode, err);
    /* Checked before anything is written, so that another program's database keeps its journal
     * mode. */
    if (status == TM_OK && mode != TM_STORE_READ)
        status = schema_read_version(store, &version, err);
    if (status == TM_OK && mode != TM_STORE_READ)
        status = use_journal(store,
                             mode == TM_STORE_SHARED ? "PRAGMA journal_mode = DELETE"
                                                     : "PRAGMA journal_mode = WAL",
                             err);
    if (status == TM_OK && mode == TM_STORE_READ && version == 0)
        return tm_fail(err, TM_EDATA, "%s: an empty database, not a run store", store->path);
    if (status == TM_OK)
        status = schema_update(store, version, mode == TM_STORE_READ && is_protected(store), err);
    /* With WAL, NORMAL cannot damage the file, and a killed process loses nothing; only a power
     * failure may lose the last runs. It avoids waiting for the disk at every run. */
    if (status == TM_OK)
        status = add_functions(store, err);
    if (status == TM_OK)
        status = note_place(store, err);
    store->open = status == TM_OK;
    return status == TM_OK
               ? store_exec(store, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", err)
               : status;
}

tm_status tm_store_open(tm_store **out, const char *path, tm_store_mode mode, tm_error *err)
{
    *out = NULL;
    tm_store *store = calloc(1, sizeof *store);
    if (!store)
        return tm_fail_memory(err, "the run store");
    pthread_mutex_init(&store->lock, NULL);
    store->self = owner_self();
    tm_status status = TM_OK;
    if (path && !(store->path = text_copy(path)))
        status = tm_fail_memory(err, "a file name");
    if (!path)
        status = tm_store_default_path(&store->path, err);
    if (status == TM_OK && !path && mode != TM_STORE_READ)
        status = make_directories(store->path, err);
    if (status == TM_OK)
        status = connect(store, mode, err);
    if (status == TM_OK)
        *out = store;
    else
        tm_store_close(store);
    return status;
}

void tm_store_close(tm_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->db);
    pthread_mutex_destroy(&store->lock);
    free(store->path);
    free(store);
}

const char *tm_store_path(const tm_store *store)
{
    return store->path;
}
