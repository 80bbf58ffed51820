/* Makes calls of the C library and of SQLite fail, one at a time, in a program that is preloaded
 * with it (LD_PRELOAD); for tests alone. tests/cli/faults.py drives it.
 *
 * A call counts when a function of the program itself is below it on the stack, so that what the
 * loader does at start and at end does not. A place is a hash of the innermost functions of the
 * program on the stack and of the call itself, so that it is the same in every run.
 *
 *   TAMIS_FAULT_LIST=FILE   nothing fails; FILE gets one line a place: kind, place, calls;
 *                           those of a process that was forked are added by it
 *   TAMIS_FAULT_AT=KIND:PLACE[+]   the first call there fails; '+': and every later one of its kind
 *   TAMIS_FAULT_AT=KIND:#N[+]      the N-th call of the kind fails
 *   TAMIS_FAULT_NOTE=FILE   gets the stack of the first call that was made to fail
 *
 * Kinds: memory, read, write, map, thread, store. */
#include "shim.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

_Thread_local bool shim_inside, shim_parsing;

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

/* What libraries call of SQLite and of threads shim_inside is not for their callers to see. */
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

bool shim_fails(kind what, const char *function)
{
    if (shim_inside || (shim_parsing && what == MEMORY) || !atomic_load(&fault.ready) ||
        (!fault.list && (!fault.armed || what != fault.at)))
        return false;
    if (!fault.list && atomic_load(&fault.fired) && !fault.on)
        return false;
    shim_inside = true;
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
    shim_inside = false;
    return failed;
}

void shim_list_places(void)
{
    if (!fault.list)
        return;
    shim_inside = true;
    int file = (int)syscall(SYS_openat, AT_FDCWD, fault.list, O_WRONLY | O_CREAT | O_APPEND, 0644);
    for (size_t k = 0; file >= 0 && k < fault.count; k++) {
        char line[96];
        const place *p = &fault.places[k];
        int length = snprintf(line, sizeof line, "%s %016llx %u\n", kind_names[p->of],
                              (unsigned long long)p->hash, p->calls);
        (void)!syscall(SYS_write, file, line, length);
    }
    shim_inside = false;
}

/* In a process that was forked, which has places of its own. */
static void forget_places(void)
{
    fault.count = 0;
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
    shim_inside = true;
    const char *at = getenv("TAMIS_FAULT_AT");
    fault.list = getenv("TAMIS_FAULT_LIST");
    fault.note = getenv("TAMIS_FAULT_NOTE");
    fault.program = dlopen(NULL, RTLD_LAZY);
    fault.armed = at && read_at(at);
    void *stack[2];
    backtrace(stack, 2); /* loads what it needs */
    atexit(shim_list_places);
    pthread_atfork(NULL, NULL, forget_places);
    atomic_store(&fault.ready, true);
    shim_inside = false;
}

void *shim_next(const char *name)
{
    bool before = shim_inside;
    shim_inside = true;
    void *found = dlsym(RTLD_NEXT, name);
    shim_inside = before;
    if (!found)
        abort();
    return found;
}
