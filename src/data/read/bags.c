/* Reads the bag of each row from a separate file. */
#include "data/bags/bags.h"

#include "base/text.h"
#include "data/read/steps.h"

tm_status tm_bags_read(tm_bags *out, const char *path, size_t n, tm_error *err)
{
    char **names;
    size_t count;
    *out = (tm_bags)TM_BAGS_INIT;
    input_spec spec = {.path = path, .name = path, .max_bytes = UINT64_MAX};
    tm_status status = read_names_file(&names, &count, &spec, err);
    if (status != TM_OK)
        return status;
    if (count == n)
        status = bags_from_names(out, names, n, err);
    else
        status = tm_fail(err, TM_EDATA,
                         "%.200s: %zu lines for %zu rows; expected the bag of each row, one a line",
                         path, count, n);
    text_list_free(names, count);
    return status;
}
