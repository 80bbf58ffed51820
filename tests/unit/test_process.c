/* Processes that answer through a channel: what they send back, and how they end. */
#include "tests/check.h"

#include "base/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 3000000 }; /* bytes: more than a channel holds */

static process start(void (*serve)(int channel, void *payload), void *payload)
{
    process p;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(process_start(&p, serve, payload, &err), TM_OK);
    return p;
}

/* Returns what it receives, plus what the payload says, until the channel ends. */
static void add(int channel, void *payload)
{
    char *bytes = malloc(MANY);
    while (bytes && process_receive(channel, bytes, MANY, NULL, NULL)) {
        for (size_t k = 0; k < MANY; k++)
            bytes[k] = (char)(bytes[k] + *(char *)payload);
        process_send(channel, bytes, MANY);
    }
    free(bytes);
}

static bool never(void *payload)
{
    ++*(int *)payload;
    return false;
}

CHECK(answers)
{
    char *bytes = malloc(MANY), by = 3;
    int asked = 0;
    process p = start(add, &by);
    by = 50; /* of the process it is a copy */
    for (char round = 0; round < 2; round++) {
        memset(bytes, 'a' + round, MANY);
        assert_true(process_send(p.channel, bytes, MANY));
        assert_true(process_receive(p.channel, bytes, MANY, never, &asked));
        for (size_t k = 0; k < MANY; k++)
            assert_int_equal(bytes[k], 'd' + round);
    }
    assert_true(asked > 0);
    assert_int_equal(process_end(&p, false), 0);
    assert_int_equal(process_end(&p, false), 0);
    free(bytes);
}

static void end_by(int channel, void *payload)
{
    char byte = 'x';
    process_send(channel, &byte, 1);
    raise(*(int *)payload);
}

/* The caller's handler is not the process's. */
static void handle(int s)
{
    (void)s;
    _exit(77);
}

CHECK(signals)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGTERM};
    void (*before)(int) = signal(SIGTERM, handle);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        int s = signals[k];
        char bytes[2];
        process p = start(end_by, &s);
        assert_false(process_receive(p.channel, bytes, 2, NULL, NULL));
        assert_int_equal(bytes[0], 'x');
        assert_int_equal(process_end(&p, true), s);
    }
    signal(SIGTERM, before);
}

static void leave(int channel, void *payload)
{
    (void)channel;
    _exit(*(int *)payload);
}

CHECK(statuses)
{
    int status = 3;
    char byte;
    process p = start(leave, &status);
    assert_false(process_receive(p.channel, &byte, 1, NULL, NULL));
    assert_int_equal(process_end(&p, false), -1);
}

static void sleep_on(int channel, void *payload)
{
    (void)channel, (void)payload;
    for (;;)
        pause();
}

static bool third_time(void *payload)
{
    return ++*(int *)payload >= 3;
}

CHECK(giving_up)
{
    int asked = 0;
    char byte;
    process p = start(sleep_on, NULL);
    assert_false(process_receive(p.channel, &byte, 1, third_time, &asked));
    assert_int_equal(asked, 3);
    assert_int_equal(process_end(&p, true), SIGKILL);
}

/* The second process has the first one's channel open, too, and does not keep it from ending. */
CHECK(two)
{
    char by = 1;
    process first = start(add, &by), second = start(add, &by);
    assert_int_equal(process_end(&first, false), 0);
    assert_int_equal(process_end(&second, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),   cmocka_unit_test(signals), cmocka_unit_test(statuses),
        cmocka_unit_test(giving_up), cmocka_unit_test(two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
