/* Fuzz target: the three files of PLINK, one after the other in the input, cut at bytes that it
 * names itself. */
#include "fuzz_reader.h"

#include "base/text.h"
#include "data/read/format/plink.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static input *open_piece(const uint8_t *bytes, size_t size, tm_error *err)
{
    input *in = NULL;
    input_spec spec = {.bytes = size ? (const void *)bytes : "",
                       .size = size,
                       .name = "fuzz",
                       .max_bytes = 1 << 24};
    return input_open(&in, &spec, err) == TM_OK ? in : NULL;
}

static void read_fam(const uint8_t *bytes, size_t size)
{
    tm_error err = TM_ERROR_INIT;
    double *y = NULL;
    size_t n = 0;
    input *in = open_piece(bytes, size, &err);
    if (!in)
        return;
    if (read_plink_fam(&y, &n, in) != TM_OK && err.message[0] == '\0')
        abort();
    input_close(in);
    free(y);
}

static void read_bim(const uint8_t *bytes, size_t size)
{
    tm_error err = TM_ERROR_INIT;
    char **names = NULL;
    size_t p = 0;
    input *in = open_piece(bytes, size, &err);
    if (!in)
        return;
    if (read_plink_bim(&names, &p, in) != TM_OK && err.message[0] == '\0')
        abort();
    input_close(in);
    text_list_free(names, p);
}

static void read_bed(const uint8_t *bytes, size_t size, size_t n, size_t p)
{
    tm_error err = TM_ERROR_INIT;
    uint8_t *packed = NULL;
    tm_matrix *x = NULL;
    input *in = open_piece(bytes, size, &err);
    if (!in)
        return;
    tm_status status = TM_EDATA;
    input_fill(in, 3);
    if (read_plink_is_next(in))
        status = read_plink_bed(&packed, n, p, in);
    input_close(in);
    if (status == TM_OK && tm_matrix_new_genotypes(&x, n, p, packed, NULL, &err) != TM_OK)
        abort();
    if (status != TM_OK)
        free(packed);
    double *column = malloc((n ? n : 1) * sizeof *column);
    for (size_t j = 0; x && column && j < p; j++) {
        tm_matrix_column(x, j, column);
        if (tm_matrix_dot(x, j, column) < 0)
            abort();
    }
    free(column);
    tm_matrix_unref(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 4)
        return 0;
    size_t n = bytes[0], p = bytes[1];
    size_t first = (size - 4) * bytes[2] / 256,
           second = first + (size - 4 - first) * bytes[3] / 256;
    read_fam(bytes + 4, first);
    read_bim(bytes + 4 + first, second - first);
    read_bed(bytes + 4 + second, size - 4 - second, n + 1, p + 1);
    return 0;
}
