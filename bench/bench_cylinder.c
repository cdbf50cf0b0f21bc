// bench/bench_cylinder.c: how fast and how exactly the pneumatic cylinder runs, in this process.
//
// A millisecond of the full model, through the simulation; what each part of the model costs,
// beside Table 3 of the thesis; and the open-loop test T10 beside SUNDIALS' CVODE, where it is
// installed, on the same rates with the same events. All take turns, and of each the best round
// counts, in time of this process, so that a shared machine flatters nobody. Prints one figure a
// line, "key value unit", for bench/run.sh; bench/results.md says what was learnt.
//   bench_cylinder [ROUNDS]
//   bench_cylinder --count KEY N    runs one row N times, for bench/count_cylinder.sh
#include "cylinder/rows.h"
#include "cylinder/t10.h"

#include <string.h>

int main(int argc, char **argv)
{
    courses_fill();
    if (argc > 3 && strcmp(argv[1], "--count") == 0) return rows_count(argv[2], atoi(argv[3]));
    int rounds = argc > 1 ? atoi(argv[1]) : 7;
    rows_measure(rounds);
    t10_measure(rounds);
    return 0;
}
