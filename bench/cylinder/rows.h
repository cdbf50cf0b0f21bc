// bench/cylinder/rows.h: what a millisecond of the cylinder costs through the simulation, whole and
// with parts of the model left out.
#ifndef IB_BENCH_CYLINDER_ROWS_H
#define IB_BENCH_CYLINDER_ROWS_H

// Prints the best of so many rounds.
void rows_measure(int rounds);

// Runs the row with this key so many times; 2: there is none.
int rows_count(const char *key, int times);

#endif
