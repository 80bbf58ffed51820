#include "data/shards/moments.h"

#include "base/memory.h"
#include "base/ranks/agree.h"

#include <stdlib.h>
#include <string.h>

typedef struct moments {
    const tm_matrix *own;
    const double *weights;
    const tm_comm *comm;
    size_t n, p;
    double *column; /* n */
    double *bases;  /* p: a value of each column, from which sums are taken */
    double *others; /* p: how many rows have another one */
} moments;

static double weight_of(const moments *m, size_t i)
{
    return m->weights ? m->weights[i] : 1;
}

/* The columns in the first row with a weight, from the first process that has one. */
static void find_bases(moments *m)
{
    double has = 0;
    size_t first = 0;
    while (first < m->n && !(weight_of(m, first) > 0))
        first++;
    for (int r = 0; r < m->comm->size && has == 0; r++) {
        has = first < m->n;
        for (size_t j = 0; has > 0 && j < m->p && r == m->comm->rank; j++) {
            tm_matrix_column(m->own, j, m->column);
            m->bases[j] = m->column[first];
        }
        m->comm->broadcast(m->comm, &has, 1, r);
        if (has > 0)
            m->comm->broadcast(m->comm, m->bases, m->p, r);
    }
}

/* Sums over the rows at hand: of the deviations from `centres`, or of their squares. */
static void add_up(moments *m, const double *centres, bool squares, double *out)
{
    for (size_t j = 0; j < m->p; j++) {
        double sum = 0;
        tm_matrix_column(m->own, j, m->column);
        m->others[j] = 0;
        for (size_t i = 0; i < m->n; i++) {
            double s = weight_of(m, i), from = m->column[i] - centres[j];
            if (!(s > 0))
                continue;
            sum += squares ? s * from * from : s * from;
            m->others[j] += m->column[i] != m->bases[j];
        }
        out[j] = sum;
    }
    comm_add(m->comm, out, m->p);
}

static double total_of(const moments *m)
{
    double total = 0;
    for (size_t i = 0; i < m->n; i++)
        total += weight_of(m, i);
    comm_add(m->comm, &total, 1);
    return total;
}

tm_status shard_moments(double *means, double *squares, const tm_matrix *own, const double *weights,
                        const tm_comm *comm, tm_error *err)
{
    size_t n = tm_matrix_rows(own), p = tm_matrix_cols(own);
    moments m = {own, weights, comm, n, p, NULL, NULL, NULL};
    m.column = mem_array(n, sizeof *m.column);
    m.bases = mem_zeros(p, sizeof *m.bases);
    m.others = mem_array(p, sizeof *m.others);
    bool enough = m.column && m.bases && m.others;
    tm_status status =
        comm_share(comm, enough ? TM_OK : tm_fail_memory(err, "the columns' statistics"), err);
    if (status == TM_OK) {
        find_bases(&m);
        double total = total_of(&m);
        add_up(&m, m.bases, false, means);
        for (size_t j = 0; j < p; j++)
            means[j] = m.bases[j] + means[j] / total;
        add_up(&m, means, true, squares);
        comm_add(comm, m.others, p);
        for (size_t j = 0; j < p; j++) {
            means[j] = m.others[j] > 0 ? means[j] : m.bases[j];
            squares[j] = m.others[j] > 0 ? squares[j] : 0;
        }
    }
    free(m.column);
    free(m.bases);
    free(m.others);
    return status;
}
