#include "solve/structure/flow/max_flow.h"

#include "base/memory.h"
#include "solve/structure/flow/tuning.h"

#include <math.h>
#include <string.h>

/* An edge as seen from one of its ends; code: twice its number, and 1 at the second end. */
typedef struct flow_arc {
    uint32_t head, code;
} flow_arc;

struct max_flow {
    size_t nodes;
    size_t *starts; /* the arcs of node j: arcs[starts[j] .. starts[j + 1] - 1] */
    flow_arc *arcs;
    size_t *twin; /* for each arc the same edge's arc from its head */
    size_t *next; /* for each node the arc that is tried next */
    uint32_t
        *label; /* at most the number of arcs from here to a demand; UINT32_MAX: there is none */
    uint32_t *queue; /* nodes */
    unsigned char *queued;
    uint32_t *all;            /* every node */
    uint64_t steps;           /* nodes and arcs looked at, over all calls */
    solve_progress *progress; /* or NULL */
};

void max_flow_free(max_flow *f)
{
    if (!f)
        return;
    free(f->starts);
    free(f->arcs);
    free(f->twin);
    free(f->next);
    free(f->label);
    free(f->queue);
    free(f->queued);
    free(f->all);
    free(f);
}

static void list_arcs(max_flow *f, size_t edges, const uint32_t *ends)
{
    for (size_t a = 0; a < 2 * edges; a++)
        f->starts[ends[a] + 2]++;
    for (size_t j = 0; j < f->nodes; j++)
        f->starts[j + 2] += f->starts[j + 1];
    for (size_t a = 0; a < 2 * edges; a += 2) {
        size_t first = f->starts[ends[a] + 1]++, second = f->starts[ends[a + 1] + 1]++;
        f->arcs[first] = (flow_arc){ends[a + 1], (uint32_t)a};
        f->arcs[second] = (flow_arc){ends[a], (uint32_t)a + 1};
        f->twin[first] = second;
        f->twin[second] = first;
    }
}

max_flow *max_flow_new(size_t nodes, size_t edges, const uint32_t *ends)
{
    max_flow *f = edges <= UINT32_MAX / 2 ? calloc(1, sizeof *f) : NULL;
    if (!f)
        return NULL;
    f->nodes = nodes;
    f->starts = mem_zeros(nodes + 2, sizeof *f->starts);
    f->arcs = mem_array(2 * edges, sizeof *f->arcs);
    f->twin = mem_array(2 * edges, sizeof *f->twin);
    f->next = mem_array(nodes, sizeof *f->next);
    f->label = mem_array(nodes, sizeof *f->label);
    f->queue = mem_array(nodes, sizeof *f->queue);
    f->queued = mem_zeros(nodes, 1);
    f->all = mem_array(nodes, sizeof *f->all);
    if (!f->starts || !f->arcs || !f->twin || !f->next || !f->label || !f->queue || !f->queued ||
        !f->all) {
        max_flow_free(f);
        return NULL;
    }
    for (size_t j = 0; j < nodes; j++)
        f->all[j] = (uint32_t)j;
    list_arcs(f, edges, ends);
    return f;
}

void max_flow_watch(max_flow *f, solve_progress *progress)
{
    f->progress = progress;
}

/* One call of max_flow_route. */
typedef struct routing {
    max_flow *f;
    flow_members members;
    const double *capacity;
    double *flow, *rest, small;
    size_t first, waiting; /* the part of the queue in use, which is circular */
} routing;

/* What can still be sent along an arc, and what can be sent back. */
static double residual(const routing *r, flow_arc a)
{
    double flow = r->flow[a.code / 2];
    return r->capacity[a.code / 2] - (a.code % 2 ? -flow : flow);
}

static double residual_back(const routing *r, flow_arc a)
{
    double flow = r->flow[a.code / 2];
    return r->capacity[a.code / 2] + (a.code % 2 ? -flow : flow);
}

static void enqueue(routing *r, uint32_t j)
{
    max_flow *f = r->f;
    if (f->queued[j])
        return;
    size_t at = r->first + r->waiting++;
    f->queue[at < r->members.count ? at : at - r->members.count] = j;
    f->queued[j] = 1;
}

static uint32_t dequeue(routing *r)
{
    uint32_t j = r->f->queue[r->first++];
    if (r->first == r->members.count)
        r->first = 0;
    r->waiting--;
    r->f->queued[j] = 0;
    return j;
}

/* Labels nodes by breadth-first search: backwards from the demands, or with `forwards` from the
 * supplies. */
static void label_all(const routing *r, bool forwards)
{
    max_flow *f = r->f;
    size_t count = 0;
    for (size_t k = 0; k < r->members.count; k++) {
        uint32_t j = r->members.nodes[k];
        bool start = forwards ? r->rest[j] > r->small : r->rest[j] < -r->small;
        f->label[j] = start ? 0 : UINT32_MAX;
        f->next[j] = f->starts[j];
        f->queued[j] = 0;
        if (start)
            f->queue[count++] = j;
    }
    for (size_t at = 0; at < count; at++) {
        uint32_t j = f->queue[at];
        for (size_t k = f->starts[j]; k < f->starts[j + 1]; k++) {
            flow_arc a = f->arcs[k];
            double open = forwards ? residual(r, a) : residual_back(r, a);
            if (open <= r->small || f->label[a.head] != UINT32_MAX)
                continue;
            f->label[a.head] = f->label[j] + 1;
            f->queue[count++] = a.head;
        }
        f->steps += f->starts[j + 1] - f->starts[j];
    }
    f->steps += r->members.count;
}

static bool has_supply(const routing *r)
{
    for (size_t k = 0; k < r->members.count; k++)
        if (r->rest[r->members.nodes[k]] > r->small)
            return true;
    return false;
}

/* Exact labels, and all supplies that can reach a demand in the queue. */
static void relabel_all(routing *r)
{
    r->first = r->waiting = 0;
    r->f->steps += r->members.count;
    if (!has_supply(r))
        return;
    label_all(r, false);
    for (size_t k = 0; k < r->members.count; k++) {
        uint32_t j = r->members.nodes[k];
        if (r->rest[j] > r->small && r->f->label[j] != UINT32_MAX)
            enqueue(r, j);
    }
}

/* One more than the least label that an arc with something left leads to. */
static uint32_t new_label(const routing *r, uint32_t j)
{
    const max_flow *f = r->f;
    uint32_t least = UINT32_MAX;
    for (size_t k = f->starts[j]; k < f->starts[j + 1]; k++)
        if (f->label[f->arcs[k].head] < least && residual(r, f->arcs[k]) > r->small)
            least = f->label[f->arcs[k].head];
    return least < r->members.count ? least + 1 : UINT32_MAX;
}

static void send(routing *r, uint32_t j, flow_arc a, double most)
{
    double amount = fmin(r->rest[j], most);
    r->flow[a.code / 2] += a.code % 2 ? -amount : amount;
    r->rest[j] -= amount;
    r->rest[a.head] += amount;
    if (r->rest[a.head] > r->small)
        enqueue(r, a.head);
}

/* Sends what node j has to nodes that are nearer to a demand; the work done. */
static size_t discharge(routing *r, uint32_t j)
{
    max_flow *f = r->f;
    size_t work = 1;
    while (r->rest[j] > r->small && f->label[j] != UINT32_MAX) {
        if (f->next[j] == f->starts[j + 1]) {
            f->label[j] = new_label(r, j);
            f->next[j] = f->starts[j];
            work += f->starts[j + 1] - f->starts[j];
            continue;
        }
        flow_arc a = f->arcs[f->next[j]];
        work++;
        double most = f->label[a.head] < f->label[j] ? residual(r, a) : 0;
        if (most > r->small)
            send(r, j, a, most);
        if (r->rest[j] > r->small)
            f->next[j]++;
    }
    return work;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static const uint32_t NOT_REACHED = UINT32_MAX;

/* Orders the nodes breadth first from `root` along edges with something left in both directions;
 * next[j] is then the arc that leads from j towards the root, or none. */
static size_t grow_tree(const routing *r, uint32_t root, size_t count)
{
    max_flow *f = r->f;
    size_t at = count;
    f->label[root] = 0;
    f->next[root] = SIZE_MAX;
    f->queue[count++] = root;
    for (; at < count; at++) {
        uint32_t j = f->queue[at];
        for (size_t k = f->starts[j]; k < f->starts[j + 1]; k++) {
            flow_arc a = f->arcs[k];
            double room = TREE_SLACK * r->capacity[a.code / 2];
            if (f->label[a.head] != NOT_REACHED || !(room > r->small) || residual(r, a) < room ||
                residual_back(r, a) < room)
                continue;
            f->label[a.head] = 0;
            f->next[a.head] = f->twin[k];
            f->queue[count++] = a.head;
        }
    }
    return count;
}

/* Sends what each node has or lacks towards the root of a tree, as far as it fits. */
static void route_trees(routing *r)
{
    max_flow *f = r->f;
    size_t count = 0;
    for (size_t k = 0; k < r->members.count; k++)
        f->label[r->members.nodes[k]] = NOT_REACHED;
    for (size_t k = r->members.count; k-- > 0;)
        if (f->label[r->members.nodes[k]] == NOT_REACHED)
            count = grow_tree(r, r->members.nodes[k], count);
    while (count-- > 0) {
        uint32_t j = f->queue[count];
        if (f->next[j] == SIZE_MAX)
            continue;
        flow_arc a = f->arcs[f->next[j]];
        double amount = r->rest[j], out = residual(r, a), in = -residual_back(r, a);
        amount = amount > out ? out : amount < in ? in : amount;
        r->flow[a.code / 2] += a.code % 2 ? -amount : amount;
        r->rest[j] -= amount;
        r->rest[a.head] += amount;
    }
    f->steps += 3 * r->members.count;
}

double max_flow_route(max_flow *f, const flow_members *members, const double *capacity,
                      double *flow, double *rest, double small, unsigned char *source)
{
    routing r = {.f = f,
                 .members = members ? *members : (flow_members){f->all, f->nodes},
                 .capacity = capacity,
                 .flow = flow,
                 .rest = rest,
                 .small = small};
    bool stopped = false;
    route_trees(&r);
    for (relabel_all(&r); r.waiting > 0 && !stopped; relabel_all(&r)) {
        size_t work = 0, most = RELABEL_AFTER * r.members.count;
        while (r.waiting > 0 && work < most)
            work += discharge(&r, dequeue(&r));
        f->steps += work;
        stopped = f->progress && progress_work(f->progress, work + r.members.count);
    }
    double left = 0;
    bool all = !has_supply(&r);
    if (!all)
        label_all(&r, true);
    for (size_t k = 0; k < r.members.count; k++) {
        uint32_t j = r.members.nodes[k];
        source[j] = !all && f->label[j] != UINT32_MAX;
        left += rest[j] > 0 ? rest[j] : 0;
    }
    return left;
}

uint64_t max_flow_steps(const max_flow *f)
{
    return f->steps;
}
