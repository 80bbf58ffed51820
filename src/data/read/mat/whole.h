/* Checks that a MATLAB file is complete: matio, which reads it, trusts the lengths in it. */
#ifndef DATA_READ_MAT_WHOLE_H
#define DATA_READ_MAT_WHOLE_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the elements of a file of version 5 lie within it, and the parts of each of its
 * uncompressed variables within the variable. True for other versions, which matio checks
 * itself. */
bool mat_is_whole(FILE *file);

#endif
