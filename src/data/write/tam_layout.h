/* The layout of a .tam file, a column store that is read in place.
 *
 *     header     one page: what is in the file, where its sections are, and a checksum of itself
 *     sections   each begins at a multiple of a page; numbers in the byte order of the writer
 *     sums       the last section: a checksum of every block of every other section, in order
 *
 * A reader checks the header, the length of the file, the sums, every block and the structure of
 * sparse columns before it uses anything, so that neither a damaged nor a malicious file can make
 * it read out of bounds. */
#ifndef DATA_WRITE_TAM_LAYOUT_H
#define DATA_WRITE_TAM_LAYOUT_H

#include <stdint.h>

enum {
    TAM_VERSION = 2,
    TAM_ENDIAN = 0x01020304,
    TAM_PAGE = 4096,
    TAM_BLOCK = 1 << 20, /* bytes covered by one checksum */
};

#define TAM_NO_TEXT UINT32_MAX

#define TAM_MAGIC "\x89TAM\r\n\x1a\n"

typedef enum tam_kind {
    TAM_DENSE_F64,
    TAM_DENSE_F32,
    TAM_CSC_F64,
    TAM_CSC_F32,
    TAM_GENOTYPES,
    TAM_KINDS,
} tam_kind;

/* The kind of matrix in memory for each kind in a file. */
extern const struct matrix_ops *const tam_kind_ops[TAM_KINDS];

typedef enum tam_response { TAM_BINARY, TAM_NUMBERS, TAM_CLASSES } tam_response;

typedef enum tam_section {
    /* A tam_response and a flag (features have names), then texts: the fingerprint, remarks, name
     * of the response, labels of the classes -1 and 1, names of the features; for more than two
     * classes their number and names. */
    TAM_META,
    TAM_Y,          /* n doubles */
    TAM_WEIGHTS,    /* n doubles, or empty */
    TAM_OFFSET,     /* n doubles, or empty */
    TAM_QIDS,       /* n doubles, or empty */
    TAM_MEANS,      /* p doubles */
    TAM_DEVIATIONS, /* p doubles */
    TAM_TRUTH,      /* p doubles, or empty */
    TAM_EDGES,      /* pairs of 32-bit features, or empty */
    TAM_STARTS,     /* csc: p + 1 64-bit starts */
    TAM_ROWS,       /* csc: nnz 32-bit rows */
    TAM_VALUES,     /* n*p or nnz values; genotypes: p columns of (n + 3) / 4 bytes */
    TAM_MISSING,    /* genotypes: p doubles, the value used for a missing one */
    TAM_SUMS,
    TAM_SECTIONS,
} tam_section;

typedef struct tam_range {
    uint64_t start, size;
} tam_range;

typedef struct tam_header {
    char magic[8];
    uint32_t version, endian, kind, reserved;
    uint64_t n, p, nnz;
    uint64_t file_size;
    tam_range sections[TAM_SECTIONS];
    uint64_t sums_check; /* checksum of the section of sums */
    uint64_t check;      /* checksum of all preceding fields */
} tam_header;

static inline uint64_t tam_blocks(uint64_t size)
{
    return size / TAM_BLOCK + (size % TAM_BLOCK > 0);
}

#endif
