/* The monotonic clock. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds since an arbitrary fixed moment. */
double clock_now(void);
/* Sleeps at least this long. */
void clock_sleep(double seconds);

#endif
