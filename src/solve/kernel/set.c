/* The graph's terms restricted to a set of features: the order of the features, and the band of
 * D'D. */
#include "solve/kernel/kernelfs.h"

#include "base/memory.h"

#include <string.h>

bool feature_terms_make(feature_terms *out, const tm_graph *graph)
{
    size_t p = tm_graph_features(graph), terms = tm_graph_terms(graph), count;
    const double *values;
    out->starts = mem_zeros(p + 2, sizeof *out->starts);
    if (!out->starts)
        return false;
    for (size_t k = 0; k < terms; k++) {
        const uint32_t *features = tm_graph_term(graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            out->starts[features[i] + 2]++;
    }
    for (size_t i = 0; i < p; i++)
        out->starts[i + 2] += out->starts[i + 1];
    out->terms = mem_array(out->starts[p + 1], sizeof *out->terms);
    for (size_t k = 0; out->terms && k < terms; k++) {
        const uint32_t *features = tm_graph_term(graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            out->terms[out->starts[features[i] + 1]++] = (uint32_t)k;
    }
    return out->terms != NULL;
}

/* For each feature its position in the list; SIZE_MAX: not in it. */
static size_t *places_of(const feature_set *set, size_t p)
{
    size_t *place = mem_array(p, sizeof *place);
    for (size_t i = 0; place && i < p; i++)
        place[i] = SIZE_MAX;
    for (size_t k = 0; place && k < set->count; k++)
        place[set->list[k]] = k;
    return place;
}

/* The greatest distance in the list between two features of one term. */
static size_t find_below(const size_t *place, const tm_graph *graph)
{
    size_t below = 0, count;
    const double *values;
    for (size_t k = 0; k < tm_graph_terms(graph); k++) {
        const uint32_t *features = tm_graph_term(graph, k, &values, &count);
        size_t least = SIZE_MAX, most = 0;
        for (size_t i = 0; i < count; i++) {
            size_t at = place[features[i]];
            if (at == SIZE_MAX)
                continue;
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        if (least != SIZE_MAX && most - least > below)
            below = most - least;
    }
    return below;
}

/* Breadth-first search over each connected component of the graph (Cuthill-McKee): `order` receives
 * the list, `place` the positions of its features. */
static void order_breadth_first(const feature_set *set, const feature_terms *terms,
                                const tm_graph *graph, size_t *order, size_t *place)
{
    size_t done = 0, seen = 0, count;
    const double *values;
    for (size_t k = 0; k < set->count; k++)
        place[set->list[k]] = SIZE_MAX;
    for (size_t k = 0; k < set->count; k++) {
        if (place[set->list[k]] != SIZE_MAX)
            continue;
        place[set->list[k]] = seen;
        order[seen++] = set->list[k];
        for (; done < seen; done++) {
            size_t from = order[done];
            for (size_t t = terms->starts[from]; t < terms->starts[from + 1]; t++) {
                const uint32_t *features = tm_graph_term(graph, terms->terms[t], &values, &count);
                for (size_t i = 0; i < count; i++) {
                    if (!set->in[features[i]] || place[features[i]] != SIZE_MAX)
                        continue;
                    place[features[i]] = seen;
                    order[seen++] = features[i];
                }
            }
        }
    }
}

bool feature_set_order(feature_set *set, const feature_terms *terms, const tm_graph *graph)
{
    size_t p = tm_graph_features(graph), at = 0;
    for (size_t i = 0; i < p; i++)
        if (set->in[i])
            set->list[at++] = i;
    size_t *place = places_of(set, p), *order = mem_array(set->count, sizeof *order);
    bool made = place && order;
    if (made) {
        size_t natural = find_below(place, graph);
        order_breadth_first(set, terms, graph, order, place);
        if (find_below(place, graph) < natural)
            memcpy(set->list, order, set->count * sizeof *order);
    }
    free(place);
    free(order);
    return made;
}

double *feature_set_band(const feature_set *set, const tm_graph *graph, double scale, size_t *below)
{
    size_t *place = places_of(set, tm_graph_features(graph)), size, count;
    const double *values;
    double *band = NULL;
    *below = place && scale > 0 ? find_below(place, graph) : 0;
    size_t height = *below + 1;
    if (place && !__builtin_mul_overflow(height, set->count, &size))
        band = mem_zeros(size, sizeof *band);
    for (size_t k = 0; band && scale > 0 && k < tm_graph_terms(graph); k++) {
        const uint32_t *features = tm_graph_term(graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) {
                size_t row = place[features[i]], col = place[features[j]];
                if (row != SIZE_MAX && col != SIZE_MAX && row >= col)
                    band[col * height + (row - col)] += 2 * scale * values[i] * values[j];
            }
    }
    free(place);
    return band;
}
