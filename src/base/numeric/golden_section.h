/* Maximises a concave function of one variable by golden section search. */
#ifndef BASE_NUMERIC_GOLDEN_SECTION_H
#define BASE_NUMERIC_GOLDEN_SECTION_H

typedef struct golden_section {
    /* The function; NaN ends the search. */
    double (*value)(double t, void *payload);
    void *payload;
    double high;  /* 0 < t < high */
    int steps;    /* greatest number of sections; each costs one evaluation, the first one two */
    double width; /* ends when the section is this fraction of `high` and *best was improved; or
                   * 0 */
} golden_section;

/* The point at which the search found a value above *best, which is set to that value; 0 if it
 * found none. */
double golden_section_search(const golden_section *q, double *best);

#endif
