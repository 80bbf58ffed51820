#include "base/ranks/agree.h"

#include <string.h>

bool comm_agree(const tm_comm *comm, double mine)
{
    bool same = true;
    for (int r = 0; r < comm->size; r++) {
        double theirs = mine;
        comm->broadcast(comm, &theirs, 1, r);
        same = same && theirs == mine;
    }
    return same;
}

/* Gathered in pieces, which are all ranks' parts of as many sums as there is room for. */
enum { ROOM = 8192, MOST_RANKS = 1024 };

static void add_gathered(const tm_comm *comm, double *values, size_t count)
{
    double mine[ROOM], all[ROOM];
    int counts[MOST_RANKS];
    size_t size = (size_t)comm->size, most = ROOM / size;
    for (size_t done = 0; done < count; done += most) {
        size_t piece = count - done < most ? count - done : most;
        for (size_t r = 0; r < size; r++)
            counts[r] = (int)piece;
        memcpy(mine, values + done, piece * sizeof *mine);
        comm->gather(comm, mine, all, counts);
        memcpy(values + done, all, piece * sizeof *all);
        for (size_t r = 1; r < size; r++)
            for (size_t k = 0; k < piece; k++)
                values[done + k] += all[r * piece + k];
    }
}

void comm_add(const tm_comm *comm, double *values, size_t count)
{
    if (comm->size <= MOST_RANKS)
        add_gathered(comm, values, count);
    else
        for (size_t k = 0; k < count; k++)
            values[k] = comm_sum(comm, values[k]);
}

double comm_sum(const tm_comm *comm, double mine)
{
    double sum = 0;
    for (int r = 0; r < comm->size; r++) {
        double theirs = mine;
        comm->broadcast(comm, &theirs, 1, r);
        sum += theirs;
    }
    return sum;
}

double comm_least(const tm_comm *comm, double mine)
{
    double least = mine;
    for (int r = 0; r < comm->size; r++) {
        double theirs = mine;
        comm->broadcast(comm, &theirs, 1, r);
        least = theirs < least ? theirs : least;
    }
    return least;
}

tm_status comm_share(const tm_comm *comm, tm_status status, tm_error *err)
{
    enum { WORDS = (TM_ERROR_MAX + sizeof(double) - 1) / sizeof(double) };
    double text[WORDS] = {0}, code = TM_OK;
    int r = 0;
    for (; r < comm->size && code == TM_OK; r++) {
        code = status;
        comm->broadcast(comm, &code, 1, r);
    }
    if (code == TM_OK)
        return TM_OK;
    if (--r == comm->rank && err)
        memcpy(text, err->message, sizeof err->message);
    comm->broadcast(comm, text, WORDS, r);
    return r == comm->rank ? status
                           : tm_fail(err, (tm_status)code, "%.*s", TM_ERROR_MAX - 1, (char *)text);
}
