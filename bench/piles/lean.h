// bench/piles/lean.h: a robot that leans on a wall, and the same robot driving.
#ifndef IB_BENCH_LEAN_H
#define IB_BENCH_LEAN_H

typedef enum LeanCase { LEAN_DRIVING, LEAN_LEANING, LEAN_CASES } LeanCase;

extern const char *const lean_names[LEAN_CASES];

// The fewest seconds that a step took in each case, the two taking turns `rounds` times.
void lean_measure(int rounds, double step[LEAN_CASES]);

// Makes the steps of a round of one case, for who counts instructions.
void lean_run(LeanCase which);

#endif
