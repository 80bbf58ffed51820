/* The constants that decide which passes over columns threads share; only time depends on them. */
#ifndef DATA_MATRIX_TUNING_H
#define DATA_MATRIX_TUNING_H

/* Multiply-adds of a pass below which a second thread costs more than it saves: of dense data in
 * memory they take 0.03 to 0.06 ms. Paths on 38 to 300 rows take 0.97 to 1.02 of the time of one
 * thread's, from 1 << 17 to 1 << 20 alike; 500 x 200,000, whose visits are 3e5, 0.95 of that with
 * 1 << 20. */
enum { PASS_SHARE_FROM = 1 << 18 };
/* What an entry of a sparse column and the column itself take, in multiply-adds of dense data (0.09
 * to 0.24 ns each): 0.66 ms of 50,000 columns with ten entries each, 1.4 ms of 31,216 with 63. */
enum { SPARSE_ENTRY = 4, SPARSE_COLUMN = 32 };

#endif
