/* The internals of a tm_source: each kind of unit is scored in its own file. */
#ifndef DATA_SOURCE_SOURCE_H
#define DATA_SOURCE_SOURCE_H

#include "base/numeric/top_k.h"
#include "tamis/source.h"

#include <pthread.h>
#include <stdatomic.h>

/* The state of one pass. */
typedef struct source_pass {
    const double *v; /* n */
    double sum;      /* sum of v */
    tm_scan *scan;   /* source_count counts columns here */
    best *found;     /* guarded by `lock` while threads work */
    pthread_mutex_t lock;
    atomic_bool stopped, starved; /* cancelled; out of memory */
    atomic_size_t next;           /* the next block that no thread has taken */
    atomic_uint_fast64_t columns;
} source_pass;

/* A kind of source: one of these in the file of its family, and one row of SOURCES. */
typedef struct source_kind {
    size_t (*width)(const tm_source *s, uint64_t unit);
    uint64_t (*feature)(const tm_source *s, uint64_t unit, size_t k, double *factor);
    /* Offers all units, except those that cannot be among the best. TM_OK also when it was
     * stopped. */
    tm_status (*best)(tm_source *s, source_pass *pass, tm_error *err);
    /* Computes what the kind needs besides the columns, and sets `units` unless it is p. After a
     * failure tm_source_free frees what was made. NULL: nothing. */
    tm_status (*init)(tm_source *s, const tm_source_spec *spec, tm_error *err);
    /* Frees what init has stored in `own`. NULL: nothing to free. */
    void (*clear)(void *own);
    bool makes_features; /* from the columns, by a map */
} source_kind;

/* The kinds, in the order in which they are listed. ROW(id, help): `source_ID` is the kind. */
#define SOURCES(ROW)                                                                               \
    ROW(columns, "the columns of the data")                                                        \
    ROW(groups, "groups of columns, which may overlap")                                            \
    ROW(tree, "groups that form a tree; subtrees that cannot matter are skipped")                  \
    ROW(poly2, "all products of up to two columns, never stored")                                  \
    ROW(hik, "histogram intersection kernel: 100 features a column, chosen together")              \
    ROW(additive, "additive gaussian or chi2 kernel: 11 features a column, chosen together")

#define SOURCE_EXTERN(id, help) extern const source_kind source_##id;
SOURCES(SOURCE_EXTERN)

struct tm_source {
    const source_kind *kind;
    tm_dataset *data;
    const tm_matrix *x;
    size_t n, p;
    size_t block; /* columns scored between two checks of the cancel token */
    uint64_t units;
    bool intercept;
    double *scales; /* p: factor of each column; NULL: 1 */
    tm_groups *groups;
    tm_map *map;
    void *own; /* data of the kind */
};

static inline double source_scale(const tm_source *s, size_t j)
{
    return s->scales ? s->scales[j] : 1;
}

/* x_j'v as used for scores: scaled, corrected for the remaining sum of v, and 0 for columns that
 * are orthogonal because of the intercept. */
double source_product(const tm_source *s, const source_pass *pass, size_t j, double product);

/* Calls work(s, pass, block, heap) for all blocks, shared by the pass's threads: each takes the
 * next block that no thread has taken and offers to its own heap; all heaps are merged at the end.
 * Each thread has `room` doubles of scratch, zero at first, which it keeps between blocks. */
typedef void source_work(tm_source *s, source_pass *pass, size_t block, best *heap,
                         double *scratch);
void source_share(tm_source *s, source_pass *pass, size_t blocks, size_t room, source_work *work);

/* Whether to stop; polls the token in the caller's thread. */
bool source_stopped(source_pass *pass);

#endif
