#include "base/memory.h"

#include <unistd.h>

double mem_physical(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
