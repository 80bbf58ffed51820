#include "model/certificate/group.h"

#include "base/memory.h"
#include "model/penalty/group_penalty.h"

#include <stdlib.h>

static double factor_of(const tm_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

tm_status group_penalty_at(double *value, const tm_problem *problem, const double *v, tm_error *err)
{
    const tm_group_penalty *q = problem->groups;
    double *scaled = mem_array(group_most(q), sizeof *scaled);
    if (!scaled)
        return tm_fail_memory(err, "the certificate");
    *value = 0;
    for (size_t b = 0; b < q->blocks; b++) {
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++)
            scaled[m - q->starts[b]] = v[m] * factor_of(problem, q->features[m]);
        *value += group_value(q, b, scaled);
    }
    free(scaled);
    return TM_OK;
}

tm_status group_penalty_dual(double *norm, const tm_problem *problem, const double *products,
                             tm_error *err)
{
    const tm_group_penalty *q = problem->groups;
    size_t most = group_most(q);
    double *room = mem_array(2 * most, sizeof *room);
    if (!room)
        return tm_fail_memory(err, "the certificate");
    *norm = 0;
    for (size_t b = 0; b < q->blocks; b++) {
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++) {
            size_t j = q->features[m];
            room[m - q->starts[b]] = products[j] / factor_of(problem, j);
        }
        *norm = group_dual_norm(q, b, room, *norm, room + most);
    }
    free(room);
    return TM_OK;
}
