/* PLINK 1 genotypes: a .bed file with its .bim and .fam files. */
#ifndef DATA_READ_FORMAT_PLINK_H
#define DATA_READ_FORMAT_PLINK_H

#include "data/read/common/format.h"

/* Whether the window's first bytes are those of a .bed. */
bool read_plink_is_next(const input *in);

/* The rows of a .fam file: the phenotype of each sample converted to a number, NaN when it is
 * missing (-9, NA, or 0 together with classes 1 and 2). *out is malloc'ed. */
tm_status read_plink_fam(double **out, size_t *count, input *in);
/* The rows of a .bim file: the name of each variant with the counted allele, "rs123_A". */
tm_status read_plink_bim(char ***out, size_t *count, input *in);
/* The packed columns from the window's start on, for `n` samples and `p` variants; malloc'ed. */
tm_status read_plink_bed(uint8_t **out, size_t n, size_t p, input *in);

#endif
