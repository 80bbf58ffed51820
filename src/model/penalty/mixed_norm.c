#include "model/penalty/mixed_norm.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_status mixed_norm_init(mixed_norm *m, tm_groups *groups, double *factors, tm_error *err)
{
    *m = (mixed_norm){.groups = tm_groups_ref(groups), .factors = factors};
    m->count = tm_groups_count(groups);
    if (tm_groups_overlap(groups))
        return tm_fail(err, TM_EUSAGE,
                       "groups overlap; the penalty needs groups without common features");
    m->weights = mem_array(m->count, sizeof *m->weights);
    m->lengths = mem_array(m->count, sizeof *m->lengths);
    if (!m->weights || !m->lengths)
        return tm_fail_memory(err, "the penalty");
    for (size_t g = 0; g < m->count; g++)
        m->weights[g] = tm_groups_weight(groups, g, 1);
    return TM_OK;
}

void mixed_norm_clear(mixed_norm *m)
{
    tm_groups_unref(m->groups);
    free(m->weights);
    free(m->factors);
    free(m->lengths);
    *m = (mixed_norm){0};
}

double mixed_norm_usual_q(const mixed_norm *m)
{
    return fmax(2, 2 * log((double)m->count));
}

static double factor_of(const mixed_norm *m, size_t j)
{
    return m->factors ? m->factors[j] : 1;
}

/* Computes the lengths minus `shift`, at least 0; returns the greatest. */
static double find_lengths(mixed_norm *m, const double *c, double shift)
{
    double greatest = 0;
    for (size_t g = 0; g < m->count; g++) {
        size_t count;
        const size_t *members = tm_groups_members(m->groups, g, &count);
        double squares = 0;
        for (size_t k = 0; k < count; k++) {
            double value = c[members[k]] / factor_of(m, members[k]);
            squares += value * value;
        }
        m->lengths[g] = fmax(sqrt(squares) / m->weights[g] - shift, 0);
        greatest = fmax(greatest, m->lengths[g]);
    }
    return greatest;
}

/* The sum of (length / greatest)^power, without overflow or underflow. */
static double power_sum(const mixed_norm *m, double greatest, double power)
{
    double sum = 0;
    for (size_t g = 0; g < m->count; g++)
        if (m->lengths[g] > 0)
            sum += pow(m->lengths[g] / greatest, power);
    return sum;
}

double mixed_norm_value(mixed_norm *m, const double *w)
{
    double greatest = 0, sum = 0, r = m->q / (m->q - 1);
    for (size_t g = 0; g < m->count; g++) {
        size_t count;
        const size_t *members = tm_groups_members(m->groups, g, &count);
        double squares = 0;
        for (size_t k = 0; k < count; k++) {
            double value = w[members[k]] * factor_of(m, members[k]);
            squares += value * value;
        }
        m->lengths[g] = sqrt(squares) * m->weights[g];
        sum += m->lengths[g];
        greatest = fmax(greatest, m->lengths[g]);
    }
    double norm = greatest > 0 ? greatest * pow(power_sum(m, greatest, r), 1 / r) : 0;
    return m->alpha * sum + (1 - m->alpha) / 2 * norm * norm;
}

double mixed_norm_conjugate(mixed_norm *m, const double *c, double strength)
{
    double greatest = find_lengths(m, c, strength * m->alpha);
    if (!(greatest > 0))
        return 0;
    double norm = greatest * pow(power_sum(m, greatest, m->q), 1 / m->q);
    return norm * norm / (2 * strength * (1 - m->alpha));
}

void mixed_norm_maximiser(mixed_norm *m, const double *c, double strength, double *w)
{
    double shift = strength * m->alpha, greatest = find_lengths(m, c, shift);
    memset(w, 0, tm_groups_features(m->groups) * sizeof *w);
    if (!(greatest > 0))
        return;
    double norm = pow(power_sum(m, greatest, m->q), (2 - m->q) / m->q) * greatest;
    for (size_t g = 0; g < m->count; g++) {
        double v = m->lengths[g], d = m->weights[g];
        size_t count;
        const size_t *members = tm_groups_members(m->groups, g, &count);
        if (!(v > 0))
            continue;
        double length = norm * pow(v / greatest, m->q - 1) / (strength * (1 - m->alpha));
        for (size_t k = 0; k < count; k++) {
            double f = factor_of(m, members[k]);
            w[members[k]] = c[members[k]] / (f * f) * length / (d * d * (v + shift));
        }
    }
}

double mixed_norm_greatest(mixed_norm *m, const double *c)
{
    return find_lengths(m, c, 0);
}
