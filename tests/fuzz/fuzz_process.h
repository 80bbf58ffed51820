/* Processes that the library starts (base/process.h), in a fuzz target: how one of them ends is not
 * a finding, and what it reached counts as reached. */
#ifndef TESTS_FUZZ_PROCESS_H
#define TESTS_FUZZ_PROCESS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* libFuzzer's counters of edges; absent with AFL++, whose counters all processes share. */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak));
extern void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

void __gcov_dump(void);

/* What processes have counted: shared memory. */
static uint8_t *fuzz_process_counts;

static inline size_t fuzz_process_counters(void)
{
    return __start___sancov_cntrs ? (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs) : 0;
}

/* What a process does before it ends by itself. */
void __gcov_dump(void)
{
    for (size_t k = 0; fuzz_process_counts && k < fuzz_process_counters(); k++)
        fuzz_process_counts[k] |= __start___sancov_cntrs[k];
}

/* libFuzzer's callback would write the input as a finding. */
static void fuzz_process_begins(void)
{
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(NULL);
}

__attribute__((constructor)) static void fuzz_process_prepare(void)
{
    pthread_atfork(NULL, NULL, fuzz_process_begins);
    size_t count = fuzz_process_counters();
    void *place = count
                      ? mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                      : MAP_FAILED;
    fuzz_process_counts = place == MAP_FAILED ? NULL : place;
}

/* Adds what the processes have counted since the last call. */
static inline void fuzz_process_take(void)
{
    for (size_t k = 0; fuzz_process_counts && k < fuzz_process_counters(); k++) {
        __start___sancov_cntrs[k] |= fuzz_process_counts[k];
        fuzz_process_counts[k] = 0;
    }
}

#endif
