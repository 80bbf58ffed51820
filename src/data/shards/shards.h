/* What the note of a part of a data set says of the whole. */
#ifndef DATA_SHARDS_SHARDS_H
#define DATA_SHARDS_SHARDS_H

#include "tamis/dataset.h"

typedef struct shard_origin {
    tm_part part;
    size_t n, p;
    char sha256[65]; /* of the whole */
} shard_origin;

/* A number for the whole, from its fingerprint; exact as a double. */
double shard_number(const shard_origin *of);
/* False if the data are no part of others that tm_dataset_part has made. */
bool shard_find_origin(shard_origin *out, const tm_dataset *data);

#endif
