/* The inside of a tm_source: one file scores each kind of unit. */
#ifndef DATA_SOURCE_SOURCE_H
#define DATA_SOURCE_SOURCE_H

#include "base/numeric/top_k.h"
#include "tamis/source.h"

#include <pthread.h>
#include <stdatomic.h>

/* What one pass is made for. */
typedef struct source_pass {
    const double *v; /* n */
    double sum;      /* of v */
    tm_scan *scan;   /* its columns are counted by source_count */
    best *found;     /* guarded by lock while threads work */
    pthread_mutex_t lock;
    atomic_bool stopped, starved; /* cancelled; out of memory */
    atomic_size_t next;           /* the first block that no thread has taken yet */
    atomic_uint_fast64_t columns;
} source_pass;

typedef struct source_ops {
    size_t (*width)(const tm_source *s, uint64_t unit);
    uint64_t (*feature)(const tm_source *s, uint64_t unit, size_t k, double *factor);
    /* Offers every unit, or leaves out what cannot be among the best. TM_OK also when it was
     * stopped. */
    tm_status (*best)(tm_source *s, source_pass *pass, tm_error *err);
} source_ops;

struct tm_source {
    const source_ops *ops;
    tm_dataset *data;
    const tm_matrix *x;
    size_t n, p;
    size_t block; /* columns scored between two looks at the cancel token */
    uint64_t units;
    bool intercept;
    double *scales; /* p: what a column is multiplied with; NULL: 1 */
    tm_groups *groups;
    tm_map *map;
    struct source_group *group; /* groups, tree */
    struct poly2 *poly2;
};

extern const source_ops source_columns_ops, source_poly2_ops, source_kernel_ops;

static inline double source_scale(const tm_source *s, size_t j)
{
    return s->scales ? s->scales[j] : 1;
}

/* x_j'v as it is scored: scaled, what is left of v's sum taken out, 0 for what an intercept makes
 * orthogonal. */
double source_product(const tm_source *s, const source_pass *pass, size_t j, double product);

/* Calls work(s, pass, block, heap) for all blocks, shared by the pass's threads: each takes the
 * next block that nobody has taken, offers to a heap of its own, and all heaps are joined at the
 * end. `room` doubles of scratch, zero at first, are handed on by each thread. */
typedef void source_work(tm_source *s, source_pass *pass, size_t block, best *heap,
                         double *scratch);
void source_share(tm_source *s, source_pass *pass, size_t blocks, size_t room, source_work *work);

/* Whether to stop; polls the token on the caller's thread. */
bool source_stopped(source_pass *pass);

/* Each kind's own part; what a failed one has made is freed by tm_source_free. */
tm_status source_groups_init(tm_source *s, bool tree, tm_error *err);
void source_groups_free(struct source_group *group);
tm_status source_poly2_init(tm_source *s, tm_error *err);
void source_poly2_free(struct poly2 *poly2);

#endif
