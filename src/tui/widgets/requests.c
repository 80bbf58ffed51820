#include "tui/widgets/requests.h"

long requests_steps(int request)
{
    switch (request) {
    case REQ_LEFT:
        return -1;
    case REQ_RIGHT:
        return 1;
    case REQ_LESS:
        return -10;
    case REQ_MORE:
        return 10;
    default:
        return 0;
    }
}
