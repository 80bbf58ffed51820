/* Fuzz target: groups of features, as a parameter's text and as a file. */
#include "fuzz_reader.h"

#include "tamis/groups.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Members ascending and within the data; a parent holds as many of them as its child. */
static void look(const tm_groups *groups)
{
    for (size_t g = 0; g < tm_groups_count(groups); g++) {
        size_t count, above;
        const size_t *members = tm_groups_members(groups, g, &count);
        if (count == 0 || members[count - 1] >= FUZZ_FEATURES)
            abort();
        for (size_t i = 1; i < count; i++)
            if (members[i] <= members[i - 1])
                abort();
        size_t parent = tm_groups_parent(groups, g);
        if (parent == TM_NO_GROUP)
            continue;
        tm_groups_members(groups, parent, &above);
        if (above < count || !tm_groups_is_tree(groups))
            abort();
    }
}

static void check(tm_status status, tm_groups *groups, const tm_error *err)
{
    if ((status == TM_OK) != (groups != NULL) || (status != TM_OK && err->message[0] == '\0'))
        abort();
    if (groups)
        look(groups);
    tm_groups_unref(groups);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static tm_dataset *data;
    if (!data)
        data = fuzz_features();
    tm_groups *groups = NULL;
    tm_error err = TM_ERROR_INIT;
    char *text = malloc(size + 3), path[FUZZ_PATH];
    text[0] = '[';
    for (size_t i = 0; i < size; i++)
        text[i + 1] = bytes[i] ? (char)bytes[i] : ' ';
    strcpy(text + size + 1, "]");
    check(tm_groups_parse(&groups, text, data, &err), groups, &err);
    free(text);
    int fd = fuzz_file(path, bytes, size);
    groups = NULL;
    err = (tm_error)TM_ERROR_INIT;
    check(tm_groups_read(&groups, path, data, &err), groups, &err);
    close(fd);
    return 0;
}
