#include "tui/shell/keymap.h"

#include <stdlib.h>
#include <string.h>

#define VIEW_NAME(id, name, key, title, help) [VIEW_##id] = #name,
static const char *const contexts[CONTEXT_COUNT] = {
    VIEWS(VIEW_NAME)[CONTEXT_PLOT] = "in-plot",
    [CONTEXT_PAGER] = "pager",
};
#undef VIEW_NAME

typedef struct named_request {
    const char *name;
    int request;
} named_request;

static const named_request requests[] = {
#define REQUEST(id, name) {name, REQ_##id},
    REQUESTS(REQUEST)
#undef REQUEST
#define VIEW_REQUEST(id, name, key, title, help) {"view-" #name, REQ_VIEW + VIEW_##id},
        VIEWS(VIEW_REQUEST)
#undef VIEW_REQUEST
};

enum { NAMED = sizeof requests / sizeof requests[0] };

const char *keymap_request_name(size_t i)
{
    return i < NAMED ? requests[i].name : NULL;
}

const char *keymap_request_text(int request)
{
    for (size_t i = 0; i < NAMED; i++)
        if (requests[i].request == request)
            return requests[i].name;
    return "";
}

int keymap_request_find(const char *name)
{
    for (size_t i = 0; i < NAMED; i++)
        if (strcmp(requests[i].name, name) == 0)
            return requests[i].request;
    return -1;
}

bool keymap_context(const char *name, int *context)
{
    if (strcmp(name, "all") == 0) {
        *context = -1;
        return true;
    }
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (strcmp(contexts[i], name) == 0) {
            *context = i;
            return true;
        }
    }
    return false;
}

void keymap_free(keymap *map)
{
    for (size_t i = 0; i < map->command_count; i++) {
        free(map->commands[i].name);
        free(map->commands[i].help);
    }
    free(map->commands);
    free(map->bindings);
    *map = (keymap){0};
}

static user_command *command_of(const keymap *map, const char *name)
{
    for (size_t i = 0; i < map->command_count; i++)
        if (strcmp(map->commands[i].name, name) == 0)
            return &map->commands[i];
    return NULL;
}

/* Adds a command, without help yet; NULL when memory ran out. */
static user_command *new_command(keymap *map, const char *name)
{
    user_command *grown = realloc(map->commands, (map->command_count + 1) * sizeof *map->commands);
    if (!grown)
        return NULL;
    map->commands = grown;
    user_command *added = &grown[map->command_count];
    *added = (user_command){strdup(name), NULL};
    if (!added->name)
        return NULL;
    map->command_count++;
    return added;
}

tm_status keymap_command(keymap *map, const char *name, const char *help, size_t *index,
                         tm_error *err)
{
    user_command *known = command_of(map, name);
    char *text = strdup(help);
    if (text && !known)
        known = new_command(map, name);
    if (!text || !known) {
        free(text);
        return tm_fail_memory(err, "a command");
    }
    free(known->help);
    known->help = text;
    *index = (size_t)(known - map->commands);
    return TM_OK;
}

const user_command *keymap_find(const keymap *map, const char *name, size_t *index)
{
    const user_command *found = command_of(map, name);
    if (!found || found->help[0] == '\0')
        return NULL;
    *index = (size_t)(found - map->commands);
    return found;
}

tm_status keymap_bind(keymap *map, int context, int key, int request, tm_error *err)
{
    user_binding *grown = realloc(map->bindings, (map->binding_count + 1) * sizeof *map->bindings);
    if (!grown)
        return tm_fail_memory(err, "a key");
    map->bindings = grown;
    map->bindings[map->binding_count++] = (user_binding){context, key, request};
    return TM_OK;
}

int keymap_request(const keymap *map, int context, int key)
{
    for (size_t i = map->binding_count; i > 0; i--) {
        const user_binding *b = &map->bindings[i - 1];
        if (b->key == key && (b->context == context || b->context < 0))
            return b->request;
    }
    const key_row *row = keys_find(map->rows[context], key);
    row = row ? row : keys_find(keys_general, key);
    return row ? row->request : REQ_NONE;
}
