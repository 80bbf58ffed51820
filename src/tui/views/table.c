#include "tui/views/table.h"

#define VIEW_OPS(id, name, key, title, help) extern const view_ops name##_ops;
VIEWS(VIEW_OPS)
#undef VIEW_OPS

const view_ops *const view_table[VIEW_COUNT] = {
#define VIEW_OPS(id, name, key, title, help) [VIEW_##id] = &name##_ops,
    VIEWS(VIEW_OPS)
#undef VIEW_OPS
};
