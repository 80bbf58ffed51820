/* Eight doubles as one value, and how loops are compiled for several machines. */
#ifndef DATA_LANES_H
#define DATA_LANES_H

/* The compiler splits it where the machine's registers are shorter. Alignment 8: columns start
 * anywhere. */
typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));

/* One copy of each loop for each vector length; the dynamic linker picks. Sanitizers instrument the
 * picking itself before they are set up, so their builds keep one copy. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PER_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PER_MACHINE
#endif

enum { LANES = 8 };

static inline double add_lanes(const lanes *sum)
{
    const lanes s = *sum;
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

#endif
