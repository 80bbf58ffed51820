#include "tui/session/place.h"

#include <math.h>

place_kind place_kind_between(const place_facts *first, const place_facts *last)
{
    if (isfinite(first->lambda) && isfinite(first->lambda_max))
        return PLACE_LAMBDA;
    if (isfinite(first->B) && (first->B != last->B || !isfinite(first->C)))
        return PLACE_B;
    bool by_c = isfinite(first->C) && first->C != last->C;
    return by_c ? PLACE_C : PLACE_FEATURES;
}

double place_at(place_kind kind, const place_facts *at)
{
    switch (kind) {
    case PLACE_LAMBDA:
        return at->lambda / at->lambda_max;
    case PLACE_B:
        return at->B;
    case PLACE_C:
        return at->C;
    case PLACE_FEATURES:
        break;
    }
    return at->features;
}

place_facts place_facts_of(const tm_solution *solution)
{
    return (place_facts){solution->lambda, solution->lambda_max, solution->B, solution->C,
                         (double)tm_model_nnz(solution->model)};
}

place_kind place_kind_of(const tm_point *points, size_t count)
{
    if (count == 0)
        return PLACE_LAMBDA;
    place_facts first = place_facts_of(&points[0].solution),
                last = place_facts_of(&points[count - 1].solution);
    return place_kind_between(&first, &last);
}

double place_value(place_kind kind, const tm_solution *solution)
{
    place_facts at = place_facts_of(solution);
    return place_at(kind, &at);
}

const char *place_label(place_kind kind)
{
    static const char *const labels[] = {"lambda/max", "B", "C", "features"};
    return labels[kind];
}
