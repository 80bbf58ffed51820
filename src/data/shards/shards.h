/* What the note of a part of a data set says of the whole. */
#ifndef DATA_SHARDS_SHARDS_H
#define DATA_SHARDS_SHARDS_H

#include "data/relabel.h"
#include "tamis/dataset.h"

typedef struct shard_origin {
    tm_part part;
    size_t n, p;
    char sha256[65]; /* of the whole */
} shard_origin;

/* A number for the whole, from its fingerprint; exact as a double. */
double shard_number(const shard_origin *of);
/* Whether all processes have rows of one data set: as many columns, and parts of the same whole.
 * TM_EDATA, in all of them. */
tm_status shard_check_rows(const tm_dataset *own, const tm_comm *comm, tm_error *err);
/* The data of tm_dataset_share_rows with numbers subtracted from some of the columns. */
tm_status shard_shifted_rows(tm_dataset **out, const tm_dataset *shared, const dataset_shift *by,
                             tm_error *err);
/* False if the data are no part of others that tm_dataset_part has made. */
bool shard_find_origin(shard_origin *out, const tm_dataset *data);

#endif
