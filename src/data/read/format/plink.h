/* PLINK 1 genotypes: a .bed with the .bim and .fam beside it. */
#ifndef DATA_READ_FORMAT_PLINK_H
#define DATA_READ_FORMAT_PLINK_H

#include "data/read/common/format.h"

/* Whether the window's first bytes are those of a .bed. */
bool read_plink_is_next(const input *in);

/* A .fam's rows: the phenotype of each sample as text turned into a number, NaN when it is missing
 * (-9, NA, or 0 beside classes 1 and 2). *out is malloc'ed. */
tm_status read_plink_fam(double **out, size_t *count, input *in);
/* A .bim's rows: the name of each variant with the allele that is counted, "rs123_A". */
tm_status read_plink_bim(char ***out, size_t *count, input *in);
/* The packed columns after the window's start, `n` samples and `p` variants of them; malloc'ed. */
tm_status read_plink_bed(uint8_t **out, size_t n, size_t p, input *in);

#endif
