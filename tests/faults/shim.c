/* Makes calls of the C library and of SQLite fail, one at a time, in a program that is preloaded
 * with it (LD_PRELOAD); for tests alone. tests/cli/faults.py drives it.
 *
 * A call counts when a function of the program itself is below it on the stack, so that what the
 * loader does at start and at end does not. A place is a hash of the innermost functions of the
 * program on the stack and of the call itself, so that it is the same in every run.
 *
 *   TAMIS_FAULT_LIST=FILE   nothing fails; FILE gets one line a place: kind, place, calls
 *   TAMIS_FAULT_AT=KIND:PLACE[+]   the first call there fails; '+': and every later one of its kind
 *   TAMIS_FAULT_AT=KIND:#N[+]      the N-th call of the kind fails
 *   TAMIS_FAULT_NOTE=FILE   gets the stack of the first call that was made to fail
 *
 * Kinds: memory, read, write, map, thread, store. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum { MEMORY, READ, WRITE, MAP, THREAD, STORE, KINDS } kind;

static const char *const kind_names[KINDS] = {"memory", "read", "write", "map", "thread", "store"};

enum {
    FRAMES = 40, /* how far down the stack is looked at */
    DEEP = 6,    /* functions of the program that tell places apart */
    PLACES = 1 << 14
};

typedef struct place {
    uint64_t hash;
    unsigned calls;
    kind of;
} place;

static struct {
    const char *list, *note;
    bool armed; /* one is to fail */
    kind at;
    uint64_t hash, number; /* one of them is 0 */
    bool on;               /* also every later one */
    atomic_bool fired;
    atomic_bool ready;
    atomic_ullong calls[KINDS];
    pthread_mutex_t lock;
    place places[PLACES];
    size_t count;
    const void *program; /* the link map of the program */
} fault = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The shim's own calls do not count. */
static _Thread_local bool inside;
/* jansson's parser asserts that it has memory. */
static _Thread_local bool parsing;

/* ---- where a call comes from --------------------------------------------------------------- */

static const struct link_map *map_of(const void *address)
{
    struct dl_find_object found;
    return _dl_find_object((void *)address, &found) == 0 ? found.dlfo_link_map : NULL;
}

/* Libraries that end the program or crash when they get no memory, or do without what they could
 * not read, as the one that looks for fonts: that is not the program's to mend. */
static bool does_as_it_likes(const struct link_map *map, kind what)
{
    static const char *const names[] = {"libopenblas", "libreadline",   "libncurses", "libtinfo",
                                        "ld-linux",    "libfontconfig", "libexpat",   "libgomp",
                                        "libasan",     "libubsan",      "libtsan"};
    static const char *const of_memory[] = {"libarchive", "liblzma", "libreadstat", "libhdf5",
                                            "libmatio",   "libz",    "libcairo"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (map && strstr(map->l_name, names[k]))
            return true;
    for (size_t k = 0; what == MEMORY && k < sizeof of_memory / sizeof of_memory[0]; k++)
        if (map && strstr(map->l_name, of_memory[k]))
            return true;
    return false;
}

/* What libraries call of SQLite and of threads inside is not for their callers to see. */
static bool only_own(kind what)
{
    return what == STORE || what == THREAD;
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29);
}

/* The place of a call, 0 when it does not count. */
static uint64_t place_of(kind what, const char *function, void *const *stack, int depth)
{
    uint64_t hash = mixed(0x1234567U, what);
    for (const char *c = function; *c; c++)
        hash = mixed(hash, (unsigned char)*c);
    int own = 0;
    bool first = true;
    for (int k = 0; k < depth && own < DEEP; k++) {
        const struct link_map *map = map_of(stack[k]);
        if (own == 0 && (does_as_it_likes(map, what) || (map != fault.program && only_own(what))))
            return 0;
        /* The innermost library's function also tells places apart. */
        if (map && (first || map == fault.program))
            hash = mixed(hash, (uint64_t)((uintptr_t)stack[k] - (uintptr_t)map->l_addr));
        own += map == fault.program;
        first = false;
    }
    return own ? hash | 1U : 0;
}

static void write_frames(int file, void *const *stack, int depth)
{
    char line[512];
    for (int k = 0; k < depth; k++) {
        const struct link_map *map = map_of(stack[k]);
        int length = snprintf(
            line, sizeof line, "%s 0x%llx\n",
            !map                   ? "?"
            : map == fault.program ? "program"
                                   : map->l_name,
            (unsigned long long)((uintptr_t)stack[k] - (map ? (uintptr_t)map->l_addr : 0)));
        (void)!syscall(SYS_write, file, line, length);
    }
}

static void tell(kind what, const char *function, void *const *stack, int depth)
{
    int file = fault.note ? (int)syscall(SYS_openat, AT_FDCWD, fault.note,
                                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)
                          : -1;
    if (file < 0)
        return;
    char line[128];
    int length = snprintf(line, sizeof line, "%s %s\n", kind_names[what], function);
    (void)!syscall(SYS_write, file, line, length);
    write_frames(file, stack, depth);
    (void)!syscall(SYS_close, file);
}

static void count_place(kind what, uint64_t hash)
{
    pthread_mutex_lock(&fault.lock);
    size_t k = 0;
    while (k < fault.count && fault.places[k].hash != hash)
        k++;
    if (k == fault.count && k < PLACES)
        fault.places[fault.count++] = (place){hash, 0, what};
    if (k < PLACES)
        fault.places[k].calls++;
    pthread_mutex_unlock(&fault.lock);
}

/* Whether this call is the one to fail. */
static bool chosen(kind what, uint64_t hash, uint64_t number)
{
    if (!fault.armed || what != fault.at)
        return false;
    if (atomic_load(&fault.fired))
        return fault.on;
    return fault.hash ? hash == fault.hash : number == fault.number;
}

static bool fails(kind what, const char *function)
{
    if (inside || (parsing && what == MEMORY) || !atomic_load(&fault.ready) ||
        (!fault.list && (!fault.armed || what != fault.at)))
        return false;
    if (!fault.list && atomic_load(&fault.fired) && !fault.on)
        return false;
    inside = true;
    int before = errno;
    void *stack[FRAMES];
    int depth = backtrace(stack, FRAMES);
    int skipped = depth > 2 ? 2 : depth; /* this function and the one that calls it */
    uint64_t hash = place_of(what, function, stack + skipped, depth - skipped);
    bool failed = false;
    if (hash) {
        uint64_t number = atomic_fetch_add(&fault.calls[what], 1) + 1;
        if (fault.list)
            count_place(what, hash);
        failed = chosen(what, hash, number);
        if (failed && !atomic_exchange(&fault.fired, true))
            tell(what, function, stack + skipped, depth - skipped);
        else if (failed)
            failed = fault.on;
    }
    errno = before;
    inside = false;
    return failed;
}

static void write_list(void)
{
    if (!fault.list)
        return;
    inside = true;
    int file = (int)syscall(SYS_openat, AT_FDCWD, fault.list, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (size_t k = 0; file >= 0 && k < fault.count; k++) {
        char line[96];
        const place *p = &fault.places[k];
        int length = snprintf(line, sizeof line, "%s %016llx %u\n", kind_names[p->of],
                              (unsigned long long)p->hash, p->calls);
        (void)!syscall(SYS_write, file, line, length);
    }
    inside = false;
}

static bool read_at(const char *text)
{
    for (int k = 0; k < KINDS; k++) {
        size_t length = strlen(kind_names[k]);
        if (strncmp(text, kind_names[k], length) != 0 || text[length] != ':')
            continue;
        const char *number = text + length + 1;
        char *end;
        fault.at = (kind)k;
        if (*number == '#')
            fault.number = strtoull(number + 1, &end, 10);
        else
            fault.hash = strtoull(number, &end, 16);
        fault.on = *end == '+';
        return true;
    }
    return false;
}

__attribute__((constructor)) static void begin(void)
{
    inside = true;
    const char *at = getenv("TAMIS_FAULT_AT");
    fault.list = getenv("TAMIS_FAULT_LIST");
    fault.note = getenv("TAMIS_FAULT_NOTE");
    fault.program = dlopen(NULL, RTLD_LAZY);
    fault.armed = at && read_at(at);
    void *stack[2];
    backtrace(stack, 2); /* loads what it needs */
    atexit(write_list);
    atomic_store(&fault.ready, true);
    inside = false;
}

/* ---- the calls ------------------------------------------------------------------------------ */

/* The next definition of a function. */
static void *next(const char *name)
{
    bool before = inside;
    inside = true;
    void *found = dlsym(RTLD_NEXT, name);
    inside = before;
    if (!found)
        abort();
    return found;
}

/* Defines a function that fails as said, and otherwise calls the real one. */
#define WRAP(KIND, TYPE, NAME, DECLARED, PASSED, FAILURE)                                          \
    TYPE NAME DECLARED;                                                                            \
    TYPE NAME DECLARED                                                                             \
    {                                                                                              \
        static TYPE(*_Atomic real) DECLARED;                                                       \
        if (!real)                                                                                 \
            real = (TYPE(*) DECLARED)next(#NAME);                                                  \
        if (fails(KIND, #NAME))                                                                    \
            do {                                                                                   \
                FAILURE;                                                                           \
            } while (0);                                                                           \
        return real PASSED;                                                                        \
    }

#define NO(VALUE, REASON)                                                                          \
    do {                                                                                           \
        errno = REASON;                                                                            \
        return VALUE;                                                                              \
    } while (0)

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
    heap.malloc = (void *(*)(size_t))next("malloc");
    heap.calloc = (void *(*)(size_t, size_t))next("calloc");
    heap.realloc = (void *(*)(void *, size_t))next("realloc");
    heap.free = (void (*)(void *))next("free");
    heap.looking = false;
    return true;
}

void *malloc(size_t size)
{
    if (!memory_known())
        return first_memory(size);
    if (fails(MEMORY, "malloc"))
        NO(NULL, ENOMEM);
    return heap.malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!memory_known())
        return first_memory(count * size); /* static memory is zero */
    if (fails(MEMORY, "calloc"))
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
    if (size && fails(MEMORY, "realloc"))
        NO(NULL, ENOMEM);
    return heap.realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || (bytes && fails(MEMORY, "reallocarray")))
        NO(NULL, ENOMEM);
    bool before = inside;
    inside = true;
    void *grown = realloc(old, bytes);
    inside = before;
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
            real_call = (void *(*)(FROM, size_t, void *))next(#NAME);                              \
        parsing = true;                                                                            \
        void *made = real_call(from, flags, error);                                                \
        parsing = false;                                                                           \
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
        real_open = (int (*)(const char *, int, ...))next("open64");
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (fails(writes ? WRITE : READ, writes ? "open64 to write" : "open64"))
        NO(-1, writes ? ENOSPC : EACCES);
    return real_open(path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    static FILE *(*_Atomic real_open)(const char *, const char *);
    if (!real_open)
        real_open = (FILE * (*)(const char *, const char *)) next("fopen64");
    bool reads = mode[0] == 'r';
    if (fails(reads ? READ : WRITE, reads ? "fopen64" : "fopen64 to write"))
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
            real_call = (TYPE(*) DECLARED)next(#NAME);                                             \
        if (is_file(stream) && fails(WRITE, #NAME)) {                                              \
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
        real_call = (ssize_t(*)(int, const void *, size_t))next("write");
    bool before = inside;
    inside = true;
    bool kept = file <= STDERR_FILENO || (fstat64(file, &about) == 0 && S_ISREG(about.st_mode));
    inside = before;
    if (kept && file != STDERR_FILENO && fails(WRITE, "write"))
        NO(-1, ENOSPC);
    return real_call(file, from, size);
}

int posix_fallocate64(int file, off64_t at, off64_t size)
{
    static int (*_Atomic real_call)(int, off64_t, off64_t);
    if (!real_call)
        real_call = (int (*)(int, off64_t, off64_t))next("posix_fallocate64");
    return fails(WRITE, "posix_fallocate64") ? ENOSPC : real_call(file, at, size);
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int done = -1;
    if (is_file(stream) && fails(WRITE, "fprintf")) {
        flag(stream);
        errno = ENOSPC;
    } else {
        bool before = inside;
        inside = true;
        done = vfprintf(stream, format, more);
        inside = before;
    }
    va_end(more);
    return done;
}

/* What is in the buffer is lost, as it is when the disk is full. */
int fflush(FILE *stream)
{
    static int (*_Atomic real_call)(FILE *);
    if (!real_call)
        real_call = (int (*)(FILE *))next("fflush");
    int done = real_call(stream);
    if (stream && is_file(stream) && fails(WRITE, "fflush")) {
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
        real_call = (int (*)(FILE *))next("fclose");
    int mode = is_file(stream) ? fcntl(fileno(stream), F_GETFL) & O_ACCMODE : O_RDONLY;
    int done = real_call(stream);
    if (mode != O_RDONLY && fails(WRITE, "fclose"))
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
        real_call = (const char *(*)(sqlite3 *))next("sqlite3_errmsg");
    int code = atomic_load(&store_failed);
    return code ? sqlite3_errstr(code) : real_call(db);
}

int sqlite3_errcode(sqlite3 *db)
{
    static int (*_Atomic real_call)(sqlite3 *);
    if (!real_call)
        real_call = (int (*)(sqlite3 *))next("sqlite3_errcode");
    int code = atomic_load(&store_failed);
    return code ? code : real_call(db);
}
