#include "tui/shell/view.h"

#include <stdio.h>
#include <string.h>

const view_info view_infos[VIEW_COUNT] = {
#define VIEW_INFO(id, name, key, title, help) [VIEW_##id] = {#name, key, title, help},
    VIEWS(VIEW_INFO)
#undef VIEW_INFO
};

const char *view_names(char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < VIEW_COUNT && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < VIEW_COUNT ? ", " : " and ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", before, view_infos[i].name);
    }
    return buffer;
}

bool view_find(const char *name, view_id *view)
{
    for (int i = 0; i < VIEW_COUNT; i++) {
        if (strcmp(view_infos[i].name, name) == 0) {
            *view = (view_id)i;
            return true;
        }
    }
    return false;
}
