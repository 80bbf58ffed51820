#include "tui/place.h"

#include <math.h>

place_kind place_kind_of(const tm_point *points, size_t count)
{
    if (count == 0 || isfinite(points[0].solution.lambda)) {
        return PLACE_LAMBDA;
    }
    const tm_solution *first = &points[0].solution, *last = &points[count - 1].solution;
    if (isfinite(first->B) && (first->B != last->B || !isfinite(first->C))) {
        return PLACE_B;
    }
    bool by_c = isfinite(first->C) && first->C != last->C;
    return by_c ? PLACE_C : PLACE_FEATURES;
}

double place_value(place_kind kind, const tm_solution *solution)
{
    switch (kind) {
    case PLACE_LAMBDA:
        return solution->lambda / solution->lambda_max;
    case PLACE_B:
        return solution->B;
    case PLACE_C:
        return solution->C;
    case PLACE_FEATURES:
        break;
    }
    return (double)tm_model_nnz(solution->model);
}

const char *place_label(place_kind kind)
{
    static const char *const labels[] = {"lambda/max", "B", "C", "features"};
    return labels[kind];
}
