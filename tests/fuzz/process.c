/* Compiled without counters of edges (scripts/fuzz). */
#include "fuzz_process.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* libFuzzer's counters of edges; absent with AFL++, whose counters all processes share. In a file
 * with counters of its own the compiler would take these names for others. */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak));
extern void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

void __gcov_dump(void);

/* What processes have counted: shared memory. */
static uint8_t *counts;

static size_t counters(void)
{
    return __start___sancov_cntrs ? (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs) : 0;
}

/* What a process does before it ends by itself. */
void __gcov_dump(void)
{
    for (size_t k = 0; counts && k < counters(); k++)
        counts[k] |= __start___sancov_cntrs[k];
}

/* libFuzzer's callback would write the input as a finding. */
static void begin(void)
{
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(NULL);
}

__attribute__((constructor)) static void prepare(void)
{
    pthread_atfork(NULL, NULL, begin);
    size_t count = counters();
    void *place = count
                      ? mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                      : MAP_FAILED;
    counts = place == MAP_FAILED ? NULL : place;
}

void fuzz_process_take(void)
{
    for (size_t k = 0; counts && k < counters(); k++) {
        __start___sancov_cntrs[k] |= counts[k];
        counts[k] = 0;
    }
}
