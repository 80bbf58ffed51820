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
