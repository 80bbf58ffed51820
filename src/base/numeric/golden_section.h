/* The greatest value of a concave function of one variable, by golden sections. */
#ifndef BASE_NUMERIC_GOLDEN_SECTION_H
#define BASE_NUMERIC_GOLDEN_SECTION_H

typedef struct golden_section {
    /* The function; NaN ends the search. */
    double (*value)(double t, void *payload);
    void *payload;
    double high;  /* 0 < t < high */
    int steps;    /* at most so many sections; each costs one value, and the first one two */
    double width; /* ends when the section is this share of `high` and *best was improved; or 0 */
} golden_section;

/* Where the search has found a value above *best, which becomes that value; 0 where it has not. */
double golden_section_search(const golden_section *q, double *best);

#endif
