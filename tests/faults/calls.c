/* The calls that can be made to fail: memory, files, threads, the store. */
#include "shim.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* dlsym may allocate before the real functions are known: a little room for that. */
static char first_room[1 << 14];
static size_t first_used;

static bool of_first_room(const void *p)
{
    return (const char *)p >= first_room && (const char *)p < first_room + sizeof first_room;
}

static void *first_memory(size_t size)
{
    size_t need = (size + 31U) & ~(size_t)15U;
    if (first_used + need > sizeof first_room)
        abort();
    char *room = first_room + first_used;
    first_used += need;
    memcpy(room, &size, sizeof size);
    return room + 16;
}

static struct {
    bool looking;
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
} heap;

static bool memory_known(void)
{
    if (heap.free)
        return true;
    if (heap.looking)
        return false;
    heap.looking = true;
    heap.malloc = (void *(*)(size_t))shim_next("malloc");
    heap.calloc = (void *(*)(size_t, size_t))shim_next("calloc");
    heap.realloc = (void *(*)(void *, size_t))shim_next("realloc");
    heap.free = (void (*)(void *))shim_next("free");
    heap.looking = false;
    return true;
}

void *malloc(size_t size)
{
    if (!memory_known())
        return first_memory(size);
    if (shim_fails(MEMORY, "malloc"))
        NO(NULL, ENOMEM);
    return heap.malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!memory_known())
        return first_memory(count * size); /* static memory is zero */
    if (shim_fails(MEMORY, "calloc"))
        NO(NULL, ENOMEM);
    return heap.calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (of_first_room(old)) {
        size_t had;
        memcpy(&had, (char *)old - 16, sizeof had);
        void *moved = malloc(size);
        return moved ? memcpy(moved, old, had < size ? had : size) : NULL;
    }
    if (!memory_known())
        return first_memory(size);
    if (size && shim_fails(MEMORY, "realloc"))
        NO(NULL, ENOMEM);
    return heap.realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        (bytes && shim_fails(MEMORY, "reallocarray")))
        NO(NULL, ENOMEM);
    bool before = shim_inside;
    shim_inside = true;
    void *grown = realloc(old, bytes);
    shim_inside = before;
    return grown;
}

void free(void *p)
{
    if (!of_first_room(p) && memory_known())
        heap.free(p);
}

#define PARSES(NAME, FROM)                                                                         \
    void *NAME(FROM from, size_t flags, void *error);                                              \
    void *NAME(FROM from, size_t flags, void *error)                                               \
    {                                                                                              \
        static void *(*_Atomic real_call)(FROM, size_t, void *);                                   \
        if (!real_call)                                                                            \
            real_call = (void *(*)(FROM, size_t, void *))shim_next(#NAME);                         \
        shim_parsing = true;                                                                       \
        void *made = real_call(from, flags, error);                                                \
        shim_parsing = false;                                                                      \
        return made;                                                                               \
    }

PARSES(json_loads, const char *)
PARSES(json_loadf, FILE *)

/* Reading. A stream that could not be read has its error flag, which only the C library sets. */
static void flag(FILE *stream)
{
    stream->_flags |= 0x20;
}

/* Streams in memory and the standard error stream are not files. */
static bool is_file(FILE *stream)
{
    return stream != stderr && fileno(stream) >= 0;
}

#define READS(TYPE, NAME, DECLARED, PASSED, VALUE, REASON)                                         \
    WRAP(READ, TYPE, NAME, DECLARED, PASSED, NO(VALUE, REASON))
#define STREAM_READS(TYPE, NAME, DECLARED, PASSED, VALUE)                                          \
    WRAP(READ, TYPE, NAME, DECLARED, PASSED, flag(stream); NO(VALUE, EIO))

STREAM_READS(size_t, fread, (void *to, size_t size, size_t count, FILE *stream),
             (to, size, count, stream), 0)
STREAM_READS(char *, fgets, (char *to, int size, FILE *stream), (to, size, stream), NULL)
STREAM_READS(ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *stream),
             (line, room, end, stream), -1)
STREAM_READS(ssize_t, getdelim, (char **line, size_t *room, int end, FILE *stream),
             (line, room, end, stream), -1)
STREAM_READS(ssize_t, getline, (char **line, size_t *room, FILE *stream), (line, room, stream), -1)
STREAM_READS(int, getc, (FILE * stream), (stream), EOF)
READS(ssize_t, read, (int file, void *to, size_t size), (file, to, size), -1, EIO)
READS(ssize_t, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at), -1,
      EIO)
READS(int, stat64, (const char *path, struct stat64 *about), (path, about), -1, EACCES)
READS(int, fstat64, (int file, struct stat64 *about), (file, about), -1, EIO)
READS(off64_t, lseek64, (int file, off64_t at, int from), (file, at, from), -1, EIO)
READS(int, fseek, (FILE * stream, long at, int from), (stream, at, from), -1, EIO)
READS(long, ftell, (FILE * stream), (stream), -1, EIO)
READS(void *, opendir, (const char *path), (path), NULL, EACCES)
READS(void *, readdir64, (void *folder), (folder), NULL, EIO)
READS(char *, realpath, (const char *path, char *to), (path, to), NULL, EACCES)
READS(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size), -1, EIO)
READS(int, access, (const char *path, int mode), (path, mode), -1, EACCES)
READS(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)

int open64(const char *path, int flags, ...)
{
    static int (*_Atomic real_open)(const char *, int, ...);
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    if (!real_open)
        real_open = (int (*)(const char *, int, ...))shim_next("open64");
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (shim_fails(writes ? WRITE : READ, writes ? "open64 to write" : "open64"))
        NO(-1, writes ? ENOSPC : EACCES);
    return real_open(path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    static FILE *(*_Atomic real_open)(const char *, const char *);
    if (!real_open)
        real_open = (FILE * (*)(const char *, const char *)) shim_next("fopen64");
    bool reads = mode[0] == 'r';
    if (shim_fails(reads ? READ : WRITE, reads ? "fopen64" : "fopen64 to write"))
        NO(NULL, reads ? EACCES : ENOSPC);
    return real_open(path, mode);
}

/* Writing: the disk is full. */
#define WRITES(TYPE, NAME, DECLARED, PASSED, VALUE)                                                \
    WRAP(WRITE, TYPE, NAME, DECLARED, PASSED, NO(VALUE, ENOSPC))
#define STREAM_WRITES(TYPE, NAME, DECLARED, PASSED, VALUE)                                         \
    TYPE NAME DECLARED;                                                                            \
    TYPE NAME DECLARED                                                                             \
    {                                                                                              \
        static TYPE(*_Atomic real_call) DECLARED;                                                  \
        if (!real_call)                                                                            \
            real_call = (TYPE(*) DECLARED)shim_next(#NAME);                                        \
        if (is_file(stream) && shim_fails(WRITE, #NAME)) {                                         \
            flag(stream);                                                                          \
            NO(VALUE, ENOSPC);                                                                     \
        }                                                                                          \
        return real_call PASSED;                                                                   \
    }

STREAM_WRITES(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *stream),
              (from, size, count, stream), 0)
STREAM_WRITES(int, fputs, (const char *text, FILE *stream), (text, stream), EOF)
STREAM_WRITES(int, fputc, (int c, FILE *stream), (c, stream), EOF)
STREAM_WRITES(int, putc, (int c, FILE *stream), (c, stream), EOF)
STREAM_WRITES(int, vfprintf, (FILE * stream, const char *format, va_list more),
              (stream, format, more), -1)
WRITES(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at),
       (file, from, size, at), -1)
WRITES(int, fsync, (int file), (file), -1)
WRITES(int, fdatasync, (int file), (file), -1)
WRITES(int, ftruncate64, (int file, off64_t size), (file, size), -1)
WRITES(int, mkstemp64, (char *name), (name), -1)
WRITES(int, rename, (const char *from, const char *to), (from, to), -1)
WRITES(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
WRITES(int, fchmod, (int file, mode_t mode), (file, mode), -1)
WRITES(int, chmod, (const char *path, mode_t mode), (path, mode), -1)

/* What goes through a pipe of the program's own does not meet a full disk. */
ssize_t write(int file, const void *from, size_t size)
{
    static ssize_t (*_Atomic real_call)(int, const void *, size_t);
    struct stat64 about;
    if (!real_call)
        real_call = (ssize_t(*)(int, const void *, size_t))shim_next("write");
    bool before = shim_inside;
    shim_inside = true;
    bool kept = file <= STDERR_FILENO || (fstat64(file, &about) == 0 && S_ISREG(about.st_mode));
    shim_inside = before;
    if (kept && file != STDERR_FILENO && shim_fails(WRITE, "write"))
        NO(-1, ENOSPC);
    return real_call(file, from, size);
}

int posix_fallocate64(int file, off64_t at, off64_t size)
{
    static int (*_Atomic real_call)(int, off64_t, off64_t);
    if (!real_call)
        real_call = (int (*)(int, off64_t, off64_t))shim_next("posix_fallocate64");
    return shim_fails(WRITE, "posix_fallocate64") ? ENOSPC : real_call(file, at, size);
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int done = -1;
    if (is_file(stream) && shim_fails(WRITE, "fprintf")) {
        flag(stream);
        errno = ENOSPC;
    } else {
        bool before = shim_inside;
        shim_inside = true;
        done = vfprintf(stream, format, more);
        shim_inside = before;
    }
    va_end(more);
    return done;
}

/* What is in the buffer is lost, as it is when the disk is full. */
int fflush(FILE *stream)
{
    static int (*_Atomic real_call)(FILE *);
    if (!real_call)
        real_call = (int (*)(FILE *))shim_next("fflush");
    int done = real_call(stream);
    if (stream && is_file(stream) && shim_fails(WRITE, "fflush")) {
        flag(stream);
        NO(EOF, ENOSPC);
    }
    return done;
}

/* Closed in any case; only a stream that was written to can fail. */
int fclose(FILE *stream)
{
    static int (*_Atomic real_call)(FILE *);
    if (!real_call)
        real_call = (int (*)(FILE *))shim_next("fclose");
    int mode = is_file(stream) ? fcntl(fileno(stream), F_GETFL) & O_ACCMODE : O_RDONLY;
    int done = real_call(stream);
    if (mode != O_RDONLY && shim_fails(WRITE, "fclose"))
        NO(EOF, ENOSPC);
    return done;
}

/* Mapping, threads, processes. */
WRAP(MAP, void *, mmap64, (void *at, size_t size, int access, int flags, int file, off64_t from),
     (at, size, access, flags, file, from), NO(MAP_FAILED, ENOMEM))
WRAP(MAP, int, madvise, (void *at, size_t size, int advice), (at, size, advice), NO(-1, EINVAL))
WRAP(THREAD, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *argument),
     (thread, how, run, argument), return EAGAIN)
WRAP(THREAD, int, pthread_attr_init, (pthread_attr_t * how), (how), return ENOMEM)
WRAP(THREAD, int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how),
     (mutex, how), return EAGAIN)
WRAP(THREAD, int, pthread_cond_init, (pthread_cond_t * cond, const pthread_condattr_t *how),
     (cond, how), return EAGAIN)
WRAP(THREAD, int, pipe2, (int ends[2], int flags), (ends, flags), NO(-1, EMFILE))
WRAP(THREAD, int, eventfd, (unsigned from, int flags), (from, flags), NO(-1, EMFILE))
WRAP(THREAD, int, posix_spawn,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *how, char *const *argv, char *const *envp),
     (pid, path, actions, how, argv, envp), return EAGAIN)
WRAP(THREAD, pid_t, fork, (void), (), NO(-1, EAGAIN))
WRAP(THREAD, int, socketpair, (int family, int type, int protocol, int ends[2]),
     (family, type, protocol, ends), NO(-1, EMFILE))
WRAP(THREAD, ssize_t, send, (int channel, const void *from, size_t size, int flags),
     (channel, from, size, flags), NO(-1, EPIPE))

/* A process that was forked ends so. */
void _exit(int status)
{
    shim_list_places();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

/* The store. After a call that was made to fail, SQLite's own words and code would be those of the
 * call before. */
static _Atomic int store_failed; /* the code of the failure */

#define STORES(NAME, DECLARED, PASSED)                                                             \
    WRAP(STORE, int, NAME, DECLARED, PASSED, atomic_store(&store_failed, SQLITE_IOERR);            \
         return SQLITE_IOERR)

STORES(sqlite3_open_v2, (const char *path, sqlite3 **db, int flags, const char *vfs),
       (path, db, flags, vfs))
STORES(sqlite3_prepare_v2,
       (sqlite3 * db, const char *sql, int size, sqlite3_stmt **made, const char **rest),
       (db, sql, size, made, rest))
STORES(sqlite3_prepare_v3,
       (sqlite3 * db, const char *sql, int size, unsigned flags, sqlite3_stmt **made,
        const char **rest),
       (db, sql, size, flags, made, rest))
STORES(sqlite3_step, (sqlite3_stmt * s), (s))
STORES(sqlite3_exec,
       (sqlite3 * db, const char *sql, int (*row)(void *, int, char **, char **), void *with,
        char **message),
       (db, sql, row, with, message))
STORES(sqlite3_bind_blob, (sqlite3_stmt * s, int k, const void *v, int n, void (*end)(void *)),
       (s, k, v, n, end))
STORES(sqlite3_bind_blob64,
       (sqlite3_stmt * s, int k, const void *v, sqlite3_uint64 n, void (*end)(void *)),
       (s, k, v, n, end))
STORES(sqlite3_bind_text, (sqlite3_stmt * s, int k, const char *v, int n, void (*end)(void *)),
       (s, k, v, n, end))
STORES(sqlite3_bind_double, (sqlite3_stmt * s, int k, double v), (s, k, v))
STORES(sqlite3_bind_int, (sqlite3_stmt * s, int k, int v), (s, k, v))
STORES(sqlite3_bind_int64, (sqlite3_stmt * s, int k, sqlite3_int64 v), (s, k, v))
STORES(sqlite3_bind_null, (sqlite3_stmt * s, int k), (s, k))
STORES(sqlite3_create_function,
       (sqlite3 * db, const char *name, int args, int text, void *app,
        void (*f)(sqlite3_context *, int, sqlite3_value **),
        void (*step)(sqlite3_context *, int, sqlite3_value **), void (*final)(sqlite3_context *)),
       (db, name, args, text, app, f, step, final))
WRAP(STORE, const unsigned char *, sqlite3_column_text, (sqlite3_stmt * s, int k), (s, k),
     atomic_store(&store_failed, SQLITE_NOMEM);
     return NULL)
WRAP(STORE, const void *, sqlite3_column_blob, (sqlite3_stmt * s, int k), (s, k), return NULL)

const char *sqlite3_errmsg(sqlite3 *db)
{
    static const char *(*_Atomic real_call)(sqlite3 *);
    if (!real_call)
        real_call = (const char *(*)(sqlite3 *))shim_next("sqlite3_errmsg");
    int code = atomic_load(&store_failed);
    return code ? sqlite3_errstr(code) : real_call(db);
}

int sqlite3_errcode(sqlite3 *db)
{
    static int (*_Atomic real_call)(sqlite3 *);
    if (!real_call)
        real_call = (int (*)(sqlite3 *))shim_next("sqlite3_errcode");
    int code = atomic_load(&store_failed);
    return code ? code : real_call(db);
}
