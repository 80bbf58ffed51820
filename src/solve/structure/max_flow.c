#include "solve/structure/max_flow.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct max_flow {
    size_t nodes, edges;
    uint32_t *ends;  /* two for each edge */
    size_t *starts;  /* the arcs of node j: arcs[starts[j] .. starts[j + 1] - 1] */
    size_t *arcs;    /* 2 e from the first end of edge e, 2 e + 1 from its second */
    size_t *next;    /* for each node the arc that the search tries next */
    uint32_t *level; /* steps from a supply; UINT32_MAX: not reached */
    uint32_t *queue; /* nodes in the order of the search */
    size_t *path;    /* arcs from a supply to the present node */
    uint64_t steps;  /* nodes and arcs looked at, over all calls */
};

void max_flow_free(max_flow *f)
{
    if (!f)
        return;
    free(f->ends);
    free(f->starts);
    free(f->arcs);
    free(f->next);
    free(f->level);
    free(f->queue);
    free(f->path);
    free(f);
}

static void list_arcs(max_flow *f)
{
    for (size_t a = 0; a < 2 * f->edges; a++)
        f->starts[f->ends[a] + 2]++;
    for (size_t j = 0; j < f->nodes; j++)
        f->starts[j + 2] += f->starts[j + 1];
    for (size_t a = 0; a < 2 * f->edges; a++)
        f->arcs[f->starts[f->ends[a] + 1]++] = a;
}

max_flow *max_flow_new(size_t nodes, size_t edges, const uint32_t *ends)
{
    max_flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->nodes = nodes;
    f->edges = edges;
    f->ends = mem_array(2 * edges, sizeof *f->ends);
    f->starts = mem_zeros(nodes + 2, sizeof *f->starts);
    f->arcs = mem_array(2 * edges, sizeof *f->arcs);
    f->next = mem_array(nodes, sizeof *f->next);
    f->level = mem_array(nodes, sizeof *f->level);
    f->queue = mem_array(nodes, sizeof *f->queue);
    f->path = mem_array(nodes, sizeof *f->path);
    if (!f->ends || !f->starts || !f->arcs || !f->next || !f->level || !f->queue || !f->path) {
        max_flow_free(f);
        return NULL;
    }
    if (edges > 0)
        memcpy(f->ends, ends, 2 * edges * sizeof *ends);
    list_arcs(f);
    return f;
}

/* One call of max_flow_route. */
typedef struct routing {
    max_flow *f;
    const double *capacity;
    double *flow, *rest, small;
} routing;

/* The residual capacity of arc a, and the node it leads to. */
static double residual(const routing *r, size_t a)
{
    double flow = r->flow[a / 2];
    return r->capacity[a / 2] - (a % 2 ? -flow : flow);
}

static uint32_t head(const max_flow *f, size_t a)
{
    return f->ends[a ^ 1];
}

/* Computes levels by breadth-first search from the supplies; true when a demand is reached. */
static bool find_levels(const routing *r)
{
    max_flow *f = r->f;
    size_t count = 0;
    bool reached = false;
    for (size_t j = 0; j < f->nodes; j++) {
        bool supply = r->rest[j] > r->small;
        f->level[j] = supply ? 0 : UINT32_MAX;
        f->next[j] = f->starts[j];
        if (supply)
            f->queue[count++] = (uint32_t)j;
    }
    for (size_t at = 0; at < count; at++) {
        uint32_t j = f->queue[at];
        reached = reached || r->rest[j] < -r->small;
        for (size_t k = f->starts[j]; k < f->starts[j + 1]; k++) {
            uint32_t to = head(f, f->arcs[k]);
            if (f->level[to] != UINT32_MAX || residual(r, f->arcs[k]) <= r->small)
                continue;
            f->level[to] = f->level[j] + 1;
            f->queue[count++] = to;
        }
        f->steps += f->starts[j + 1] - f->starts[j];
    }
    f->steps += f->nodes;
    return reached;
}

/* The next arc from j to the next level with residual capacity; SIZE_MAX when there is none
 * left. */
static size_t arc_up(const routing *r, uint32_t j)
{
    max_flow *f = r->f;
    for (; f->next[j] < f->starts[j + 1]; f->next[j]++) {
        f->steps++;
        size_t a = f->arcs[f->next[j]];
        if (f->level[head(f, a)] == f->level[j] + 1 && residual(r, a) > r->small)
            return a;
    }
    return SIZE_MAX;
}

/* Pushes as much as the path of `length` arcs can carry from supply j to the demand at its end.
 * Returns how many arcs at the start of the path are still unsaturated. */
static size_t push(const routing *r, uint32_t j, uint32_t end, size_t length)
{
    max_flow *f = r->f;
    double amount = fmin(r->rest[j], -r->rest[end]);
    f->steps += 2 * length;
    size_t open = length;
    for (size_t k = 0; k < length; k++)
        amount = fmin(amount, residual(r, f->path[k]));
    for (size_t k = length; k-- > 0;) {
        size_t a = f->path[k];
        r->flow[a / 2] += a % 2 ? -amount : amount;
        if (residual(r, a) <= r->small)
            open = k;
    }
    r->rest[j] -= amount;
    r->rest[end] += amount;
    return open;
}

/* Sends all that supply j can along arcs to higher levels. */
static void send_from(const routing *r, uint32_t j)
{
    max_flow *f = r->f;
    size_t length = 0;
    uint32_t at = j;
    while (r->rest[j] > r->small) {
        if (length > 0 && r->rest[at] < -r->small) {
            length = push(r, j, at, length);
            at = length > 0 ? head(f, f->path[length - 1]) : j;
            continue;
        }
        size_t a = arc_up(r, at);
        if (a != SIZE_MAX) {
            f->path[length++] = a;
            at = head(f, a);
        } else if (length == 0) {
            return;
        } else {
            f->level[at] = UINT32_MAX; /* dead end */
            length--;
            at = length > 0 ? head(f, f->path[length - 1]) : j;
        }
    }
}

double max_flow_route(max_flow *f, const double *capacity, double *flow, double *rest, double small,
                      unsigned char *source)
{
    routing r = {f, capacity, flow, rest, small};
    double left = 0;
    while (find_levels(&r))
        for (size_t j = 0; j < f->nodes; j++)
            if (rest[j] > small && f->level[j] == 0)
                send_from(&r, (uint32_t)j);
    for (size_t j = 0; j < f->nodes; j++) {
        source[j] = f->level[j] != UINT32_MAX;
        left += fmax(rest[j], 0);
    }
    return left;
}

uint64_t max_flow_steps(const max_flow *f)
{
    return f->steps;
}
