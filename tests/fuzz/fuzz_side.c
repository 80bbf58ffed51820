/* Fuzz target: the files beside the data: response, weights, offset, names, bags. */
#include "fuzz_reader.h"

#include "tamis/bags.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_bags(const char *path)
{
    enum { ROWS = 3 };
    tm_bags bags = TM_BAGS_INIT;
    tm_error err = TM_ERROR_INIT;
    tm_status status = tm_bags_read(&bags, path, ROWS, &err);
    if (status != TM_OK && err.message[0] == '\0')
        abort();
    for (size_t i = 0; status == TM_OK && i < ROWS; i++)
        if (bags.of[i] >= bags.count)
            abort();
    tm_bags_clear(&bags);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char data[] = "1 1:1 2:0.5\n2 1:2\n3 2:1\n";
    static const char *const options[] = {"response", "weights", "offset", "names"};
    char path[FUZZ_PATH];
    if (has_huge_number(bytes, size, '\0'))
        return 0; /* the sizes of a Matrix Market or NumPy vector */
    int fd = fuzz_file(path, bytes, size);
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        fuzz_read((const uint8_t *)data, sizeof data - 1, "libsvm", options[k], path);
    read_bags(path);
    close(fd);
    return 0;
}
