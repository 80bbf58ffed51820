#include "tamis/item.h"

static const tm_item_info items[TM_ITEMS] = {
    [TM_ITEM_FEATURE] = {.name = "feature",
                         .plural = "features",
                         .bound = "|x'theta|",
                         .reaches = "a feature with weight",
                         .follows = "its weight is 0",
                         .holds = "its weight is at its limit",
                         .excluded = "cannot reach 1 in the ball: its weight is 0",
                         .open = "may reach 1 in the ball: it may matter",
                         .limit = "is beyond 1 in the whole ball",
                         .at_zero = "for good",
                         .at_limit = "at its limit"},
    [TM_ITEM_SAMPLE] = {.name = "sample",
                        .plural = "samples",
                        .bound = "1 + the required margin - the margin",
                        .reaches = "a support vector",
                        .follows = "its dual variable is 0",
                        .holds = "its dual variable is C times its weight",
                        .excluded = "is beyond its margin in the whole ball: no support vector",
                        .open = "may be within its margin: it may be a support vector",
                        .limit = "is within its margin in the whole ball",
                        .at_zero = "at 0",
                        .at_limit = "at C"},
    [TM_ITEM_GROUP] = {.name = "group",
                       .plural = "groups",
                       .bound = "the norm of the group's products with theta",
                       .reaches = "a group with weights",
                       .follows = "its weights are 0",
                       .holds = "its weights are at their limit",
                       .excluded = "cannot reach 1 in the ball: its weights are 0",
                       .open = "may reach 1 in the ball: it may matter",
                       .limit = "is beyond 1 in the whole ball",
                       .at_zero = "for good",
                       .at_limit = "at its limit"},
    [TM_ITEM_EDGE] = {.name = "edge",
                      .plural = "edges",
                      .bound = "|v| / lambda",
                      .reaches = "an edge whose ends differ",
                      .follows = "its ends have the same weight",
                      .holds = "its ends differ with this sign",
                      .excluded = "cannot reach 1 in the ball: its ends have the same weight",
                      .open = "may reach 1 in the ball: its ends may have different weights",
                      .limit = "is at 1 in the whole ball",
                      .at_zero = "for good",
                      .at_limit = "at its limit"},
    [TM_ITEM_TERM] = {.name = "term",
                      .plural = "terms",
                      .bound = "|v| / lambda",
                      .reaches = "a term other than 0",
                      .follows = "it is 0",
                      .holds = "it has this sign",
                      .excluded = "cannot reach 1 in the ball: it is 0",
                      .open = "may reach 1 in the ball: it may matter",
                      .limit = "is at 1 in the whole ball",
                      .at_zero = "for good",
                      .at_limit = "at its limit"},
    [TM_ITEM_TREE] = {.name = "tree",
                      .plural = "trees",
                      .bound = "the product of its columns' sum with theta",
                      .reaches = "a level other than 0",
                      .follows = "its level is 0",
                      .holds = "its level has this sign",
                      .excluded = "cannot reach 1 in the ball: its level is 0",
                      .open = "has no penalty: it may matter",
                      .limit = "is at 1 in the whole ball",
                      .at_zero = "for good",
                      .at_limit = "at its limit"},
};

const char *tm_item_name(tm_item item)
{
    return items[item].name;
}

const char *tm_item_plural(tm_item item)
{
    return items[item].plural;
}

const tm_item_info *tm_item_find(tm_item item)
{
    return &items[item];
}
