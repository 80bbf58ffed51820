/* Fuzz target: what Lua hands to Tamis. The input is a chunk, run in the sandbox as a downloaded
 * script is, for a second at most. */
#include "script/script.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static tm_pool *pool;

static void forget(const char *text, size_t length, void *payload)
{
    (void)text, (void)length, (void)payload;
}

static void forget_line(const char *text, bool failed, void *payload)
{
    (void)text, (void)failed, (void)payload;
}

static void forget_figure(plot_figure *figure, void *payload)
{
    (void)payload;
    plot_figure_free(figure);
}

/* Files that a chunk writes stay in a folder of its own. */
static void begin(void)
{
    char folder[] = "/dev/shm/fuzz-lua-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0 || tm_pool_new(&pool, 1, NULL, NULL, NULL) != TM_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!pool)
        begin();
    script_host host = {.pool = pool, .seed = 1, .sandbox = {.on = true}, .columns = 80};
    host.print = forget;
    host.remark = forget_line;
    host.show = forget_figure;
    script *script;
    tm_status status;
    char *text = malloc(size + 1);
    if (!text || script_new(&script, &host, NULL) != TM_OK)
        abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    uint64_t ticket = script_submit(script, text, "=input", false);
    if (ticket && !script_wait(script, ticket, 1, &status)) {
        script_interrupt(script);
        script_wait(script, ticket, -1, &status);
    }
    if (!script_free(script))
        abort();
    free(text);
    return 0;
}
