/* Processes that the library starts (base/process.h), in a fuzz target: how one of them ends is not
 * a finding, and what it reached counts as reached. */
#ifndef TESTS_FUZZ_PROCESS_H
#define TESTS_FUZZ_PROCESS_H

/* Adds what the processes have counted since the last call. */
void fuzz_process_take(void);

#endif
